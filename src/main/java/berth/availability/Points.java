package berth.availability;

import java.util.Arrays;

/** Points being put together, in ascending order, into one leaf or two. */
final class Points {

    /** Stands for the value before the first point of all: no number of free PEs equals it. */
    static final int NOTHING_BEFORE = -1;

    private final long[] times;
    private final int[] free;
    private int size;
    private int last;

    /**
     * No points yet.
     *
     * @param atMost how many there may be
     * @param before the value that the first point must differ from
     */
    Points(int atMost, int before) {
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

    /** Adds the points of {@code leaf} from one index up to another; the first must differ from the value before it. */
    void addAll(Leaf leaf, int from, int to) {
        if (from < to) {
            System.arraycopy(leaf.times, from, times, size, to - from);
            System.arraycopy(leaf.free, from, free, size, to - from);
            size += to - from;
            last = leaf.free[to - 1];
        }
    }

    Node[] leaves() {
        return size <= Leaf.MOST_POINTS
                ? new Node[] {leaf(0, size)}
                : new Node[] {leaf(0, size / 2), leaf(size / 2, size)};
    }

    private Leaf leaf(int from, int to) {
        return new Leaf(Arrays.copyOfRange(times, from, to), Arrays.copyOfRange(free, from, to));
    }
}
