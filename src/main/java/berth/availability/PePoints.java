package berth.availability;

import java.util.Arrays;

/** Points being put together, in ascending order, into one leaf or two. */
final class PePoints {

    private final int words;
    private final long[] times;
    private final int[] counts;
    private final long[] rows;
    private int size;

    /**
     * No points yet.
     *
     * @param words of each row
     * @param total how many there will be
     */
    PePoints(int words, int total) {
        this.words = words;
        times = new long[total];
        counts = new int[total];
        rows = new long[total * words];
    }

    /** Adds a point with the PEs that are free at another. */
    void add(long time, PeLeaf leaf, int index) {
        addAll(leaf, index, index + 1);
        times[size - 1] = time;
    }

    /** Adds the points of {@code leaf} from one index up to another. */
    void addAll(PeLeaf leaf, int from, int to) {
        leaf.copyRows(from, to, rows, size * words);
        for (int i = from; i < to; i++) {
            times[size] = leaf.times[i];
            counts[size++] = leaf.count(i);
        }
    }

    /** Changes the points from one index up to the last. */
    void change(int from, PeChange change) {
        for (int i = from; i < size; i++) {
            counts[i] += change.delta;
            change.apply(rows, i * words, times[i]);
        }
    }

    PeLeaf[] leaves() {
        return size <= PeLeaf.mostPoints(words)
                ? new PeLeaf[] {PeLeaf.of(times, counts, rows)}
                : new PeLeaf[] {leaf(0, size / 2), leaf(size / 2, size)};
    }

    private PeLeaf leaf(int from, int to) {
        return PeLeaf.of(
                Arrays.copyOfRange(times, from, to),
                Arrays.copyOfRange(counts, from, to),
                Arrays.copyOfRange(rows, from * words, to * words));
    }
}
