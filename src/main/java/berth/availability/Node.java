package berth.availability;

import java.util.Arrays;
import java.util.List;

/**
 * A node of the B+-tree of a {@link CapacityProfile}: points in ascending order, either its own ({@link Leaf}) or those
 * of its children ({@link Inner}). It answers for the seconds from its first point to the last one before the next
 * node's first point; that {@code end} is known only from above and is passed down where it matters.
 *
 * <p>Nodes are immutable; their arrays are shared and never written to. An update answers one or two nodes in the place
 * of one. They may be small, by the two points or children that a change can remove at its edges, and are never empty;
 * {@link Children} joins small ones with a neighbour.
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

    Node(long firstTime, int lastFree, Range range) {
        this.firstTime = firstTime;
        this.lastFree = lastFree;
        this.fewest = range.fewest();
        this.most = range.most();
    }

    /** Whether it has so few points or children that only a root may. */
    abstract boolean isSmall();

    /** The value in a second that this node answers for. */
    abstract int free(long second);

    /** Includes the values in the seconds from {@code first} to {@code last}, as far as this node answers for them. */
    abstract void measure(long first, long last, long end, Range range);

    /** Shows {@code sweep} the point that holds at its ready time and those after it; false once the sweep is over. */
    abstract boolean sweep(Sweep sweep);

    /** Adds the points with times from {@code first} to {@code last} to {@code points}. */
    abstract void collect(long first, long last, List<Step> points);

    /** The same points with {@code delta} added to each value. */
    abstract Node shifted(int delta);

    /**
     * What takes the place of this node after {@code change}, which does not end before its first point.
     *
     * @param before the value just before the first point, after the change
     * @param end the last second this node answers for
     */
    abstract Node[] changed(Change change, int before, long end);

    /** This node and its right neighbour, of the same depth, as one node or two of about equal size. */
    abstract Node[] join(Node right);

    /** Checks sizes, keys and summaries of the whole subtree and answers its number of levels. */
    abstract int check(boolean isRoot);

    void requireSummary(Range range) {
        boolean right = range.fewest() == fewest && range.most() == most;
        require(right, "summary of values", fewest, most, range.fewest(), range.most());
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

    static int[] plus(int[] values, int delta) {
        int[] sums = values.clone();
        for (int i = 0; i < sums.length; i++) {
            sums[i] += delta;
        }
        return sums;
    }
}
