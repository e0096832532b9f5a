package berth.sla;

/**
 * How a run goes on by itself: before it ends it is extended, step by step, as long as there is room for it. Only a run in one shape and one
 * piece is.
 *
 * @param step seconds of the cluster's time by which it is extended each time, at least 1; the last step may be shorter
 * @param until when it ends at the latest, seconds since the epoch
 */
public record AutoExtension(long step, long until) {

    /** Seconds before its end at which a run is extended, unless its steps are shorter. */
    private static final long AHEAD = 600;

    /** @throws InvalidFigure if the step is too short */
    public AutoExtension {
        if (step < 1) {
            throw new InvalidFigure("autoExtend.step", step, "must be longer than zero");
        }
    }

    /**
     * When a run is extended, seconds since the epoch: ten minutes before its end, or one step.
     *
     * @param end of the run, seconds since the epoch
     */
    public long dueAt(long end) {
        return end - Math.min(step, AHEAD);
    }

    /** Seconds by which a run that ends then is extended next; 0 or less: not at all. */
    public long next(long end) {
        return Math.min(step, until - end);
    }
}
