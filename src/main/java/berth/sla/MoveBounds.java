package berth.sla;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How often and how far the provider may move a run. Only moves for others are bounded, see {@code
 * docs/adr/0048-moves-have-bounds.md}.
 *
 * @param maxMoves the most moves, at least 0, with which the place is final at once; empty for any number
 * @param maxShift by how much, in seconds, the run may begin sooner and end later than agreed, at least 0; empty for anywhere in its window
 */
public record MoveBounds(OptionalInt maxMoves, OptionalLong maxShift) {

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
        if (maxShift.isPresent() && (maxShift.getAsLong() < 0 || maxShift.getAsLong() > MAX_SHIFT)) {
            throw new InvalidFigure("maxShift", maxShift.getAsLong(), "must not be negative, nor exceed ten years");
        }
    }

    /** Returns the bounds, or none for null. */
    public static MoveBounds orNone(@Nullable MoveBounds bounds) {
        return bounds == null ? NONE : bounds;
    }

    /** Whether nothing is bounded. */
    public boolean areNone() {
        return equals(NONE);
    }

    /** Returns the lower of each figure. */
    public MoveBounds tighter(MoveBounds other) {
        var moves = maxMoves.isEmpty() || other.maxMoves.isEmpty()
                ? (maxMoves.isPresent() ? maxMoves : other.maxMoves)
                : OptionalInt.of(Math.min(maxMoves.getAsInt(), other.maxMoves.getAsInt()));
        var shift = maxShift.isEmpty() || other.maxShift.isEmpty()
                ? (maxShift.isPresent() ? maxShift : other.maxShift)
                : OptionalLong.of(Math.min(maxShift.getAsLong(), other.maxShift.getAsLong()));
        return new MoveBounds(moves, shift);
    }

    /** Whether these allow at least as many moves, at least as far. */
    boolean allowAsMuchAs(MoveBounds other) {
        return tighter(other).equals(other);
    }

    /** Returns how many moves are left after that many; empty for any number. */
    public OptionalInt left(int moves) {
        return maxMoves.isEmpty() ? maxMoves : OptionalInt.of(Math.max(0, maxMoves.getAsInt() - moves));
    }
}
