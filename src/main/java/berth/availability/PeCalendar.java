package berth.availability;

import berth.time.Slot;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Which of a cluster's PEs are free in every second, from {@link Long#MIN_VALUE} to {@link Long#MAX_VALUE} seconds since the epoch: the
 * slot-based structure of paper 004, section 4.
 *
 * <p>A calendar is immutable. {@link #addAllocation} and {@link #deleteAllocation} return a new calendar that shares most of its structure
 * with the old one, so a snapshot is a reference and any number of threads can read.
 *
 * <p>The paper keeps a linked list of records (a time and the PEs busy from then on), {@code availRectList}, and the sorted set of their
 * times, {@code timeSet}. Here one B+-tree of points replaces both; a point is a time and the PEs free from then on. As in the paper, no
 * point repeats the one before it, so the points depend only on the present allocations. Searches find what the paper's searches find. In
 * two respects that the paper leaves open, a rectangle does not extend back beyond the present, and a run gets the lowest-numbered PEs.
 * Every subtree stores the PEs that are free at all of its points and the largest number of free PEs; every leaf also stores the PEs that
 * are free at none of its points. With {@code p} points and {@code w} words of 64 PEs:
 *
 * <ul>
 *   <li>{@link #addAllocation} and {@link #deleteAllocation} take O(w log p), plus O(w) for each leaf in the slot. They read and write the
 *       points inside the slot only in the leaves at its ends, whereas the paper changes all of them;
 *   <li>{@link #findAllocation} under {@link PlacementPolicy#FIRST_FIT} and {@link #fitStarts} make one sweep from the ready time. It skips
 *       subtrees whose common PEs suffice and subtrees that never have enough PEs. If too few PEs stay free, it walks back to the latest
 *       start that is still possible; it builds no rectangles. At worst it reads each point in the window once, and the points of a run
 *       again each time the run does not fit;
 *   <li>{@link #rectangles}, and {@link #findAllocation} under any other policy, make one sweep over the window that reads each point
 *       twice. For each different rectangle they descend the tree twice, skipping subtrees in which its PEs are free throughout;
 *   <li>a reservation adds at most two points, each with an eighth of a byte for each PE, plus a quarter more.
 * </ul>
 *
 * <p>Searches use only PEs with numbers below {@code among}, from 0 to {@link #pes}. A cluster that excludes a share of its PEs from
 * reservations excludes the highest-numbered ones. Other values cause an {@link IllegalArgumentException}.
 */
public final class PeCalendar {

    private final int pes;
    private final PeNode root;

    private PeCalendar(int pes, PeNode root) {
        this.pes = pes;
        this.root = root;
    }

    /**
     * Returns the calendar of {@code pes} PEs that are always free.
     *
     * @throws IllegalArgumentException if {@code pes} is below 1
     */
    public static PeCalendar of(int pes) {
        if (pes < 1) {
            throw new IllegalArgumentException("The number of PEs (%d) must be positive.".formatted(pes));
        }
        long[] all = PeSet.range(0, pes).words();
        return new PeCalendar(pes, PeLeaf.of(new long[] {Long.MIN_VALUE}, new int[] {pes}, all));
    }

    /** Returns the total number of PEs, busy or free; at least 1. */
    public int pes() {
        return pes;
    }

    /**
     * Returns this calendar with some PEs busy throughout a slot ({@code addAllocation} of paper 004, section 4.1).
     *
     * @throws IllegalStateException if one of the PEs does not exist or is busy in any second of the slot
     */
    public PeCalendar addAllocation(Allocation allocation) {
        return changed(allocation, false);
    }

    /**
     * Returns this calendar with some PEs free throughout a slot ({@code deleteAllocation} of paper 004, section 4.2).
     *
     * @throws IllegalStateException if one of the PEs does not exist or is free in any second of the slot
     */
    public PeCalendar deleteAllocation(Allocation allocation) {
        return changed(allocation, true);
    }

    private PeCalendar changed(Allocation allocation, boolean frees) {
        if (allocation.pes().length() > pes) {
            throw new IllegalStateException("The PEs %s are not all in the calendar, which has %d PEs, numbered from 0."
                    .formatted(allocation.pes(), pes));
        }
        if (allocation.pes().isEmpty()) {
            return this;
        }
        var top = new PeChildren(2);
        top.add(root.changed(PeChange.of(root, allocation, frees), Long.MAX_VALUE));
        var changed = top.inners()[0];
        while (changed instanceof PeInner inner && inner.children.length == 1) {
            changed = inner.children[0];
        }
        return new PeCalendar(pes, changed);
    }

    /** Returns the PEs that are free in every second of a slot. */
    public PeSet freeThroughout(Slot slot) {
        long[] free = new long[root.always.length];
        Arrays.fill(free, -1);
        root.narrow(slot.start(), slot.end() - 1, Long.MAX_VALUE, free);
        return PeSet.ofWords(free);
    }

    /**
     * Returns where a policy puts a run and the PEs it gets, which are the lowest-numbered PEs that are free throughout ({@code
     * findAllocation} of paper 004, section 4.3). Empty if the run fits nowhere.
     */
    public Optional<Allocation> findAllocation(Demand demand, int among, PlacementPolicy policy) {
        if (isHopeless(demand, among)) {
            return Optional.empty();
        }
        if (policy == PlacementPolicy.FIRST_FIT) {
            var search = PeSearch.over(root, demand, PeSet.range(0, among), 1);
            return Arrays.stream(search.starts())
                    .mapToObj(start -> allocation(start, search.free(), demand))
                    .findFirst();
        }
        return rectangles(demand, among).stream().min(policy.preference(demand)).map(chosen -> {
            var free = freeThroughout(Slot.of(chosen.start(), demand.duration()));
            return allocation(chosen.start(), free, demand);
        });
    }

    private static Allocation allocation(long start, PeSet free, Demand demand) {
        return new Allocation(Slot.of(start, demand.duration()), free.lowest(demand.pes()));
    }

    /**
     * Returns the feasible starts among the candidates of paper 004, section 4.3, ascending, each with its maximum availability rectangle.
     * The candidates are the ready time, the latest start, and between them the time of every record and every such time minus the
     * duration.
     */
    public List<Rectangle> rectangles(Demand demand, int among) {
        return isHopeless(demand, among) ? List.of() : new PeRectangles(root, demand, PeSet.range(0, among)).all();
    }

    /**
     * Returns the first start of each unbroken range of feasible starts, ascending, as {@link CapacityProfile#fitStarts} does.
     *
     * @param limit the most starts to return, 0 or more
     */
    public long[] fitStarts(Demand demand, int among, int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("The limit (%d) must not be negative.".formatted(limit));
        }
        return limit == 0 || isHopeless(demand, among)
                ? new long[0]
                : PeSearch.over(root, demand, PeSet.range(0, among), limit).starts();
    }

    private boolean isHopeless(Demand demand, int among) {
        if (among < 0 || among > pes) {
            throw new IllegalArgumentException(
                    "The PEs to search (%d) must lie between 0 and the %d PEs of the calendar.".formatted(among, pes));
        }
        return demand.pes() > among || !demand.window().isLongEnoughFor(demand.duration());
    }

    /** Returns the times in a slot at which other PEs become free or busy, ascending. O(log p + k) for k of p points. */
    public LongStream changes(Slot slot) {
        var points = PeWindow.of(root, slot.start(), slot.end() - 1);
        return IntStream.range(0, points.size()).mapToLong(points::time).filter(slot::contains);
    }

    private PeWindow points() {
        return PeWindow.of(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Returns the records that paper 004 would keep: the PEs busy from each time on. For tests; O(p). */
    Map<Long, PeSet> records() {
        var points = points();
        var all = PeSet.range(0, pes);
        var records = new TreeMap<Long, PeSet>();
        for (int i = 0; i < points.size(); i++) {
            if (i > 0 || !points.free(i).equals(all)) {
                records.put(points.time(i), all.minus(points.free(i)));
            }
        }
        return records;
    }

    /**
     * Checks the tree: equal depth, node sizes, keys and summaries, canonical points. Costs O(p), so only tests call it.
     *
     * @return the number of levels, 1 if the root is a leaf
     * @throws IllegalStateException at the first error
     */
    int checkInvariants() {
        var points = points();
        Node.require(points.time(0) == Long.MIN_VALUE, "first point", points.time(0));
        for (int i = 0; i < points.size(); i++) {
            Node.require(points.free(i).length() <= pes, "PEs at", points.time(i), points.free(i));
            if (i > 0) {
                Node.require(points.time(i - 1) < points.time(i), "times", points.time(i - 1), points.time(i));
                Node.require(!points.free(i).equals(points.free(i - 1)), "repeated point", points.time(i));
            }
        }
        return root.check(true);
    }

    /** Whether {@code other} is a calendar of equally many PEs with the same PEs free in every second. O(p). */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof PeCalendar that && pes == that.pes && points().equals(that.points()));
    }

    @Override
    public int hashCode() {
        return 31 * points().hashCode() + pes;
    }

    @Override
    public String toString() {
        return "PeCalendar[%d PEs, %d points]".formatted(pes, points().size());
    }
}
