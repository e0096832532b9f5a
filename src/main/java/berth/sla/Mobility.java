package berth.sla;

import java.math.BigDecimal;

/**
 * How much of a run's flexibility the provider can use: the share of the wait before the start in which the run can still move. Paper 000
 * (section 2.1) rewards flexibility; that only usable flexibility counts is Berth's own rule.
 *
 * @param movable how long the run can move, in seconds, in {@code [0, waiting]}
 * @param waiting the time from pricing to the start, in seconds, more than 0
 */
public record Mobility(BigDecimal movable, BigDecimal waiting) {

    /** The run cannot move. */
    public static final Mobility NONE = new Mobility(BigDecimal.ZERO, BigDecimal.ONE);

    /** The run can move until it starts. */
    public static final Mobility ALL = new Mobility(BigDecimal.ONE, BigDecimal.ONE);

    /** @throws IllegalArgumentException if {@code movable} exceeds {@code waiting} */
    public Mobility {
        if (movable.signum() < 0 || waiting.signum() <= 0 || movable.compareTo(waiting) > 0) {
            throw new IllegalArgumentException(
                    "A run that waits %s s cannot be movable for %s s.".formatted(waiting, movable));
        }
    }

    /** Returns {@code some} of {@code all} equal pieces of this mobility; {@code some} is at most {@code all}. */
    public Mobility times(long some, long all) {
        return some == 0
                ? NONE
                : new Mobility(movable.multiply(BigDecimal.valueOf(some)), waiting.multiply(BigDecimal.valueOf(all)));
    }

    /**
     * Returns the mobility of a run whose place becomes final at {@code fixesAt}.
     *
     * @param now seconds since the epoch, as all times here
     * @param start the start of the run, not before {@code fixesAt}; a run that has begun has no mobility
     */
    public static Mobility until(long fixesAt, long now, long start) {
        return fixesAt <= now ? NONE : new Mobility(BigDecimal.valueOf(fixesAt - now), BigDecimal.valueOf(start - now));
    }
}
