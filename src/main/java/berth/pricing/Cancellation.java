package berth.pricing;

import berth.sla.InvalidFigure;
import java.math.BigDecimal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The price of cancelling a confirmed reservation late. The papers have no cancellation; this is Berth's own rule.
 *
 * @param freeUntil how long before the start a cancellation stops being free, in seconds, at most ten years
 * @param share the share of the price that a later cancellation costs, in [0, 1]
 */
public record Cancellation(long freeUntil, BigDecimal share) {

    /** Cancellation before the start costs nothing. */
    public static final Cancellation FREE = new Cancellation(0, BigDecimal.ZERO);

    private static final long MAX_FREE_UNTIL = 10 * 366 * 86_400L;

    /** @throws InvalidFigure naming the figure that is out of range or has too many decimals */
    public Cancellation {
        if (freeUntil < 0 || freeUntil > MAX_FREE_UNTIL) {
            throw new InvalidFigure(
                    "cancellation.freeUntil", freeUntil, "must lie between 0 and ten years before the start");
        }
        share = Tariff.figure("cancellation.share", share, BigDecimal.ZERO, BigDecimal.ONE);
    }

    /** Returns {@link #FREE} for tariffs that are older than this rule. */
    static Cancellation orFree(@Nullable Cancellation given) {
        return given == null ? FREE : given;
    }

    /**
     * Returns the last second in which a cancellation costs nothing, in seconds since the epoch; empty if it costs nothing before the start.
     */
    OptionalLong freeUntil(long start) {
        return share.signum() > 0 && freeUntil > 0 ? OptionalLong.of(start - freeUntil) : OptionalLong.empty();
    }

    /** Whether a cancellation at {@code now} costs something. */
    boolean isLate(long start, long now) {
        return share.signum() > 0 && now > start - freeUntil;
    }
}
