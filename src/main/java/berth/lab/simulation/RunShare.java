package berth.lab.simulation;

/**
 * The share of its estimated run time that a run takes: {@code taken / whole}. It is exact, so a run can end after any number of seconds.
 *
 * @param taken at least 1, at most {@code whole}
 */
public record RunShare(long taken, long whole) {

    /** The whole run time. */
    public static final RunShare WHOLE = new RunShare(1, 1);

    /** @throws IllegalArgumentException if the share is not positive or exceeds 1 */
    public RunShare {
        if (taken < 1 || taken > whole) {
            throw new IllegalArgumentException(
                    "A run must take more than 0 s and at most its estimate, but takes %d of %d s."
                            .formatted(taken, whole));
        }
        if (taken == whole) {
            taken = 1;
            whole = 1;
        }
    }

    /** Returns the share as a number in (0, 1]. */
    public double part() {
        return (double) taken / whole;
    }
}
