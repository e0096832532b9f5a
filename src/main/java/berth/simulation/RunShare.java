package berth.simulation;

/**
 * How much of its estimated run time a run takes: {@code taken / whole}, exact, so that a run may end after any number of
 * seconds.
 *
 * @param taken at least 1, at most {@code whole}
 */
public record RunShare(long taken, long whole) {

    /** All of it. */
    public static final RunShare WHOLE = new RunShare(1, 1);

    /** @throws IllegalArgumentException if the run takes no time, or more than was estimated */
    public RunShare {
        if (taken < 1 || taken > whole) {
            throw new IllegalArgumentException(
                    "A run must take some of its estimate and not more than that: not %d of %d."
                            .formatted(taken, whole));
        }
        if (taken == whole) {
            taken = 1;
            whole = 1;
        }
    }

    /** As a number in (0, 1]. */
    public double part() {
        return (double) taken / whole;
    }
}
