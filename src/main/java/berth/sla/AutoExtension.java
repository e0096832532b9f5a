package berth.sla;

/**
 * The automatic extension of a run: shortly before its end, Berth extends it by one step if there is room. Only a run with one shape and
 * one part can have it.
 *
 * @param step the length of an extension, in seconds on the cluster, at least 1; the last one may be shorter
 * @param until the latest end of the run, in seconds since the epoch
 */
public record AutoExtension(long step, long until) {

    /** How long before its end a run is extended, in seconds, unless a step is shorter. */
    private static final long AHEAD = 600;

    /** @throws InvalidFigure if the step is too short */
    public AutoExtension {
        if (step < 1) {
            throw new InvalidFigure("autoExtend.step", step, "must be longer than zero");
        }
    }

    /**
     * Returns when to extend a run, in seconds since the epoch: ten minutes or one step before its end, whichever is later.
     *
     * @param end the end of the run, in seconds since the epoch
     */
    public long dueAt(long end) {
        return end - Math.min(step, AHEAD);
    }

    /** Returns the length of the next extension, in seconds, for a run that ends at {@code end}; 0 or negative if there is none. */
    public long next(long end) {
        return Math.min(step, until - end);
    }
}
