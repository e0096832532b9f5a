package berth.rest;

import berth.rest.Problem.FieldError;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a list.
 *
 * @param items in the order of the list
 * @param next where the list goes on, for {@code after}; null at its end
 */
public record Page<T>(List<T> items, @Nullable String next) {

    private static final int STANDARD = 100;
    private static final int MAX = 500;

    /** The page of the first {@code limit} of {@code found}, which holds one more if the list goes on. */
    static <S, T> Page<T> of(List<S> found, int limit, Function<S, T> body, Function<S, String> cursor) {
        var items = found.stream().limit(limit).toList();
        var next = found.size() > limit ? cursor.apply(items.getLast()) : null;
        return new Page<>(items.stream().map(body).toList(), next);
    }

    /** Reads the parameter {@code limit}. */
    static int limit(@Nullable String given) {
        if (given == null) {
            return STANDARD;
        }
        try {
            int limit = Integer.parseInt(given);
            if (limit >= 1 && limit <= MAX) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new Problem(
                ProblemCode.MALFORMED,
                "Send a limit between 1 and %d, or none.".formatted(MAX),
                List.of(new FieldError("limit", Texts.shown(given), "must be a whole number from 1 to " + MAX)));
    }

    /** Reads a cursor that is a number: that of the last item that was read. */
    static long position(String after) {
        try {
            long position = Long.parseLong(after);
            if (position >= 0) {
                return position;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw badCursor(after);
    }

    /** A cursor that this service never gave out. */
    static Problem badCursor(String given) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Send the next of an earlier answer as after, or leave it out to begin.",
                List.of(new FieldError("after", Texts.shown(given), "is no cursor of this list")));
    }
}
