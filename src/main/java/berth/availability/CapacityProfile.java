package berth.availability;

import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How many of a cluster's PEs are free in every second, from {@link Long#MIN_VALUE} to {@link Long#MAX_VALUE} seconds
 * since the epoch: a step function with values in {@code [0, capacity]}.
 *
 * <p>A profile never changes. {@link #take} and {@link #giveBack} answer a new one that shares all it can with the old,
 * so a snapshot is a reference, a what-if is a few updates on the side, and any number of threads may read.
 *
 * <p>The steps are kept as points (a second and the PEs free from then on) in a B+-tree, in canonical form: the first
 * point is at {@link Long#MIN_VALUE}, and no point repeats the value before it. The number of points thus depends on
 * what is taken now, not on how it came about. With {@code p} points, {@code k} of them in the slot of an operation:
 *
 * <ul>
 *   <li>{@link #free} and {@link #fewestFree}: O(log p);
 *   <li>{@link #take} and {@link #giveBack}: O(log p + k);
 *   <li>{@link #earliestFit}: O(log p) and a sweep onwards from the ready time, which passes over every part of the tree
 *       that is free enough or too full as a whole. Where it goes far, it passes over all parts without a free run that
 *       is long enough, too, and descends to the first one straight away: that takes O(log p) if the runs in the tree are
 *       known. They are found out when first asked for, for each {@link SizeClass} by itself, at the expense of reading
 *       what has changed since. If {@code pes} is not the least number of its class, the run may be of too few, and the
 *       sweep goes on; at worst it reads each point in the window;
 *   <li>{@link #fitStarts}: that for each start, and O(log p);
 *   <li>{@link #rectangles}: O(log p + k) for {@code k} points in the window, and O(log p) for each rectangle that reaches
 *       beyond it; so does {@link #place}, unless the policy is to take the earliest fit;
 *   <li>{@link #steps}: O(log p + k).
 * </ul>
 *
 * <p>Arguments named {@code pes} and {@code duration} (in seconds) must be at least 1, or {@link
 * IllegalArgumentException} is thrown.
 */
public final class CapacityProfile {

    private final int capacity;
    private final Node root;

    private CapacityProfile(int capacity, Node root) {
        this.capacity = capacity;
        this.root = root;
    }

    /**
     * The profile of {@code capacity} PEs, all of them free for ever.
     *
     * @throws IllegalArgumentException if {@code capacity} is below 1
     */
    public static CapacityProfile of(int capacity) {
        requirePositive("capacity", capacity);
        return new CapacityProfile(capacity, new Leaf(new long[] {Long.MIN_VALUE}, new int[] {capacity}));
    }

    /** The PEs there are, taken or free; at least 1. */
    public int capacity() {
        return capacity;
    }

    /**
     * This profile with {@code pes} PEs fewer free throughout {@code slot}.
     *
     * @throws IllegalStateException if fewer are free anywhere in the slot
     */
    public CapacityProfile take(Slot slot, int pes) {
        requirePositive("number of PEs", pes);
        CapacityProfile taken = changed(new Change(slot.start(), slot.end(), -pes));
        if (taken.isImpossible()) {
            throw new IllegalStateException("Cannot take %d PEs over %s: at the fewest, %d are free."
                    .formatted(pes, slot, range(slot).fewest()));
        }
        return taken;
    }

    /**
     * This profile with {@code pes} PEs more free throughout {@code slot}. They need not have been taken as one.
     *
     * @throws IllegalStateException if fewer are taken anywhere in the slot
     */
    public CapacityProfile giveBack(Slot slot, int pes) {
        requirePositive("number of PEs", pes);
        CapacityProfile given = changed(new Change(slot.start(), slot.end(), pes));
        if (given.isImpossible()) {
            throw new IllegalStateException("Cannot give back %d PEs over %s: at the most, %d of %d are free already."
                    .formatted(pes, slot, range(slot).most(), capacity));
        }
        return given;
    }

    /** The PEs free in one second. */
    public int free(long second) {
        return root.free(second);
    }

    /** The PEs that are free throughout {@code slot}: the fewest free in any second of it. */
    public int fewestFree(Slot slot) {
        return range(slot).fewest();
    }

    /**
     * The earliest start of a run of {@code duration} seconds on {@code pes} PEs that lies within {@code window}; empty
     * if it fits nowhere in it.
     */
    public OptionalLong earliestFit(Window window, long duration, int pes) {
        if (isTooShort(window, duration, pes)) {
            return OptionalLong.empty();
        }
        long start = new Search(root, window.latestStart(duration), duration, pes).from(window.readyTime());
        return start == Search.NONE ? OptionalLong.empty() : OptionalLong.of(start);
    }

    /**
     * The first start of each unbroken row of feasible starts, ascending: every stretch of the window in which {@code
     * pes} PEs stay free for {@code duration} seconds or more gives its earliest start.
     *
     * @param limit the most starts to answer, 0 or more
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
     * Where a run goes under a policy; empty if it fits nowhere.
     *
     * @param among so many PEs may be taken at one time, the others stay free; 0 to {@link #capacity}
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
     * The feasible starts among the candidates of paper 004, section 4.3, ascending, each with its maximum availability
     * rectangle: the ready time, the latest start, and in between every point, and every point less the duration. PEs
     * are counted here and not told apart, so that a rectangle reaches as far as as many of them stay free.
     *
     * @param among as in {@link #place}; the others are not among the PEs of a rectangle
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
            throw new IllegalArgumentException("The PEs that may be taken (%d) must be between 0 and the %d there are."
                    .formatted(among, capacity));
        }
        return capacity - among;
    }

    /**
     * The steps within {@code slot}, ascending: the first starts where the slot does, each ends where the next starts
     * and has another value, and the last goes on at least to the slot's end.
     */
    public List<Step> steps(Slot slot) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(slot.start(), free(slot.start())));
        root.collect(slot.start() + 1, slot.end() - 1, steps);
        return steps;
    }

    /** All points, the first at {@link Long#MIN_VALUE}. */
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

    /** Whether a change has gone too far. */
    private boolean isImpossible() {
        return root.fewest < 0 || root.most > capacity;
    }

    /**
     * Checks that the tree is in order: even depth, node sizes, keys and summaries, canonical points within {@code [0,
     * capacity]}. Costs O(p), so only tests call it.
     *
     * @return the number of levels, 1 if the root is a leaf
     * @throws IllegalStateException at the first thing found wrong
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
