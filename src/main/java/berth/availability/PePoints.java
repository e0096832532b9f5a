package berth.availability;

import java.util.Arrays;

/** Builds one leaf or two from points in ascending order. */
final class PePoints {

    private final int words;
    private final long[] times;
    private final int[] counts;
    private final long[] rows;
    private int size;

    /**
     * Starts without points.
     *
     * @param words the number of words of a row
     * @param total the number of points to come
     */
    PePoints(int words, int total) {
        this.words = words;
        times = new long[total];
        counts = new int[total];
        rows = new long[total * words];
    }

    int size() {
        return size;
    }

    /** Adds the points of {@code leaf} with indices from {@code from} to {@code to}, exclusive. */
    void addAll(PeLeaf leaf, int from, int to) {
        int at = size;
        addAsStored(leaf, from, to);
        leaf.unmask(rows, at, size, 0, words);
    }

    /** Adds points with their rows as the leaf stores them. */
    void addAsStored(PeLeaf leaf, int from, int to) {
        leaf.copyRows(from, to, rows, size);
        for (int i = from; i < to; i++) {
            times[size] = leaf.times[i];
            counts[size++] = leaf.count(i);
        }
    }

    /** Adds a point at another time with the stored row at {@code index}. */
    void addAsStored(long time, PeLeaf leaf, int index) {
        addAsStored(leaf, index, index + 1);
        times[size - 1] = time;
    }

    /**
     * Returns the leaves after a change of the points from {@code from} to {@code to}, exclusive; the rows are as {@code leaf} stores them.
     */
    PeLeaf[] changed(PeLeaf leaf, int from, int to, PeChange change) {
        leaf.unmask(rows, 0, size, change.firstWord, change.endWord);
        for (int i = from; i < to; i++) {
            counts[i] += change.delta;
            change.apply(rows, i * words, times[i]);
        }
        var changed = leaf.with(times, counts, rows, change);
        if (times[0] == leaf.firstTime && size <= PeLeaf.mostPoints(words)) {
            return new PeLeaf[] {changed};
        }
        var rebuilt = new PePoints(words, size);
        rebuilt.addAll(changed, 0, size);
        return rebuilt.leaves();
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
