package berth.availability;

import java.util.Arrays;

/** Builds one leaf or two from points in ascending order. */
final class Points {

    /** Represents the value before the very first point: no number of PEs equals it. */
    static final long NOTHING_BEFORE = Long.MIN_VALUE;

    private final long[] times;
    private final int[] free;
    private int size;

    /** Starts without points, with room for {@code count}. */
    Points(int count) {
        times = new long[count];
        free = new int[count];
    }

    /** Adds the points of {@code leaf} with indices from {@code from} to {@code to}, exclusive, and adds {@code delta} to their values. */
    void add(Leaf leaf, int from, int to, int delta) {
        System.arraycopy(leaf.times, from, times, size, to - from);
        for (int i = from; i < to; i++) {
            free[size++] = leaf.free[i] + delta;
        }
    }

    /** Adds the point at {@code edge}, if the change leaves one there. */
    void add(Edge edge) {
        if (edge.after() == 1) {
            times[size] = edge.time();
            free[size++] = edge.free();
        }
    }

    /** Adds the leaves to {@code row} once all points are there. */
    void addTo(Row row) {
        if (size <= Leaf.MAX_POINTS) {
            row.add(new Leaf(times, free));
        } else {
            row.add(leaf(0, size / 2));
            row.add(leaf(size / 2, size));
        }
    }

    private Leaf leaf(int from, int to) {
        return new Leaf(Arrays.copyOfRange(times, from, to), Arrays.copyOfRange(free, from, to));
    }
}
