package berth.availability;

import java.util.Arrays;

/** Points in flat arrays; how many depends on the length of a row, so that a leaf stays quick to copy. */
final class PeLeaf extends PeNode {

    final long[] times;
    /** How many PEs are free at each point. */
    final int[] counts;
    /** The PEs free at each point, one row after the other. */
    final long[] rows;

    private PeLeaf(long[] times, int[] counts, long[] rows, long[] always, int most) {
        super(times[0], always, most);
        this.times = times;
        this.counts = counts;
        this.rows = rows;
    }

    static PeLeaf of(long[] times, int[] counts, long[] rows) {
        int words = rows.length / times.length;
        long[] always = Arrays.copyOf(rows, words);
        for (int row = words; row < rows.length; row += words) {
            and(always, rows, row);
        }
        return new PeLeaf(
                times, counts, rows, always, Arrays.stream(counts).max().orElseThrow());
    }

    /** The most points of a leaf: 4 kB of rows, yet enough that a leaf that loses two keeps one, and splits well. */
    static int mostPoints(int words) {
        return Math.clamp(512 / words, 12, 64);
    }

    private static int fewestPoints(int words) {
        return mostPoints(words) / 4;
    }

    /** Where the row of a point begins in {@link #rows}. */
    int row(int index) {
        return index * always.length;
    }

    /** The last second in which a point holds. */
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
            and(set, rows, row(i));
        }
    }

    @Override
    boolean sweep(PeSearch search, long end) {
        for (int i = Node.floor(times, search.readyTime()); i < times.length; i++) {
            if (!search.next(times[i], lastOf(i, end), counts[i], rows, row(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    boolean sweepBack(PeSearch search, long second, long end) {
        for (int i = Node.floor(times, second); i >= 0; i--) {
            if (!search.back(lastOf(i, end), rows, row(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    long firstWithout(long[] set, long second) {
        for (int i = Node.ceiling(times, second); i < times.length; i++) {
            if (!contains(rows, row(i), set)) {
                return times[i];
            }
        }
        return Long.MAX_VALUE;
    }

    @Override
    long freeSince(long[] set, long second, long end) {
        for (int i = Node.floor(times, second); i >= 0; i--) {
            if (!contains(rows, row(i), set)) {
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
        int[] changedCounts = counts.clone();
        long[] changedRows = rows.clone();
        for (int i = 0; i < times.length; i++) {
            changedCounts[i] += change.delta;
            change.apply(changedRows, row(i), times[i]);
        }
        return new PeLeaf(times, changedCounts, changedRows, change.applied(always), most + change.delta);
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
        points.addAll(this, 0, from);
        if (addsStart) {
            points.add(change.from, this, afterFrom - 1);
        }
        points.addAll(this, afterFrom, to);
        points.change(from, change);
        if (addsEnd) {
            points.add(change.to, this, afterTo - 1);
        }
        points.addAll(this, afterTo, times.length);
        return points.leaves();
    }

    /** 1 if the point at {@code index} has this time, else 0. */
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
        for (int i = 0; i < size; i++) {
            Node.require(counts[i] == count(rows, row(i), words), "free PEs at", times[i], counts[i]);
            Node.require(i == 0 || times[i - 1] < times[i], "times in a leaf", times[i]);
        }
        var fresh = of(times, counts, rows);
        requireSummary(fresh.always, fresh.most);
        return 1;
    }
}
