package berth.sla;

import static berth.sla.Components.checked;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How often and how far the provider may move a run. Only moves for others are bounded, see {@code
 * docs/adr/0048-moves-have-bounds.md}.
 *
 * <p>A run that may be moved no more has its final place. Without bounds, a run may be moved any number of times, anywhere in its window. A
 * cluster allows each reservation at least one move.
 *
 * @param maxMoves how often Berth may move each reservation for others. It counts for reservations made or agreed anew while it holds
 * @param maxShift by how much a move may make a reservation begin sooner and end later than agreed; anywhere in its window, if left out
 * @param follow after what else the run may be moved; a request says so, and no cluster
 */
public record MoveBounds(
        @Settable(
                name = "maxMovesPerReservation",
                min = "1",
                max = "" + MoveBounds.MAX_MOVES,
                hint = "to allow no moves, set juggling to NEVER",
                example = "3")
        OptionalInt maxMoves,

        @Settable(min = "0", max = "" + MoveBounds.MAX_SHIFT, example = "PT2H")
        OptionalLong maxShift,

        Optional<Follow> follow) {

    /** Any number of moves, anywhere in the window. */
    public static final MoveBounds NONE = new MoveBounds(OptionalInt.empty(), OptionalLong.empty());

    /** The highest number of moves that can be asked for. */
    public static final int MAX_MOVES = 1_000_000;

    /** The longest shift that can be asked for, in seconds: ten years of 365 days. */
    public static final long MAX_SHIFT = 3650L * 24 * 3600;

    /** @throws InvalidFigure if a figure is out of range */
    public MoveBounds {
        if (maxMoves.isPresent() && (maxMoves.getAsInt() < 0 || maxMoves.getAsInt() > MAX_MOVES)) {
            throw new InvalidFigure("maxMoves", maxMoves.getAsInt(), "must lie between 0 and " + MAX_MOVES);
        }
        checked(MoveBounds.class, "maxShift", maxShift);
    }

    /** Creates bounds of a run that is moved for others only. */
    public MoveBounds(OptionalInt maxMoves, OptionalLong maxShift) {
        this(maxMoves, maxShift, Optional.empty());
    }

    /** Returns the same bounds of a run that may also be moved after something. */
    public MoveBounds following(Optional<Follow> what) {
        return new MoveBounds(maxMoves, maxShift, what);
    }

    /** Returns the bounds, or none for null. */
    public static MoveBounds orNone(@Nullable MoveBounds bounds) {
        return bounds == null ? NONE : bounds;
    }

    /** Whether nothing is bounded or followed. */
    public boolean areNone() {
        return equals(NONE);
    }

    /** Returns the lower of each figure; the run follows what it follows here. */
    public MoveBounds tighter(MoveBounds other) {
        var moves = maxMoves.isEmpty() || other.maxMoves.isEmpty()
                ? (maxMoves.isPresent() ? maxMoves : other.maxMoves)
                : OptionalInt.of(Math.min(maxMoves.getAsInt(), other.maxMoves.getAsInt()));
        var shift = maxShift.isEmpty() || other.maxShift.isEmpty()
                ? (maxShift.isPresent() ? maxShift : other.maxShift)
                : OptionalLong.of(Math.min(maxShift.getAsLong(), other.maxShift.getAsLong()));
        return new MoveBounds(moves, shift, follow);
    }

    /** Whether these allow at least as many moves, at least as far. */
    boolean allowAsMuchAs(MoveBounds other) {
        return tighter(other).equals(other.following(follow));
    }

    /** Returns how many moves are left after that many; empty for any number. */
    public OptionalInt left(int moves) {
        return maxMoves.isEmpty() ? maxMoves : OptionalInt.of(Math.max(0, maxMoves.getAsInt() - moves));
    }
}
