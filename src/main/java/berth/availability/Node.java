package berth.availability;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of the B+-tree of a {@link CapacityProfile}: points in ascending order, either its own ({@link Leaf}) or those
 * of its children ({@link Inner}). It answers for the seconds from its first point to the last one before the next
 * node's first point; that {@code end} is known only from above and is passed down where it matters.
 *
 * <p>Nodes are immutable; their arrays are shared and never written to. An update answers one or two nodes in the place
 * of one. They may be small, by the two points or children that a change can remove at its edges, and are never empty;
 * {@link Row} joins small ones with a neighbour.
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
     * What has been asked of its runs, by the index of the size class. Threads may find it out twice, and each sees it as a
     * whole or not at all, since nothing in it can change.
     */
    private @Nullable Runs @Nullable [] runs;

    Node(long firstTime, int lastFree, int fewest, int most) {
        this.firstTime = firstTime;
        this.lastFree = lastFree;
        this.fewest = fewest;
        this.most = most;
    }

    /** Whether it has so few points or children that only a root may. */
    abstract boolean isSmall();

    /** The value in a second that this node answers for. */
    abstract int free(long second);

    /** Includes the values in the seconds from {@code first} to {@code last}, as far as this node answers for them. */
    abstract void measure(long first, long last, long end, Range range);

    /** Shows {@code sweep} the point that holds at its first second and those after it, until it is over. */
    abstract void sweep(Sweep sweep);

    /** The first second from {@code second} on with fewer than {@code pes} free; {@link Long#MAX_VALUE} if there is none. */
    abstract long firstBelow(int pes, long second);

    /** The first second from {@code second} on with {@code pes} free; {@link Long#MAX_VALUE} if there is none. */
    abstract long firstWith(int pes, long second);

    /** The last point up to {@code second} with fewer than {@code pes} free; {@link Long#MIN_VALUE} if there is none. */
    abstract long lastBelow(int pes, long second);

    /**
     * Its runs for the least number of PEs in {@code size}, which is more than its lowest value and not more than its
     * highest. They are found out when first asked for, and kept.
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

    /** Finds out the runs for the least number of PEs in {@code size}. */
    abstract Runs readRuns(SizeClass size);

    /** Adds the points with times from {@code first} to {@code last} to {@code points}. */
    abstract void collect(long first, long last, List<Step> points);

    /** The same points with {@code delta} added to each value. */
    abstract Node shifted(int delta);

    /**
     * Adds to {@code row} what takes the place of this node after {@code change}, which does not end before its first
     * point.
     *
     * @param before the value just before the first point, after the change
     * @param end the last second this node answers for
     */
    abstract void change(Change change, long before, long end, Row row);

    /** Adds to {@code row} this node and its right neighbour, of the same depth, as one node or two of about equal size. */
    abstract void join(Node right, Row row);

    /** Checks sizes, keys and summaries of the whole subtree and answers its number of levels. */
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

    /** The index of the last of {@code times} at or before {@code time}; 0 if all are later. */
    static int floor(long[] times, long time) {
        int found = Arrays.binarySearch(times, time);
        return found >= 0 ? found : Math.max(0, -found - 2);
    }

    /** The index of the first of {@code times} at or after {@code time}; their number if all are earlier. */
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
