package berth.cluster;

import berth.sla.Configuration;
import berth.sla.Inline;
import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * How Berth replans the waiting queue. Paper 003 (section 3.3) mentions pulling forward and leaves it for later. Rows of the journal leave
 * out {@code moves} if nothing is promised.
 *
 * @param order the order in which waiting reservations are placed again
 * @param juggling when Berth moves waiting reservations to make room for another
 * @param reshaping whether moldable runs that are moved may change their shape
 * @param pullForward whether Berth moves waiting reservations forward when PEs become free earlier than planned
 * @param maxMoves the most reservations that Berth may move for one request
 * @param moves what each reservation is promised about moves
 */
public record Replanning(
        @Settable(name = "replanOrder") ReplanOrder order,
        @Settable Juggling juggling,
        @Settable Reshaping reshaping,
        @Settable boolean pullForward,

        @Settable(
                min = "1",
                max = "1000",
                hint = "other requests wait while reservations are moved; to allow no moves, set juggling to NEVER",
                example = "64")
        OptionalInt maxMoves,

        @Inline MoveRules moves)
        implements Configuration<Replanning> {

    /** The default for {@code maxMoves} in the service. */
    static final int SERVICE_MOVES = 64;

    /** How often each reservation may be moved in the service, by default. */
    static final int SERVICE_MOVES_PER_RESERVATION = 3;

    /** The default: least moves, earliest deadline first, any shape. */
    public static final Replanning STANDARD = new Replanning(
            ReplanOrder.EARLIEST_DEADLINE_FIRST,
            Juggling.LEAST_MOVES,
            Reshaping.ALWAYS,
            false,
            OptionalInt.empty(),
            MoveRules.NONE);

    /** @throws InvalidFigure if a figure is out of range */
    public Replanning {
        moves = Objects.requireNonNullElse(moves, MoveRules.NONE);
        if (maxMoves.isPresent() && maxMoves.getAsInt() < 1) {
            throw new InvalidFigure(
                    "maxMoves", maxMoves.getAsInt(), "must be at least 1; to allow no moves, set juggling to NEVER");
        }
    }

    /** Returns the default with another time and order. */
    public static Replanning of(Juggling juggling, ReplanOrder order) {
        return STANDARD.when(juggling, order);
    }

    /** Returns the same rules with another time and order. */
    public Replanning when(Juggling other, ReplanOrder inOrder) {
        return with("juggling", other).with("order", inOrder);
    }

    /** Returns the same rules with another rule for shapes. */
    public Replanning reshaping(Reshaping other) {
        return with("reshaping", other);
    }

    /** Returns the same rules with or without pulling forward. */
    public Replanning pullingForward(boolean isPulled) {
        return with("pullForward", isPulled);
    }

    /** Returns the same rules with another {@code maxMoves}. */
    public Replanning movingAtMost(int most) {
        return with("maxMoves", OptionalInt.of(most));
    }

    /** Returns the same rules with other promises about moves. */
    public Replanning promising(MoveRules other) {
        return with("moves", other);
    }
}
