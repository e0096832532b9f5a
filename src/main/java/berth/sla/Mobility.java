package berth.sla;

import java.math.BigDecimal;

/**
 * How far the provider may use what flexibility a run has: the share of the wait for its start in which it may still be
 * moved. What cannot be used is no flexibility, and earns nothing (paper 000, section 2.1, rewards what is flexible; that it must
 * be of use is ours).
 *
 * @param movable seconds of the wait in which the run may be moved, in {@code [0, waiting]}
 * @param waiting seconds from when the price is made to the start, more than 0
 */
public record Mobility(BigDecimal movable, BigDecimal waiting) {

    /** The place is final at once. */
    public static final Mobility NONE = new Mobility(BigDecimal.ZERO, BigDecimal.ONE);

    /** The run may be moved until it starts. */
    public static final Mobility ALL = new Mobility(BigDecimal.ONE, BigDecimal.ONE);

    /** @throws IllegalArgumentException if the run may be moved for longer than it waits */
    public Mobility {
        if (movable.signum() < 0 || waiting.signum() <= 0 || movable.compareTo(waiting) > 0) {
            throw new IllegalArgumentException(
                    "A run that waits %s s is not movable for %s s.".formatted(waiting, movable));
        }
    }

    /**
     * Of a run whose place is final from {@code fixesAt} on.
     *
     * @param now seconds since the epoch, like the others
     * @param start of the run, not before {@code fixesAt}; a run that has begun has none
     */
    public static Mobility until(long fixesAt, long now, long start) {
        return fixesAt <= now ? NONE : new Mobility(BigDecimal.valueOf(fixesAt - now), BigDecimal.valueOf(start - now));
    }
}
