package berth.availability;

import berth.time.Slot;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Moves a run from candidate to candidate through its window, and finds the maximum availability rectangle of each that
 * is feasible (see {@link CapacityProfile#rectangles}).
 *
 * <p>A rectangle is as high as the lowest step during the run and reaches to the nearest lower steps on both sides; where
 * the window has none, the profile is asked. Since all that the run is compared with only moves on, it takes O(k) for
 * {@code k} points in the window, and O(log p) whenever a rectangle reaches beyond and is another than before.
 */
final class Rectangles extends Spliterators.AbstractSpliterator<Rectangle> {

    private final Node root;
    private final Demand demand;
    private final Skyline steps;

    private long start;
    private boolean over;

    /** The last step that begins at the run's start or before it. */
    private int first;
    /** The first step that begins at the run's end or after it. */
    private int end;
    /** The lowest step during the run. */
    private int lowest;

    /** The rectangle found last, and a step it lies on. */
    private Rectangle found = new Rectangle(0, 0, 0, 0);

    private int foundOn;

    private Rectangles(Node root, Demand demand, Skyline steps) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL);
        this.root = root;
        this.demand = demand;
        this.steps = steps;
        this.start = demand.window().readyTime();
    }

    /** The rectangles of a demand whose window is long enough for the run, ascending by their starts. */
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

    /** The latest start, unless a step begins before, or a run that ends where one begins. */
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
