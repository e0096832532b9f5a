package berth.cluster;

import berth.sla.InvalidFigure;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * How Berth replans the waiting queue.
 *
 * @param juggling when a newcomer causes replanning
 * @param order the order in which the queue is replanned
 * @param reshaping whether a run may change its shape when it moves
 * @param pullForward whether Berth also replans when PEs become free earlier than planned, so that waiting runs can start sooner (paper
 *     003, section 3.3, mentions this and leaves it for later)
 * @param maxMoves the most reservations that one request may move, at least 1; empty means no limit
 * @param moves what each reservation is promised about moves; journal rows older than this field lack it, which means nothing
 */
public record Replanning(
        Juggling juggling,
        ReplanOrder order,
        Reshaping reshaping,
        boolean pullForward,
        OptionalInt maxMoves,
        MoveRules moves) {

    /** The default for {@code maxMoves} in the service. */
    static final int SERVICE_MOVES = 64;

    /** How often each reservation may be moved in the service, by default. */
    static final int SERVICE_MOVES_PER_RESERVATION = 3;

    /** The highest {@code maxMoves} that the service allows, because all other requests wait during the moves. */
    public static final int MAX_SERVICE_MOVES = 1_000;

    /** The default: least moves, earliest deadline first, any shape. */
    public static final Replanning STANDARD = new Replanning(
            Juggling.LEAST_MOVES,
            ReplanOrder.EARLIEST_DEADLINE_FIRST,
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
        return new Replanning(other, inOrder, reshaping, pullForward, maxMoves, moves);
    }

    /** Returns the same rules with another rule for shapes. */
    public Replanning reshaping(Reshaping other) {
        return new Replanning(juggling, order, other, pullForward, maxMoves, moves);
    }

    /** Returns the same rules with or without pulling forward. */
    public Replanning pullingForward(boolean isPulled) {
        return new Replanning(juggling, order, reshaping, isPulled, maxMoves, moves);
    }

    /** Returns the same rules with another {@code maxMoves}. */
    public Replanning movingAtMost(int most) {
        return new Replanning(juggling, order, reshaping, pullForward, OptionalInt.of(most), moves);
    }

    /** Returns the same rules with other promises about moves. */
    public Replanning promising(MoveRules other) {
        return new Replanning(juggling, order, reshaping, pullForward, maxMoves, other);
    }
}
