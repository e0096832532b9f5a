package berth.availability;

import java.util.Arrays;

/** Points being put together, in ascending order, into one leaf or two. */
final class Points {

    /** Stands for the value before the first point of all: no number of free PEs equals it. */
    static final long NOTHING_BEFORE = Long.MIN_VALUE;

    private final long[] times;
    private final int[] free;
    private int size;
    private long last;

    /**
     * No points yet.
     *
     * @param atMost how many there may be
     * @param before the value that the first point must differ from
     */
    Points(int atMost, long before) {
        times = new long[atMost];
        free = new int[atMost];
        last = before;
    }

    /** Adds a point, unless it repeats the value before it. */
    void add(long time, int value) {
        if (value != last) {
            times[size] = time;
            free[size++] = value;
            last = value;
        }
    }

    /**
     * Adds the points of {@code leaf} from one index up to another, with {@code delta} added to their values; the first
     * must differ from the value before it.
     */
    void add(Leaf leaf, int from, int to, int delta) {
        if (from < to) {
            System.arraycopy(leaf.times, from, times, size, to - from);
            for (int i = from; i < to; i++) {
                free[size++] = leaf.free[i] + delta;
            }
            last = free[size - 1];
        }
    }

    /** Adds the leaves to {@code row}. */
    void addTo(Row row) {
        if (size > Leaf.MOST_POINTS) {
            row.add(leaf(0, size / 2));
            row.add(leaf(size / 2, size));
        } else if (size == times.length) {
            row.add(new Leaf(times, free));
        } else {
            row.add(leaf(0, size));
        }
    }

    private Leaf leaf(int from, int to) {
        return new Leaf(Arrays.copyOfRange(times, from, to), Arrays.copyOfRange(free, from, to));
    }
}
