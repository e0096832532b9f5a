package berth.availability;

import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How many of a cluster's PEs are free in every second, from {@link Long#MIN_VALUE} to {@link Long#MAX_VALUE} seconds since the epoch: a
 * step function with values in {@code [0, capacity]}.
 *
 * <p>A profile is immutable. {@link #take} and {@link #giveBack} return a new profile that shares most of its structure with the old one. A
 * snapshot is therefore a reference, a what-if costs a few updates, and any number of threads can read.
 *
 * <p>The steps are points (a second and the number of PEs free from then on) in a B+-tree. The points are canonical: the first is at {@link
 * Long#MIN_VALUE}, and no point repeats the value before it. Their number thus depends only on what is taken now, not on earlier changes.
 * With {@code p} points, {@code k} of them in the slot of an operation:
 *
 * <ul>
 *   <li>{@link #free} and {@link #fewestFree} take O(log p);
 *   <li>{@link #take} and {@link #giveBack} take O(log p + k);
 *   <li>{@link #earliestFit} takes O(log p) plus a sweep from the ready time, which skips every subtree that is free enough, or too full,
 *       as a whole. A long sweep also skips every subtree without a long enough free run and goes straight to the first such run, in O(log
 *       p) if the runs are known. The runs are computed on first use for each {@link SizeClass}, by reading what has changed since the last
 *       use. If {@code pes} is not the least number of its class, a run may have too few PEs, and the sweep goes on; at worst it reads each
 *       point in the window;
 *   <li>{@link #fitStarts} takes the same for each start, plus O(log p);
 *   <li>{@link #rectangles} takes O(log p + k) for {@code k} points in the window, plus O(log p) for each rectangle that extends beyond it;
 *       so does {@link #place}, unless the policy takes the earliest fit;
 *   <li>{@link #steps} takes O(log p + k).
 * </ul>
 *
 * <p>Arguments named {@code pes} and {@code duration} (in seconds) must be at least 1; otherwise the methods throw {@link
 * IllegalArgumentException}.
 */
public final class CapacityProfile {

    private final int capacity;
    private final Node root;

    private CapacityProfile(int capacity, Node root) {
        this.capacity = capacity;
        this.root = root;
    }

    /**
     * Returns the profile of {@code capacity} PEs that are always free.
     *
     * @throws IllegalArgumentException if {@code capacity} is below 1
     */
    public static CapacityProfile of(int capacity) {
        requirePositive("capacity", capacity);
        return new CapacityProfile(capacity, new Leaf(new long[] {Long.MIN_VALUE}, new int[] {capacity}));
    }

    /** Returns the total number of PEs, taken or free; at least 1. */
    public int capacity() {
        return capacity;
    }

    /**
     * Returns this profile with {@code pes} fewer PEs free throughout {@code slot}.
     *
     * @throws IllegalStateException if fewer than {@code pes} are free anywhere in the slot
     */
    public CapacityProfile take(Slot slot, int pes) {
        requirePositive("number of PEs", pes);
        CapacityProfile taken = changed(new Change(slot.start(), slot.end(), -pes));
        if (taken.isImpossible()) {
            throw new IllegalStateException("Cannot take %d PEs over %s: only %d are free all that time."
                    .formatted(pes, slot, range(slot).fewest()));
        }
        return taken;
    }

    /**
     * Returns this profile with {@code pes} more PEs free throughout {@code slot}. They may have been taken in several calls.
     *
     * @throws IllegalStateException if fewer than {@code pes} are taken anywhere in the slot
     */
    public CapacityProfile giveBack(Slot slot, int pes) {
        requirePositive("number of PEs", pes);
        CapacityProfile given = changed(new Change(slot.start(), slot.end(), pes));
        if (given.isImpossible()) {
            throw new IllegalStateException(
                    "Cannot give back %d PEs over %s: up to %d of %d are already free in that time."
                            .formatted(pes, slot, range(slot).most(), capacity));
        }
        return given;
    }

    /** Returns how many PEs are free in one second. */
    public int free(long second) {
        return root.free(second);
    }

    /** Returns how many PEs are free throughout {@code slot}: the minimum over its seconds. */
    public int fewestFree(Slot slot) {
        return range(slot).fewest();
    }

    /**
     * Returns the earliest start of a run of {@code duration} seconds on {@code pes} PEs inside {@code window}; empty if it fits nowhere.
     */
    public OptionalLong earliestFit(Window window, long duration, int pes) {
        if (isTooShort(window, duration, pes)) {
            return OptionalLong.empty();
        }
        long start = new Search(root, window.latestStart(duration), duration, pes).from(window.readyTime());
        return start == Search.NONE ? OptionalLong.empty() : OptionalLong.of(start);
    }

    /**
     * Returns the first start of each unbroken range of feasible starts, ascending. Every stretch of the window in which {@code pes} PEs
     * stay free for {@code duration} seconds or more contributes its earliest start.
     *
     * @param limit the most starts to return, 0 or more
     */
    public long[] fitStarts(Window window, long duration, int pes, int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("The limit (%d) must not be negative.".formatted(limit));
        }
        if (isTooShort(window, duration, pes)) {
            return new long[0];
        }
        Search search = new Search(root, window.latestStart(duration), duration, pes);
        return LongStream.iterate(
                        search.from(window.readyTime()),
                        start -> start != Search.NONE,
                        start -> search.from(root.firstBelow(pes, start + duration)))
                .limit(limit)
                .toArray();
    }

    private static boolean isTooShort(Window window, long duration, int pes) {
        requirePositive("duration", duration);
        requirePositive("number of PEs", pes);
        return !window.isLongEnoughFor(duration);
    }

    /**
     * Returns where a policy puts a run; empty if it fits nowhere.
     *
     * @param among how many PEs may be taken at one time, 0 to {@link #capacity}; the others stay free
     */
    public OptionalLong place(Demand demand, int among, PlacementPolicy policy) {
        if (policy == PlacementPolicy.FIRST_FIT) {
            return earliestFit(demand.window(), demand.duration(), demand.pes() + sparedBeside(among));
        }
        return rectanglesOf(demand, among).min(policy.preference(demand)).stream()
                .mapToLong(Rectangle::start)
                .findFirst();
    }

    /**
     * Returns the feasible starts among the candidates of paper 004, section 4.3, ascending, each with its maximum availability rectangle.
     * The candidates are the ready time, the latest start, and between them every point and every point minus the duration. PEs are only
     * counted here, so a rectangle extends as far as the same number of PEs stays free.
     *
     * @param among as in {@link #place}; the rectangles do not include the other PEs
     */
    public List<Rectangle> rectangles(Demand demand, int among) {
        return rectanglesOf(demand, among).toList();
    }

    private Stream<Rectangle> rectanglesOf(Demand demand, int among) {
        int spared = sparedBeside(among);
        int wanted = demand.pes() + spared;
        return isTooShort(demand.window(), demand.duration(), wanted)
                ? Stream.empty()
                : Rectangles.of(this, root, new Demand(demand.window(), demand.duration(), wanted, demand.present()))
                        .map(rectangle -> rectangle.without(spared));
    }

    private int sparedBeside(int among) {
        if (among < 0 || among > capacity) {
            throw new IllegalArgumentException(
                    "The PEs that may be taken (%d) must lie between 0 and the %d PEs of the profile."
                            .formatted(among, capacity));
        }
        return capacity - among;
    }

    /**
     * Returns the steps within {@code slot}, ascending. The first begins where the slot does, each ends where the next begins with another
     * value, and the last lasts at least to the slot's end.
     */
    public List<Step> steps(Slot slot) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(slot.start(), free(slot.start())));
        root.collect(slot.start() + 1, slot.end() - 1, steps);
        return steps;
    }

    /** Returns all points, the first at {@link Long#MIN_VALUE}. */
    private List<Step> points() {
        List<Step> points = new ArrayList<>();
        root.collect(Long.MIN_VALUE, Long.MAX_VALUE, points);
        return points;
    }

    private Range range(Slot slot) {
        Range range = new Range();
        root.measure(slot.start(), slot.end() - 1, Long.MAX_VALUE, range);
        return range;
    }

    private CapacityProfile changed(Change change) {
        Row top = new Row(2);
        root.change(change, Points.NOTHING_BEFORE, Long.MAX_VALUE, top);
        Node changed = top.size() == 1 ? top.get(0) : parentOf(top);
        while (changed instanceof Inner inner && inner.children.length == 1) {
            changed = inner.children[0];
        }
        return new CapacityProfile(capacity, changed);
    }

    private static Node parentOf(Row nodes) {
        Children children = new Children(nodes.size());
        children.add(nodes);
        Row parent = new Row(1);
        children.addTo(parent);
        return parent.get(0);
    }

    /** Whether a change has left the range of possible values. */
    private boolean isImpossible() {
        return root.fewest < 0 || root.most > capacity;
    }

    /**
     * Checks the tree: equal depth, node sizes, keys and summaries, canonical points within {@code [0, capacity]}. Costs O(p), so only
     * tests call it.
     *
     * @return the number of levels, 1 if the root is a leaf
     * @throws IllegalStateException at the first error
     */
    int checkInvariants() {
        List<Step> points = points();
        Node.require(points.getFirst().start() == Long.MIN_VALUE, "first point", points.getFirst());
        for (int i = 0; i < points.size(); i++) {
            Step point = points.get(i);
            Node.require(0 <= point.free() && point.free() <= capacity, "value of point", point, capacity);
            if (i > 0) {
                Step before = points.get(i - 1);
                boolean follows = before.start() < point.start() && before.free() != point.free();
                Node.require(follows, "points", before, point);
            }
        }
        return root.check(true);
    }

    private static void requirePositive(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("The %s (%d) must be positive.".formatted(what, value));
        }
    }

    /** Whether {@code other} is a profile of the same capacity with the same PEs free in every second. O(p). */
    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof CapacityProfile that
                        && capacity == that.capacity
                        && points().equals(that.points()));
    }

    @Override
    public int hashCode() {
        return 31 * points().hashCode() + capacity;
    }

    @Override
    public String toString() {
        return "CapacityProfile[%d..%d of %d PEs free, %d points]"
                .formatted(root.fewest, root.most, capacity, points().size());
    }
}
