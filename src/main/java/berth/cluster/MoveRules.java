package berth.cluster;

import static berth.sla.Components.checked;

import berth.sla.Inline;
import berth.sla.InvalidFigure;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.MoveBounds;
import berth.sla.ServiceClass;
import berth.sla.Settable;
import java.math.BigDecimal;
import java.util.OptionalInt;

/**
 * The promise of a cluster to each reservation about moves by the provider. The bounds become part of the terms when a reservation is agreed.
 *
 * @param bounds how often and how far each reservation may be moved; at least one move. If the number is bounded, Berth also spares PREMIUM
 *     and those moved most among equals
 * @param rebate the share of its price that a reservation gets back for each move
 */
public record MoveRules(
        @Inline MoveBounds bounds,

        @Settable(name = "moveRebate", min = "0", max = "1", example = "0.05")
        BigDecimal rebate) {

    /** No promises, as in the papers. */
    public static final MoveRules NONE = new MoveRules(MoveBounds.NONE, BigDecimal.ZERO);

    /** @throws InvalidFigure if a figure is out of range */
    public MoveRules {
        if (bounds.maxMoves().isPresent() && bounds.maxMoves().getAsInt() < 1) {
            throw new InvalidFigure(
                    "maxMovesPerReservation",
                    bounds.maxMoves().getAsInt(),
                    "must be at least 1; to allow no moves, set juggling to NEVER");
        }
        rebate = checked(MoveRules.class, "rebate", rebate);
    }

    /** Returns the rules with bounds on the number of moves only. */
    static MoveRules atMost(int moves) {
        return new MoveRules(new MoveBounds(OptionalInt.of(moves), MoveBounds.NONE.maxShift()), BigDecimal.ZERO);
    }

    /** Whether PREMIUM and those moved most are spared among equals. */
    public boolean spare() {
        return bounds.maxMoves().isPresent();
    }

    /**
     * Returns the turn of a run among those with equal ranks in the replan order; lower comes first.
     *
     * @param moves how often the provider has moved it
     */
    public long turn(ServiceClass serviceClass, int moves) {
        long first = serviceClass == ServiceClass.PREMIUM ? 0 : 1L << Integer.SIZE;
        return spare() ? first + Integer.MAX_VALUE - moves : 0;
    }

    /**
     * Returns the part of a run's mobility for which it gets discounts. A run whose owner allows fewer moves than the cluster would make has
     * a share of the discounts, which saturates as that for shapes does: with m moves it can have m + 1 places.
     *
     * @param agreed the bounds of its terms
     * @param moves how often the provider has moved it before the terms were agreed
     */
    public Mobility usable(Mobility mobility, MoveBounds agreed, int moves) {
        var left = agreed.left(moves);
        int most = bounds.maxMoves().orElse(0);
        if (left.isEmpty() || most > 0 && left.getAsInt() >= most) {
            return mobility;
        }
        long allowed = left.getAsInt();
        return most == 0
                ? mobility.times(allowed, allowed + 1)
                : mobility.times(allowed * (most + 1L), (allowed + 1) * most);
    }

    /** Returns the price of a reservation after a move that counts. */
    public Money afterMove(Money price) {
        return Money.roundedUp(
                price.amount().multiply(BigDecimal.ONE.subtract(rebate)), BigDecimal.ONE, price.currency());
    }
}
