package berth.availability;

import java.util.Arrays;

/**
 * One pass over a {@link PeCalendar} that searches for starts. The tree shows it points from the ready time on, or lets it skip whole
 * subtrees. The search keeps a current start and the PEs that have been free since then. If too few of them stay free, it walks back from
 * that point as far as enough PEs were free throughout. No earlier start is possible any more, and the search continues with the PEs it
 * found on the way.
 */
final class PeSearch {

    private final PeNode root;
    private final Demand demand;
    private final long latestStart;
    private final long[] among;
    private final int limit;

    private long[] starts;
    private int found;

    /** The current start, or the start of the present range of feasible starts. */
    private long start;
    /** Whether {@link #start} is still a candidate that has not been accepted. */
    private boolean pending = true;
    /** If {@link #start} is pending, the PEs free since then; otherwise the PEs free throughout all runs of the present range. */
    private long[] free;

    private long[] narrower;
    /** The time to which a walk back must go at least. */
    private long backTo;

    private PeSearch(PeNode root, Demand demand, PeSet among, int limit) {
        this.root = root;
        this.demand = demand;
        this.latestStart = demand.latestStart();
        this.among = among.words();
        this.limit = limit;
        this.starts = new long[Math.min(limit, 16)];
        this.start = demand.window().readyTime();
        this.free = this.among.clone();
        this.narrower = new long[free.length];
    }

    /**
     * Searches for starts and returns the finished search.
     *
     * @param demand a demand whose window is long enough
     * @param among the PEs that may be used
     * @param limit the most starts to find, at least 1
     */
    static PeSearch over(PeNode root, Demand demand, PeSet among, int limit) {
        var search = new PeSearch(root, demand, among, limit);
        root.sweep(search, Long.MAX_VALUE);
        if (search.pending) {
            search.keep();
        }
        return search;
    }

    long readyTime() {
        return demand.window().readyTime();
    }

    int pes() {
        return demand.pes();
    }

    /** Returns the starts that were found, ascending. */
    long[] starts() {
        return Arrays.copyOf(starts, found);
    }

    /** Returns the PEs free throughout the run from the last start, if the search found {@code limit} starts. */
    PeSet free() {
        return PeSet.ofWords(free);
    }

    /** Notes that the points up to {@code time} have been passed; returns false once the search is over. */
    boolean reaches(long time) {
        if (pending && time >= start + demand.duration()) {
            keep();
            if (found == limit) {
                return false;
            }
        }
        return time < demand.window().deadline();
    }

    private void keep() {
        if (found == starts.length) {
            starts = Arrays.copyOf(starts, (int) Math.min(limit, 2L * found));
        }
        starts[found++] = start;
        pending = false;
    }

    /** Passes a point of a leaf, in force until {@code last}; returns false once the search is over. */
    boolean next(PeLeaf leaf, int index, long last) {
        if (!reaches(leaf.times[index])) {
            return false;
        }
        if (leaf.count(index) < demand.pes()) {
            startAfter(last);
        } else if (!narrow(leaf, index)) {
            walkBack(leaf, index, last);
        }
        return goesOn();
    }

    /** Whether a later start is possible or the current one is undecided. */
    boolean goesOn() {
        return start <= latestStart;
    }

    /** Passes all points of a subtree that begins after the ready time, if the subtree's summary allows that. */
    boolean passesOver(PeNode node, long last) {
        if (node.most < demand.pes()) {
            startAfter(last);
            return true;
        }
        boolean within = node.firstTime >= readyTime() && (!pending || last < start + demand.duration());
        return within && narrow(node);
    }

    /** Whether a run from the current start lasts beyond {@code time}; then so does a run from any later start. */
    boolean needs(long time) {
        return pending && time < start + demand.duration();
    }

    /** Notes that no start up to {@code last} is possible any more. */
    void startAfter(long last) {
        pending = last < latestStart;
        start = pending ? last + 1 : Long.MAX_VALUE;
        System.arraycopy(among, 0, free, 0, free.length);
    }

    /** Removes the PEs that are busy at a point from the free ones, if enough remain. */
    private boolean narrow(PeLeaf leaf, int index) {
        leaf.common(index, free, narrower);
        return narrowed();
    }

    private boolean narrow(PeNode node) {
        for (int i = 0; i < free.length; i++) {
            narrower[i] = free[i] & node.always[i];
        }
        return narrowed();
    }

    private boolean narrowed() {
        if (PeNode.count(narrower, 0, narrower.length) < demand.pes()) {
            return false;
        }
        long[] before = free;
        free = narrower;
        narrower = before;
        return true;
    }

    private void walkBack(PeLeaf leaf, int index, long last) {
        backTo = pending ? start : Math.max(start, leaf.times[index] - demand.duration() + 1);
        System.arraycopy(among, 0, free, 0, free.length);
        if (!narrow(leaf, index)) {
            startAfter(last);
        } else if (leaf.sweepBackFrom(this, index - 1, leaf.times[index] - 1) && leaf.firstTime > Long.MIN_VALUE) {
            root.sweepBack(this, leaf.firstTime - 1, Long.MAX_VALUE);
        }
    }

    /** Passes a point on the way back; returns false once that is far enough. */
    boolean back(PeLeaf leaf, int index, long last) {
        if (last < backTo) {
            return false;
        }
        boolean enough = narrow(leaf, index);
        if (!enough) {
            start = last + 1;
            pending = start <= latestStart;
        }
        return enough;
    }

    /** Passes all points of a subtree on the way back, if the subtree's summary allows that. */
    boolean passesBackOver(PeNode node) {
        return node.firstTime >= backTo && narrow(node);
    }
}
