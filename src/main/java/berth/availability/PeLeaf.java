package berth.availability;

import java.util.Arrays;

/**
 * A node with points in flat arrays. The number of points depends on the length of a row, so that a leaf stays quick to copy.
 *
 * <p>PEs that are busy at every point are in one separate row and count as free in the rows of the points. A change that covers the whole
 * leaf therefore changes only that row.
 */
final class PeLeaf extends PeNode {

    final long[] times;
    /** The PEs free at one point at least; all others are busy at every point. */
    private final long[] ever;
    /** The PEs free at each point, one row after another. PEs that are not in {@link #ever} count as free here. */
    private final long[] rows;
    /** The number of PEs free at each point, minus {@link #shift}. */
    private final int[] counts;

    private final int shift;

    private PeLeaf(long[] times, long[] ever, long[] rows, int[] counts, int shift, long[] always, int most) {
        super(times[0], always, most);
        this.times = times;
        this.ever = ever;
        this.rows = rows;
        this.counts = counts;
        this.shift = shift;
    }

    /**
     * Creates a leaf.
     *
     * @param rows the PEs free at each point, one row after another; the leaf owns the array from now on
     */
    static PeLeaf of(long[] times, int[] counts, long[] rows) {
        int words = rows.length / times.length;
        return summed(times, counts, rows, new long[words], new long[words], 0, words);
    }

    /**
     * Returns a leaf whose points differ from those of this one only in the PEs of a change.
     *
     * @param rows the rows as this leaf stores them, except in the words of the change, which hold the free PEs
     */
    PeLeaf with(long[] times, int[] counts, long[] rows, PeChange change) {
        return summed(times, counts, rows, always.clone(), ever.clone(), change.firstWord, change.endWord);
    }

    private static PeLeaf summed(
            long[] times, int[] counts, long[] rows, long[] always, long[] ever, int firstWord, int endWord) {
        int words = always.length;
        for (int word = firstWord; word < endWord; word++) {
            long all = -1;
            long any = 0;
            for (int i = word; i < rows.length; i += words) {
                all &= rows[i];
                any |= rows[i];
            }
            for (int i = word; i < rows.length; i += words) {
                rows[i] |= ~any;
            }
            always[word] = all;
            ever[word] = any;
        }
        int most = 0;
        for (int count : counts) {
            most = Math.max(most, count);
        }
        return new PeLeaf(times, ever, rows, counts, 0, always, most);
    }

    /** Returns the most points of a leaf: 4 kB of rows, but enough that a leaf keeps a point after it loses two and can be split evenly. */
    static int mostPoints(int words) {
        return Math.clamp(512 / words, 12, 64);
    }

    private static int fewestPoints(int words) {
        return mostPoints(words) / 4;
    }

    /** Returns a word of 64 PEs that are free at a point. */
    long word(int index, int word) {
        return rows[index * always.length + word] & ever[word];
    }

    int count(int index) {
        return counts[index] + shift;
    }

    /** Copies the stored rows of the points from {@code from} to {@code to}, exclusive, into another array of rows. */
    void copyRows(int from, int to, long[] target, int at) {
        int words = always.length;
        System.arraycopy(rows, from * words, target, at * words, (to - from) * words);
    }

    /** Converts stored rows into the PEs that are free, for the rows from {@code from} to {@code to} and some of the words. */
    void unmask(long[] stored, int from, int to, int firstWord, int endWord) {
        for (int row = from * ever.length; row < to * ever.length; row += ever.length) {
            for (int word = firstWord; word < endWord; word++) {
                stored[row + word] &= ever[word];
            }
        }
    }

    /** Returns the PEs free at a point. */
    long[] free(int index) {
        long[] free = new long[ever.length];
        copyRows(index, index + 1, free, 0);
        unmask(free, 0, 1, 0, free.length);
        return free;
    }

    /** Writes the members of {@code set} that are free at a point to {@code both}. */
    void common(int index, long[] set, long[] both) {
        int row = index * always.length;
        for (int i = 0; i < set.length; i++) {
            both[i] = set[i] & rows[row + i] & ever[i];
        }
    }

    /** Removes from {@code set} the PEs that are busy at a point. */
    void narrow(int index, long[] set) {
        and(set, 0, rows, index * always.length, set.length);
        and(set, 0, ever, 0, set.length);
    }

    /** Whether all members of {@code set} are free at a point. */
    private boolean hasFree(int index, long[] set) {
        return contains(ever, 0, set) && contains(rows, index * always.length, set);
    }

    /** Returns the last second in which a point is in force. */
    private long lastOf(int index, long end) {
        return index + 1 < times.length ? times[index + 1] - 1 : end;
    }

    @Override
    boolean isSmall() {
        return times.length < fewestPoints(always.length);
    }

    @Override
    PeLeaf leafAt(long second) {
        return this;
    }

