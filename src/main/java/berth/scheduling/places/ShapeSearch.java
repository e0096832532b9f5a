package berth.scheduling.places;

import berth.availability.Demand;
import berth.availability.PlacementPolicy;
import berth.cluster.Reshaping;
import berth.reservation.Reservation;
import berth.scheduling.FreePes;
import berth.scheduling.Place;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds room for a run in one of its shapes, in one part or several: paper 003, Algorithm 1, read as follows.
 *
 * <ul>
 *   <li>For each shape the cluster's policy chooses a place for a run in one part. The place that ends first wins, then the one that starts
 *       first, then the largest shape. With first fit this equals the paper's loop over event times and shapes, because places begin at the
 *       ready time or where something ends.
 *   <li>A run that can be split is laid out step by step, each step at its earliest fit after the previous one: in the shape that ends
 *       first if parts have their own shapes, otherwise in one shape for all. Adjacent steps with the same number of PEs form one part;
 *       with early binding they must have the same PEs. Nothing ends sooner than this layout, but it may have too many parts. For every
 *       allowed number of parts, the search therefore takes the first parts of the layout and places the rest in one part. The result that
 *       ends first wins, with the fewest parts among equals. A run that fits in one part thus always fits. The policy chooses only for runs
 *       in one part. The paper treats subrequests independently and does not say how their number is limited.
 * </ul>
 *
 * <p>A search makes at most three searches for each step and part of each shape. The result depends only on the arguments.
 *
 * @param free the free PEs
 * @param policy the policy that chooses among the places of a shape
 * @param among how many of the PEs may be taken at one time
 * @param present seconds since the epoch
 */
public record ShapeSearch(FreePes free, PlacementPolicy policy, int among, long present) {

    static final Comparator<Place> EARLIEST_COMPLETION = Comparator.<Place>comparingLong(
                    place -> place.slot().end())
            .thenComparingInt(place -> place.parts().size())
            .thenComparingLong(Place::start);

    private static final Comparator<Part> ENDS_FIRST = Comparator.<Part>comparingLong(
                    part -> part.slot().end())
            .thenComparingLong(part -> part.slot().start());

    /** Returns the place of a new run in {@code window}, which must lie inside the window of the terms. */
    Optional<Place> anew(Terms terms, Window window) {
        return place(Rest.of(terms), window, this::chosen, this::earliest);
    }

    /** Returns such a place in one shape only. */
    Optional<Place> in(Terms terms, Shape shape, Window window) {
        return place(Rest.of(terms).in(shape), window, this::chosen, this::earliest);
    }

    /**
     * Returns another place for the parts of a reservation that have not begun, inside {@code window} and after the parts that have begun.
     * There must be such parts, and they must not be taken in {@code free}. If all parts must have one shape, the reservation keeps the
     * shape of the parts that have begun.
     *
     * @param reshaping whether it may get another shape although its present one has room
     */
    public Optional<Place> again(Reservation reservation, Window window, Reshaping reshaping) {
        var placement = reservation.placement();
        var begun = placement.parts().subList(0, placement.begun());
        long from = begun.isEmpty()
                ? window.readyTime()
                : Math.max(window.readyTime(), begun.getLast().slot().end());
        if (from >= window.deadline()) {
            return Optional.empty();
        }
        var rest = Rest.of(reservation.terms()).after(begun);
        var later = new Window(from, window.deadline());
        var toCome =
                placement.parts().subList(placement.begun(), placement.parts().size());
        return switch (reshaping) {
            case ALWAYS -> place(rest, later, this::chosen, this::earliest);
            case WHERE_NEEDED ->
                rest.shapeOf(toCome)
                        .flatMap(kept -> place(rest.in(kept), later, this::chosen, this::earliest))
                        .or(() -> place(rest, later, this::chosen, this::earliest));
        };
    }

    /** Returns the place of a new run at exactly {@code start}, before its deadline. */
    Optional<Place> at(Terms terms, long start) {
        var window = new Window(start, terms.window().deadline());
        return place(Rest.of(terms), window, this::atReadyTime, this::atReadyTime);
    }

    /**
     * The part of a run that needs a place.
     *
     * @param shapes the possible shapes, largest first
     * @param done how many steps already have a place
     * @param steps the number of steps of the whole run
     * @param parts the most parts
     * @param moldableParts whether each part can have its own shape
     */
    private record Rest(List<Shape> shapes, int done, int steps, int parts, boolean moldableParts) {

        static Rest of(Terms terms) {
            boolean moldableParts =
                    terms.preemption().filter(Preemption::moldableParts).isPresent();
            return new Rest(terms.shapes(), 0, terms.steps(), terms.mostParts(), moldableParts);
        }

        /** Returns the rest after the parts that have begun. */
        Rest after(List<Part> begun) {
            var left = after(begun.stream().mapToInt(Part::steps).sum(), parts - begun.size());
            return begun.isEmpty() || moldableParts
                    ? left
                    : left.shapeOf(begun).map(left::in).orElseThrow();
        }

        /** Returns the rest after some more steps, in at most {@code partsLeft} parts. */
        Rest after(int more, int partsLeft) {
            return new Rest(shapes, done + more, steps, partsLeft, moldableParts);
        }

        Rest in(Shape shape) {
            return new Rest(List.of(shape), done, steps, parts, moldableParts);
        }

        /** Returns the shape of all these parts. */
        Optional<Shape> shapeOf(List<Part> all) {
            int pes = all.getFirst().pes();
            return shapes.stream()
                    .filter(shape -> shape.pes() == pes && all.stream().allMatch(part -> part.pes() == pes))
                    .findFirst();
        }

        boolean isOneStep() {
            return steps - done == 1;
        }

