package berth.rest;

import berth.rest.Problem.FieldError;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One page of a list.
 *
 * @param items the items, in the order of the list
 * @param next the value of {@code after} that returns the next page; null on the last page. A page may have fewer items than its limit and
 *     still have a next one, because it ends at about 256 KiB
 */
public record Page<T>(List<T> items, @Nullable String next) {

    private static final int STANDARD = 100;
    private static final int MAX = 500;

    /** The size of a page at which it ends, whatever its limit, in bytes of JSON. */
    static final int MAX_BYTES = 256 << 10;

    private static final JsonMapper MEASURE = JsonMapper.builder().build();

    /**
     * Returns a page of the first items of {@code found}: at most {@code limit}, and only one beyond {@link #MAX_BYTES}. {@code found}
     * holds one item more than the limit if there is a next page.
     */
    static <S, T> Page<T> of(List<S> found, int limit, Function<S, T> body, Function<S, String> cursor) {
        var items = first(found.subList(0, Math.min(limit, found.size())), body);
        return new Page<>(items, items.size() < found.size() ? cursor.apply(found.get(items.size() - 1)) : null);
    }

    /** Returns the bodies of the first items, up to the one with which they take {@link #MAX_BYTES}. */
    static <S, T> List<T> first(List<S> found, Function<S, T> body) {
        var items = new ArrayList<T>();
        var written = new Counted();
        for (var each : found) {
            if (written.bytes >= MAX_BYTES) {
                break;
            }
            var item = body.apply(each);
            MEASURE.writeValue(written, item);
            items.add(item);
        }
        return items;
    }

    private static final class Counted extends OutputStream {
        private long bytes;

        @Override
        public void write(int one) {
            bytes++;
        }

        @Override
        public void write(byte[] some, int offset, int length) {
            bytes += length;
        }
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