    @Override
    void narrow(long first, long last, long end, long[] set) {
        for (int i = Node.floor(times, first); i < times.length && times[i] <= last; i++) {
            narrow(i, set);
        }
    }

    @Override
    boolean sweep(PeSearch search, long end) {
        int from = Node.floor(times, search.readyTime());
        for (int i = from; i < times.length && search.needs(times[i]); i++) {
            if (count(i) < search.pes()) {
                search.startAfter(lastOf(i, end));
                from = i + 1;
            }
        }
        if (!search.goesOn()) {
            return false;
        }
        for (int i = from; i < times.length; i++) {
            if (!search.next(this, i, lastOf(i, end))) {
                return false;
            }
        }
        return true;
    }

    @Override
    boolean sweepBack(PeSearch search, long second, long end) {
        int index = Node.floor(times, second);
        return sweepBackFrom(search, index, lastOf(index, end));
    }

    /** Shows a search the points from {@code index}, which is in force until {@code last}, back to the first. */
    boolean sweepBackFrom(PeSearch search, int index, long last) {
        for (int i = index; i >= 0; i--) {
            if (!search.back(this, i, lastOf(i, last))) {
                return false;
            }
        }
        return true;
    }

    @Override
    long firstWithout(long[] set, long second) {
        for (int i = Node.ceiling(times, second); i < times.length; i++) {
            if (!hasFree(i, set)) {
                return times[i];
            }
        }
        return Long.MAX_VALUE;
    }

    @Override
    long freeSince(long[] set, long second, long end) {
        for (int i = Node.floor(times, second); i >= 0; i--) {
            if (!hasFree(i, set)) {
                return lastOf(i, end) + 1;
            }
        }
        return Long.MIN_VALUE;
    }

    @Override
    void collect(long first, long last, PeWindow window) {
        window.add(this, Node.floor(times, first), Node.floor(times, last) + 1);
    }

    @Override
    PeLeaf covered(PeChange change) {
        change.require(change.delta > 0 ? ever : always, firstTime);
        return new PeLeaf(
                times,
                change.applied(ever),
                rows,
                counts,
                shift + change.delta,
                change.applied(always),
                most + change.delta);
    }

    @Override
    PeLeaf[] changed(PeChange change, long end) {
        boolean startsHere = firstTime <= change.from;
        boolean endsHere = change.to <= end;
        int from = startsHere ? Node.ceiling(times, change.from) : 0;
        int to = endsHere ? Node.ceiling(times, change.to) : times.length;
        int afterFrom = startsHere ? from + pointsAt(from, change.from) : from;
        int afterTo = endsHere ? to + pointsAt(to, change.to) : to;
        boolean addsStart = startsHere && change.keepsStart;
        boolean addsEnd = endsHere && change.keepsEnd;
        int size = times.length - (afterFrom - from) - (afterTo - to) + (addsStart ? 1 : 0) + (addsEnd ? 1 : 0);
        var points = new PePoints(always.length, size);
        points.addAsStored(this, 0, from);
        if (addsStart) {
            points.addAsStored(change.from, this, afterFrom - 1);
        }
        points.addAsStored(this, afterFrom, to);
        int changedTo = points.size();
        if (addsEnd) {
            points.addAsStored(change.to, this, afterTo - 1);
        }
        points.addAsStored(this, afterTo, times.length);
        return points.changed(this, from, changedTo, change);
    }

    /** Returns 1 if the point at {@code index} has this time, else 0. */
    private int pointsAt(int index, long time) {
        return index < times.length && times[index] == time ? 1 : 0;
    }

    @Override
    PeLeaf[] join(PeNode right) {
        var next = (PeLeaf) right;
        var points = new PePoints(always.length, times.length + next.times.length);
        points.addAll(this, 0, times.length);
        points.addAll(next, 0, next.times.length);
        return points.leaves();
    }

    @Override
    int check(boolean isRoot) {
        int size = times.length;
        int words = always.length;
        int fewest = isRoot ? 1 : fewestPoints(words);
        Node.require(size >= fewest && size <= mostPoints(words), "points in a leaf", size);
        Node.require(counts.length == size && rows.length == size * words, "rows of a leaf", size, rows.length);
        long[] free = new long[rows.length];
        copyRows(0, size, free, 0);
        unmask(free, 0, size, 0, words);
        int[] fresh = new int[size];
        for (int i = 0; i < size; i++) {
            Node.require(i == 0 || times[i - 1] < times[i], "times in a leaf", times[i]);
            fresh[i] = count(free, i * words, words);
            Node.require(count(i) == fresh[i], "free PEs at", times[i], count(i));
        }
        var rebuilt = of(times, fresh, free);
        requireSummary(rebuilt.always, rebuilt.most);
        Node.require(Arrays.equals(ever, rebuilt.ever), "PEs that are free ever", firstTime);
        Node.require(Arrays.equals(rows, rebuilt.rows), "rows of PEs that are never free", firstTime);
        return 1;
    }
}