        long runTime(Shape shape) {
            return runTime(shape, steps);
        }

        /** Returns the run time of the steps up to {@code to}. */
        long runTime(Shape shape, int to) {
            return shape.cut(to, steps) - shape.cut(done, steps);
        }
    }

    /** A way to find room for one part. */
    private interface Fit {
        Optional<Part> find(Window window, long runTime, int pes);
    }

    private Optional<Part> chosen(Window window, long runTime, int pes) {
        return free.find(new Demand(window, runTime, pes, present), among, policy);
    }

    private Optional<Part> earliest(Window window, long runTime, int pes) {
        return free.find(new Demand(window, runTime, pes, present), among, PlacementPolicy.FIRST_FIT);
    }

    private Optional<Part> atReadyTime(Window window, long runTime, int pes) {
        return free.at(Slot.of(window.readyTime(), runTime), pes, among);
    }

    /**
     * Returns the place of the rest.
     *
     * @param whole finds the place if the rest is not split
     * @param first finds the first step if it is split
     */
    private Optional<Place> place(Rest rest, Window window, Fit whole, Fit first) {
        if (rest.parts() == 1 || rest.isOneStep()) {
            return piece(rest, rest.steps(), window, whole).map(Place::of);
        }
        return rest.moldableParts()
                ? split(rest, window, whole, first)
                : rest.shapes().stream()
                        .flatMap(shape -> split(rest.in(shape), window, whole, first).stream())
                        .min(EARLIEST_COMPLETION);
    }

    /** Returns the steps up to {@code to} in one part, in the shape that ends first. */
    private Optional<Part> piece(Rest rest, int to, Window window, Fit fit) {
        var best = Optional.<Part>empty();
        for (var shape : rest.shapes()) {
            long runTime = rest.runTime(shape, to);
            long latest = best.map(part -> part.slot().end()).orElse(window.deadline());
            if (new Window(window.readyTime(), latest).isLongEnoughFor(runTime)) {
                var found = fit.find(window, runTime, shape.pes()).map(part -> part.of(to - rest.done()));
                best = sooner(best, found);
            }
        }
        return best;
    }

    private static Optional<Part> sooner(Optional<Part> best, Optional<Part> other) {
        boolean isBetter = other.isPresent() && (best.isEmpty() || ENDS_FIRST.compare(other.get(), best.get()) < 0);
        return isBetter ? other : best;
    }

    /** Returns the place that ends first, in up to the allowed number of parts. */
    private Optional<Place> split(Rest rest, Window window, Fit whole, Fit first) {
        var steps = stepByStep(rest, window, first);
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        var best = piece(rest, rest.steps(), window, whole).map(Place::of);
        for (int parts = 2; parts <= Math.min(rest.parts(), steps.size()); parts++) {
            var found = inParts(rest, steps.subList(0, parts - 1), window);
            if (found.isPresent()
                    && (best.isEmpty()
                            || found.get().slot().end() < best.get().slot().end())) {
                best = found;
            }
        }
        return best;
    }

    /** Returns these parts, followed by the rest in one part. */
    private Optional<Place> inParts(Rest rest, List<Part> parts, Window window) {
        long end = parts.getLast().slot().end();
        if (end >= window.deadline()) {
            return Optional.empty();
        }
        var left = rest.after(parts);
        var last = piece(left, left.steps(), new Window(end, window.deadline()), this::earliest);
        return last.map(part -> {
            var all = new ArrayList<>(parts);
            append(all, part);
            return new Place(all);
        });
    }

    /** Returns each step at its earliest fit; empty if one has no room. */
    private List<Part> stepByStep(Rest rest, Window window, Fit first) {
        var parts = new ArrayList<Part>();
        var left = rest;
        long from = window.readyTime();
        while (left.done() < left.steps()) {
            var found = from < window.deadline()
                    ? steps(left, new Window(from, window.deadline()), parts, parts.isEmpty() ? first : this::earliest)
                    : Optional.<Part>empty();
            if (found.isEmpty()) {
                return List.of();
            }
            append(parts, found.get());
            left = left.after(found.get().steps(), left.parts());
            from = found.get().slot().end();
        }
        return parts;
    }

    /**
     * Returns the next step, or the whole rest if a part begins and nothing comes between. With several shapes, none is the fastest in
     * every step, because steps are rounded to seconds.
     */
    private Optional<Part> steps(Rest left, Window window, List<Part> before, Fit fit) {
        var step = piece(left, left.done() + 1, window, fit);
        var shape = left.shapes().getFirst();
        boolean mayGoOn = step.isPresent()
                && left.shapes().size() == 1
                && (before.isEmpty() || !touch(before.getLast(), step.get()))
                && left.runTime(shape) <= window.deadline() - step.get().slot().start();
        if (!mayGoOn) {
            return step;
        }
        var all = Slot.of(step.get().slot().start(), left.runTime(shape));
        return free.at(all, shape.pes(), among)
                .map(part -> part.of(left.steps() - left.done()))
                .or(() -> step);
    }

    private static boolean touch(Part one, Part next) {
        return one.slot().end() == next.slot().start() && one.pes() == next.pes();
    }

    /** Adds a part. It extends the last part instead if it touches it and can have the same PEs. */
    private void append(List<Part> parts, Part next) {
        if (!parts.isEmpty() && touch(parts.getLast(), next)) {
            var last = parts.getLast();
            var both = new Slot(last.slot().start(), next.slot().end());
            var longer = free.kept(last, both, last.pes(), among);
            if (longer.isPresent()) {
                parts.set(parts.size() - 1, longer.get().of(last.steps() + next.steps()));
                return;
            }
        }
        parts.add(next);
    }
}
