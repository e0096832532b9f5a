package berth.availability;

import java.util.Arrays;

/**
 * A node of the B+-tree of a {@link PeCalendar}. It holds points in ascending order, either its own ({@link PeLeaf}) or those of its
 * children ({@link PeInner}). Each point states which PEs are free until the next point. Like {@link Node}, it is immutable and covers the
 * seconds from its first point to an {@code end} that only its parent knows.
 *
 * <p>Sets of PEs are rows of words with 64 PEs each; all rows of a calendar have the same length.
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

    /** Whether the node has so few points or children that only a root may have them. */
    abstract boolean isSmall();

    /** Returns the leaf with the point in force in a second that this node covers. */
    abstract PeLeaf leafAt(long second);

    /** Removes from {@code set} the PEs that are busy in any of the seconds from {@code first} to {@code last} that this node covers. */
    abstract void narrow(long first, long last, long end, long[] set);

    /**
     * Shows a search the point in force at its ready time and the points after it.
     *
     * @return false once the search is over
     */
    abstract boolean sweep(PeSearch search, long end);

    /**
     * Shows a search the points from the one in force at {@code second} back to the first.
     *
     * @return false once the search has gone back far enough
     */
    abstract boolean sweepBack(PeSearch search, long second, long end);

    /** Returns the first time from {@code second} on at which a member of {@code set} is busy; {@link Long#MAX_VALUE} if there is none. */
    abstract long firstWithout(long[] set, long second);

    /**
     * Returns since when all members of {@code set}, which are free at {@code second}, have been free; {@link Long#MIN_VALUE} if they
     * always were.
     */
    abstract long freeSince(long[] set, long second, long end);

    /** Adds the points from the one in force at {@code first} to the last one up to {@code last} to {@code window}. */
    abstract void collect(long first, long last, PeWindow window);

    /** Returns the replacement of this node after a change that covers all of its points and goes on after it. */
    abstract PeNode covered(PeChange change);

    /** Returns the replacement of this node after a change that does not end before its first point. */
    abstract PeNode[] changed(PeChange change, long end);

    /** Returns this node and its right neighbour, which has the same depth, as one node or as two of about equal size. */
    abstract PeNode[] join(PeNode right);

    /** Checks sizes, keys and summaries of the whole subtree and returns its number of levels. */
    abstract int check(boolean isRoot);

    static boolean contains(long[] rows, int row, long[] set) {
        for (int i = 0; i < set.length; i++) {
            if ((set[i] & ~rows[row + i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Intersects one row with another. */
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
