package berth.pricing;

import static berth.sla.Components.checked;

import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.math.BigDecimal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The charge for a late cancellation. The papers have no cancellation; this is Berth's own rule.
 *
 * @param freeUntil how long before its start a reservation can still be cancelled free of charge
 * @param share the share of the price that is owed for a later cancellation
 */
public record Cancellation(
        @Settable(min = "0", max = "" + Cancellation.MAX_FREE_UNTIL, example = "P1D")
        long freeUntil,

        @Settable(min = "0", max = "1", example = "0.25") BigDecimal share) {

    /** Cancellation before the start costs nothing. */
    public static final Cancellation FREE = new Cancellation(0, BigDecimal.ZERO);

    private static final long MAX_FREE_UNTIL = 10 * 366 * 86_400L;

    /** @throws InvalidFigure naming the figure that is out of range or has too many decimals */
    public Cancellation {
        checked(Cancellation.class, "freeUntil", freeUntil);
        share = checked(Cancellation.class, "share", share);
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
