package berth.cluster;

import berth.sla.InvalidFigure;
import java.util.OptionalInt;

/**
 * How the waiting queue is placed anew.
 *
 * @param juggling when it is, for a newcomer
 * @param order in which order
 * @param reshaping whether runs that are placed anew may change their shape
 * @param pullForward whether it is also placed anew when PEs become free earlier than planned, so that whoever waits gains the
 *     time (paper 003, section 3.3, names it and leaves it for later)
 * @param maxMoves the most reservations that one request may set in motion, at least 1; empty: as many as it takes
 */
public record Replanning(
        Juggling juggling, ReplanOrder order, Reshaping reshaping, boolean pullForward, OptionalInt maxMoves) {

    /** How many one request may set in motion where people are served, unless told otherwise. */
    static final int SERVICE_MOVES = 64;

    /** And how many it may be told to: all others wait while they are moved. */
    public static final int MAX_SERVICE_MOVES = 1_000;

    /** Where a newcomer finds no room, first those in its way, then earliest deadline first, in any of its shapes. */
    public static final Replanning STANDARD = new Replanning(
            Juggling.LEAST_MOVES, ReplanOrder.EARLIEST_DEADLINE_FIRST, Reshaping.ALWAYS, false, OptionalInt.empty());

    /** @throws InvalidFigure if a figure is out of range */
    public Replanning {
        if (maxMoves.isPresent() && maxMoves.getAsInt() < 1) {
            throw new InvalidFigure(
                    "maxMoves", maxMoves.getAsInt(), "must be at least 1; set juggling to NEVER for none");
        }
    }

    /** As it is unless told otherwise, but for when and in which order. */
    public static Replanning of(Juggling juggling, ReplanOrder order) {
        return STANDARD.when(juggling, order);
    }

    /** The same, but for when and in which order. */
    public Replanning when(Juggling other, ReplanOrder inOrder) {
        return new Replanning(other, inOrder, reshaping, pullForward, maxMoves);
    }

    /** The same, but for the shapes of runs that are placed anew. */
    public Replanning reshaping(Reshaping other) {
        return new Replanning(juggling, order, other, pullForward, maxMoves);
    }

    /** The same, but that whoever waits gains the time that becomes free, or does not. */
    public Replanning pullingForward(boolean isPulled) {
        return new Replanning(juggling, order, reshaping, isPulled, maxMoves);
    }

    /** The same, but for how many one request may set in motion. */
    public Replanning movingAtMost(int most) {
        return new Replanning(juggling, order, reshaping, pullForward, OptionalInt.of(most));
    }
}
