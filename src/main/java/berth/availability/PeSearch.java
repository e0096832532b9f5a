package berth.availability;

import java.util.Arrays;

/**
 * One pass over a {@link PeCalendar} in search of starts. It is shown points, or passes over whole subtrees, from the
 * point that holds at the ready time onwards, and carries the PEs that have been free ever since the start it has in
 * mind. Where too few of them go on, it walks back from there as far as enough were free throughout: no start before
 * that is possible any more, and with what it found on the way it goes on.
 */
final class PeSearch {

    private final PeNode root;
    private final Demand demand;
    private final long latestStart;
    private final long[] among;
    private final int limit;

    private long[] starts;
    private int found;

    /** The start in mind, or that of the row of starts that goes on here. */
    private long start;
    /** Whether {@link #start} may still turn out to be one, and is not kept yet. */
    private boolean pending = true;
    /** Free since {@link #start} if that is pending; else PEs that are free throughout the runs of the row so far. */
    private long[] free;

    private long[] narrower;
    /** How far a walk back must go, at least. */
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
     * The search for starts when it is over.
     *
     * @param demand whose window is long enough
     * @param among the PEs to look at
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

    /** What was found, ascending. */
    long[] starts() {
        return Arrays.copyOf(starts, found);
    }

    /** The PEs free throughout the run from the last start found, if that is as many as were to be found. */
    PeSet free() {
        return PeSet.ofWords(free);
    }

    /** The points up to {@code time} have been passed; false once the search is over. */
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

    /** Goes past a point of a leaf, in force until {@code last}; false once the search is over. */
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

    /** Whether a later start is still possible, or the present one not settled. */
    boolean goesOn() {
        return start <= latestStart;
    }

    /** Goes past all points of a subtree that begins after the ready time, if what is known of it as a whole allows it. */
    boolean passesOver(PeNode node, long last) {
        if (node.most < demand.pes()) {
            startAfter(last);
            return true;
        }
        boolean within = node.firstTime >= readyTime() && (!pending || last < start + demand.duration());
        return within && narrow(node);
    }

    /** Whether a run from the start in mind goes on at {@code time}; one from any later start that far does then, too. */
    boolean needs(long time) {
        return pending && time < start + demand.duration();
    }

    /** No start up to {@code last} is possible any more. */
    void startAfter(long last) {
        pending = last < latestStart;
        start = pending ? last + 1 : Long.MAX_VALUE;
        System.arraycopy(among, 0, free, 0, free.length);
    }

    /** Keeps of the free PEs those that are free at a point, too, if that leaves enough. */
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

    /** Goes back past a point; false once that is far enough. */
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

    /** Goes back past all points of a subtree, if what is known of it as a whole allows it. */
    boolean passesBackOver(PeNode node) {
        return node.firstTime >= backTo && narrow(node);
    }
}
