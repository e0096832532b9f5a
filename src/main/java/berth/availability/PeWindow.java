package berth.availability;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The points of a {@link PeCalendar} over some time, by index. The rows are not copied. */
final class PeWindow {

    private long[] times = new long[16];
    private PeLeaf[] leaves = new PeLeaf[16];
    private int[] indexes = new int[16];
    private int size;

    /** Returns the points from the one in force at {@code first} to the last one up to {@code last}. */
    static PeWindow of(PeNode root, long first, long last) {
        var window = new PeWindow();
        root.collect(first, last, window);
        return window;
    }

    int size() {
        return size;
    }

    /** Returns the time of a point; {@link Long#MAX_VALUE} after the last. */
    long time(int index) {
        return index < size ? times[index] : Long.MAX_VALUE;
    }

    /** Removes from {@code set} the PEs that are busy at a point. */
    void narrow(int index, long[] set) {
        leaves[index].narrow(indexes[index], set);
    }

    /** Returns the PEs free at a point. */
    PeSet free(int index) {
        return PeSet.ofWords(leaves[index].free(indexes[index]));
    }

    /** Adds the points of {@code leaf} with indices from {@code from} to {@code to}, exclusive. */
    void add(PeLeaf leaf, int from, int to) {
        int needed = size + to - from;
        if (needed > times.length) {
            int length = Math.max(needed, 2 * times.length);
            times = Arrays.copyOf(times, length);
            leaves = Arrays.copyOf(leaves, length);
            indexes = Arrays.copyOf(indexes, length);
        }
        for (int i = from; i < to; i++) {
            times[size] = leaf.times[i];
            leaves[size] = leaf;
            indexes[size++] = i;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PeWindow that
                && size == that.size
                && IntStream.range(0, size).allMatch(i -> time(i) == that.time(i) && free(i).equals(that.free(i)));
    }

    @Override
    public int hashCode() {
        return IntStream.range(0, size)
                .mapToObj(i -> 31 * time(i) + free(i).hashCode())
                .toList()
                .hashCode();
    }
}
