package berth.http;

import berth.http.Problem.FieldError;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
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

    /** The number of items that are read first. How many are read next depends on their size. */
    static final int FIRST_PIECE = 32;

    /** What there is to read. */
    public interface Source<S> {

        /** Returns at most {@code limit} things, those that follow the ones that have been read already. */
        List<S> after(List<S> read, int limit);

        /** Returns the source of a list that continues after a position. */
        static <S, P> Source<S> of(
                Optional<P> start, Function<S, P> position, BiFunction<Optional<P>, Integer, List<S>> list) {
            return (read, limit) ->
                    list.apply(read.isEmpty() ? start : Optional.of(position.apply(read.getLast())), limit);
        }
    }

    /**
     * What was read for a page, and its items.
     *
     * @param read the things that became the items, in the same order
     * @param isMore whether more things follow
     */
    public record Part<S, T>(List<S> read, List<T> items, boolean isMore) {

        /** Returns the page. */
        public Page<T> page(Function<S, String> cursor) {
            return new Page<>(items, isMore ? cursor.apply(read.getLast()) : null);
        }
    }

    /** Returns a page of the first items of {@code found}, which holds one thing more than the limit if there is a next page. */
    public static <S, T> Page<T> of(List<S> found, int limit, Function<S, T> body, Function<S, String> cursor) {
        Source<S> rest = (read, most) -> found.subList(read.size(), Math.min(read.size() + most, found.size()));
        return read(limit, rest, body).page(cursor);
    }

    /**
     * Reads at most {@code limit} things, and only one beyond {@link #MAX_BYTES}. Reads them in pieces, so that only a few are read in vain
     * if they are large.
     */
    public static <S, T> Part<S, T> read(int limit, Source<S> source, Function<S, T> body) {
        var read = new ArrayList<S>();
        var items = new ArrayList<T>();
        var written = new Counted();
        while (true) {
            int most = Math.min(limit - items.size(), piece(items.size(), written.bytes));
            var piece = source.after(read, most + 1);
            for (int i = 0; i < piece.size(); i++) {
                if (items.size() == limit || written.bytes >= MAX_BYTES) {
                    return new Part<>(read, items, true);
                }
                if (i < most) {
                    var item = body.apply(piece.get(i));
                    MEASURE.writeValue(written, item);
                    read.add(piece.get(i));
                    items.add(item);
                }
            }
            if (piece.size() <= most) {
                return new Part<>(read, items, false);
            }
        }
    }

    /** Returns how many items fill the page if they are as large as the ones before them. */
    private static int piece(int items, long bytes) {
        return items == 0 ? FIRST_PIECE : (int) Math.max(1, (MAX_BYTES - bytes) * items / Math.max(1, bytes) + 1);
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
    public static int limit(@Nullable String given) {
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
    public static long position(String after) {
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
    public static Problem badCursor(String given) {
        return new Problem(
                ProblemCode.MALFORMED,
                "Send the next of the previous page as after, or leave it out to get the first page.",
                List.of(new FieldError("after", Texts.shown(given), "is not a cursor of this list")));
    }
}
