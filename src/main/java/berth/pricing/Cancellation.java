package berth.pricing;

import berth.sla.InvalidFigure;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What whoever gives up a confirmed reservation late still owes. Ours: the papers have nobody give up anything.
 *
 * @param freeUntil seconds before its start until which it owes nothing, at most ten years
 * @param share of its price that it owes after that, in [0, 1]
 */
public record Cancellation(long freeUntil, BigDecimal share) {

    /** Whoever gives up what has not begun owes nothing. */
    public static final Cancellation FREE = new Cancellation(0, BigDecimal.ZERO);

    private static final long MAX_FREE_UNTIL = 10 * 366 * 86_400L;

    /** @throws InvalidFigure naming the figure that is out of range or has too many decimals */
    public Cancellation {
        if (freeUntil < 0 || freeUntil > MAX_FREE_UNTIL) {
            throw new InvalidFigure(
                    "cancellation.freeUntil",
                    freeUntil,
                    "must not be negative, and at most ten years before the start");
        }
        share = Tariff.figure("cancellation.share", share, BigDecimal.ZERO, BigDecimal.ONE);
    }

    /** What tariffs say from before this could be said. */
    static Cancellation orFree(@Nullable Cancellation given) {
        return given == null ? FREE : given;
    }

    /** Whether it is late to give up what starts then. */
    boolean isLate(long start, long now) {
        return share.signum() > 0 && now > start - freeUntil;
    }
}
