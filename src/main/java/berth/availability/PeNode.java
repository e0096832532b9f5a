package berth.availability;

import java.util.Arrays;

/**
 * A node of the B+-tree of a {@link PeCalendar}: points in ascending order, either its own ({@link PeLeaf}) or those of
 * its children ({@link PeInner}). From each point on, until the next, certain PEs are free. Like {@link Node}, it
 * answers for the seconds from its first point to an {@code end} that is known from above only, and never changes.
 *
 * <p>Sets of PEs are rows of words here, 64 PEs each; all rows of a calendar are of the same length.
 */
abstract sealed class PeNode permits PeLeaf, PeInner {

    /** The time of the first point. */
    final long firstTime;
    /** The PEs free at every point. */
    final long[] always;
    /** The most PEs free at any point. */
    final int most;

    PeNode(long firstTime, long[] always, int most) {
        this.firstTime = firstTime;
        this.always = always;
        this.most = most;
    }

    /** Whether it has so few points or children that only a root may. */
    abstract boolean isSmall();

    /** The leaf whose points hold in a second that this node answers for. */
    abstract PeLeaf leafAt(long second);

    /** Leaves in {@code set} those free in the seconds from {@code first} to {@code last}, as far as this node answers. */
    abstract void narrow(long first, long last, long end, long[] set);

    /**
     * Shows a search the point that holds at its ready time and those after it.
     *
     * @return false once the search is over
     */
    abstract boolean sweep(PeSearch search, long end);

    /**
     * Shows a search the points from the one that holds at {@code second} back to the first.
     *
     * @return false once it has gone back far enough
     */
    abstract boolean sweepBack(PeSearch search, long second, long end);

    /** The first time from {@code second} on at which not all of {@code set} are free; the largest if they always are. */
    abstract long firstWithout(long[] set, long second);

    /**
     * Since when all of {@code set} have been free that are free at {@code second}; the smallest if they always were.
     */
    abstract long freeSince(long[] set, long second, long end);

    /** Adds the points from the one that holds at {@code first} to the last one up to {@code last}. */
    abstract void collect(long first, long last, PeWindow window);

    /** What takes the place of this node after a change that holds at all of its points and goes on after it. */
    abstract PeNode covered(PeChange change);

    /** What takes the place of this node after a change that does not end before its first point. */
    abstract PeNode[] changed(PeChange change, long end);

    /** This node and its right neighbour, of the same depth, as one node or two of about equal size. */
    abstract PeNode[] join(PeNode right);

    /** Checks sizes, keys and summaries of the whole subtree and answers its number of levels. */
    abstract int check(boolean isRoot);

    static boolean contains(long[] rows, int row, long[] set) {
        for (int i = 0; i < set.length; i++) {
            if ((set[i] & ~rows[row + i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Leaves of one row what is in another as well. */
    static void and(long[] rows, int row, long[] others, int other, int words) {
        for (int i = 0; i < words; i++) {
            rows[row + i] &= others[other + i];
        }
    }

    static int count(long[] rows, int row, int words) {
        int count = 0;
        for (int i = 0; i < words; i++) {
            count += Long.bitCount(rows[row + i]);
        }
        return count;
    }

    void requireSummary(long[] always, int most) {
        Node.require(most == this.most, "most free PEs", this.most, most);
        Node.require(
                Arrays.equals(always, this.always),
                "PEs that are always free",
                PeSet.ofWords(this.always),
                PeSet.ofWords(always));
    }
}
