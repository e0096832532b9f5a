package berth.availability;

import berth.time.Slot;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Moves a run from candidate to candidate through its window and finds the maximum availability rectangle of each feasible one (see {@link
 * CapacityProfile#rectangles}).
 *
 * <p>A rectangle is as high as the lowest step during the run and extends to the nearest lower step on both sides. If the window has no
 * lower step on a side, the class asks the profile. All positions only move forward, so the pass takes O(k) for {@code k} points in the
 * window, plus O(log p) for each new rectangle that extends beyond it.
 */
final class Rectangles extends Spliterators.AbstractSpliterator<Rectangle> {

    private final Node root;
    private final Demand demand;
    private final Skyline steps;

    private long start;
    private boolean over;

    /** The last step that begins at or before the run's start. */
    private int first;
    /** The first step that begins at or after the run's end. */
    private int end;
    /** The lowest step during the run. */
    private int lowest;

    /** The last rectangle that was found, and a step on which it lies. */
    private Rectangle found = new Rectangle(0, 0, 0, 0);

    private int foundOn;

    private Rectangles(Node root, Demand demand, Skyline steps) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL);
        this.root = root;
        this.demand = demand;
        this.steps = steps;
        this.start = demand.window().readyTime();
    }

    /** Returns the rectangles of a demand whose window is long enough for the run, ascending by start. */
    static Stream<Rectangle> of(CapacityProfile profile, Node root, Demand demand) {
        var window = new Slot(demand.window().readyTime(), demand.window().deadline());
        return StreamSupport.stream(new Rectangles(root, demand, Skyline.of(profile.steps(window))), false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super Rectangle> action) {
        boolean feasible = false;
        while (!feasible && !over) {
            first = steps.next(first, start + 1) - 1;
            end = steps.next(end, start + demand.duration());
            lowest = steps.lowest(Math.max(lowest, first), end);
            feasible = steps.free()[lowest] >= demand.pes();
            if (feasible) {
                action.accept(rectangle());
            }
            over = start == demand.latestStart();
            start = nextCandidate();
        }
        return feasible;
    }

    /** Returns the latest start, or an earlier time at which a step begins or a run would end where a step begins. */
    private long nextCandidate() {
        long next = demand.latestStart();
        if (first + 1 < steps.size()) {
            next = Math.min(next, steps.times()[first + 1]);
        }
        int after = steps.next(end, start + demand.duration() + 1);
        if (after < steps.size()) {
            next = Math.min(next, steps.times()[after] - demand.duration());
        }
        return next;
    }

    private Rectangle rectangle() {
        int pes = steps.free()[lowest];
        boolean same = pes == found.pes() && lowest < steps.lowerAfter()[foundOn];
        found = same
                ? new Rectangle(start, pes, found.from(), found.to())
                : new Rectangle(start, pes, from(pes), to(pes));
        foundOn = lowest;
        return found;
    }

    private long from(int pes) {
        int lower = steps.lowerBefore()[lowest];
        long from = lower < 0
                ? root.firstWith(pes, root.lastBelow(pes, demand.window().readyTime()))
                : steps.times()[lower + 1];
        return Math.max(demand.present(), from);
    }

    private long to(int pes) {
        int lower = steps.lowerAfter()[lowest];
        return lower < steps.size()
                ? steps.times()[lower]
                : root.firstBelow(pes, demand.window().deadline());
    }
}
