package berth.rest;

import berth.rest.Problem.FieldError;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param items the items, in the order of the list
 * @param next the value of {@code after} that returns the next page; null on the last page
 */
public record Page<T>(List<T> items, @Nullable String next) {

    private static final int STANDARD = 100;
    private static final int MAX = 500;

    /** Returns a page of the first {@code limit} items of {@code found}, which holds one item more if there is a next page. */
    static <S, T> Page<T> of(List<S> found, int limit, Function<S, T> body, Function<S, String> cursor) {
        var items = found.stream().limit(limit).toList();
        var next = found.size() > limit ? cursor.apply(items.getLast()) : null;
        return new Page<>(items.stream().map(body).toList(), next);
    }

    /** Reads the parameter {@code limit}; the default if it is null. */
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
            // reported below
        }
        throw new Problem(
                ProblemCode.MALFORMED,
                "Send a limit between 1 and %d, or none.".formatted(MAX),
                List.of(new FieldError("limit", Texts.shown(given), "must be a whole number from 1 to " + MAX)));
    }

    /** Reads a cursor that is the number of the last item of the previous page. */
    static long position(String after) {
        try {
            long position = Long.parseLong(after);
            if (position >= 0) {
                return position;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw badCursor(after);
    }

    /** Returns the problem of a cursor that this service never issued. */
    static Problem badCursor(String given) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Send the next of the previous page as after, or leave it out to get the first page.",
                List.of(new FieldError("after", Texts.shown(given), "is not a cursor of this list")));
    }
}
