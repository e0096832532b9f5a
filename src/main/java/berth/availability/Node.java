package berth.availability;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of the B+-tree of a {@link CapacityProfile}. It holds points in ascending order, either its own ({@link Leaf}) or those of its
 * children ({@link Inner}). It covers the seconds from its first point to the last second before the next node's first point. Only the
 * parent knows that {@code end}, so methods that need it take it as a parameter.
 *
 * <p>Nodes are immutable, and their arrays are shared and never written to. An update replaces a node by one node or two. The new nodes may
 * be too small by the two points or children that a change can remove at its edges, but they are never empty; {@link Row} joins a small
 * node with a neighbour.
 */
abstract sealed class Node permits Leaf, Inner {

    /** The time of the first point. */
    final long firstTime;
    /** The value of the last point. */
    final int lastFree;
    /** The lowest value. */
    final int fewest;
    /** The highest value. */
    final int most;

    /**
     * The runs computed so far, by the index of the size class. Two threads may compute the same runs; each sees a complete result or none,
     * because a result never changes.
     */
    private @Nullable Runs @Nullable [] runs;

    Node(long firstTime, int lastFree, int fewest, int most) {
        this.firstTime = firstTime;
        this.lastFree = lastFree;
        this.fewest = fewest;
        this.most = most;
    }

    /** Whether the node has so few points or children that only a root may have them. */
    abstract boolean isSmall();

    /** Returns the value in a second that this node covers. */
    abstract int free(long second);

    /** Adds the values in the seconds from {@code first} to {@code last} that this node covers to {@code range}. */
    abstract void measure(long first, long last, long end, Range range);

    /** Shows {@code sweep} the point in force at its first second and the points after it, until the sweep is over. */
    abstract void sweep(Sweep sweep);

    /** Returns the first second from {@code second} on with fewer than {@code pes} PEs free; {@link Long#MAX_VALUE} if there is none. */
    abstract long firstBelow(int pes, long second);

    /** Returns the first second from {@code second} on with at least {@code pes} PEs free; {@link Long#MAX_VALUE} if there is none. */
    abstract long firstWith(int pes, long second);

    /** Returns the last point up to {@code second} with fewer than {@code pes} PEs free; {@link Long#MIN_VALUE} if there is none. */
    abstract long lastBelow(int pes, long second);

    /**
     * Returns the node's runs for the least number of PEs in {@code size}, which must be above the node's lowest value and at most its
     * highest. They are computed on first use and kept.
     */
    final Runs runs(SizeClass size) {
        @Nullable Runs[] known = runs;
        if (known == null) {
            known = new Runs[SizeClass.of(most).index() + 1];
            runs = known;
        }
        Runs asked = known[size.index()];
        if (asked == null) {
            asked = readRuns(size);
            known[size.index()] = asked;
        }
        return asked;
    }

    /** Computes the runs for the least number of PEs in {@code size}. */
    abstract Runs readRuns(SizeClass size);

    /** Adds the points with times from {@code first} to {@code last} to {@code points}. */
    abstract void collect(long first, long last, List<Step> points);

    /** Returns the same points with {@code delta} added to each value. */
    abstract Node shifted(int delta);

    /**
     * Adds to {@code row} the replacement of this node after {@code change}, which must not end before the node's first point.
     *
     * @param before the value just before the first point, after the change
     * @param end the last second that this node covers
     */
    abstract void change(Change change, long before, long end, Row row);

    /** Adds this node and its right neighbour, which has the same depth, to {@code row}, as one node or as two of about equal size. */
    abstract void join(Node right, Row row);

    /** Checks sizes, keys and summaries of the whole subtree and returns its number of levels. */
    abstract int check(boolean isRoot);

    void requireSummary(int[] lows, int[] highs) {
        require(fewest == lowest(lows) && most == highest(highs), "range of values", fewest, most);
        @Nullable Runs[] known = runs;
        for (int pes = 1; known != null && pes <= most; pes++) {
            SizeClass size = SizeClass.of(pes);
            Runs runs = known[size.index()];
            require(runs == null || runs.equals(readRuns(size)), "runs of size", size);
        }
    }

    static void require(boolean condition, String what, Object... details) {
        if (!condition) {
            throw new IllegalStateException(
                    "The tree is out of order: %s %s".formatted(what, Arrays.toString(details)));
        }
    }

    /** Returns the index of the last of {@code times} at or before {@code time}; 0 if all are later. */
    static int floor(long[] times, long time) {
        int found = Arrays.binarySearch(times, time);
        return found >= 0 ? found : Math.max(0, -found - 2);
    }

    /** Returns the index of the first of {@code times} at or after {@code time}; the length of the array if all are earlier. */
    static int ceiling(long[] times, long time) {
        int found = Arrays.binarySearch(times, time);
        return found >= 0 ? found : -found - 1;
    }

    static int lowest(int[] values) {
        int lowest = values[0];
        for (int value : values) {
            lowest = Math.min(lowest, value);
        }
        return lowest;
    }

    static int highest(int[] values) {
        int highest = values[0];
        for (int value : values) {
            highest = Math.max(highest, value);
        }
        return highest;
    }

    static int[] plus(int[] values, int delta) {
        int[] sums = values.clone();
        for (int i = 0; i < sums.length; i++) {
            sums[i] += delta;
        }
        return sums;
    }
}
