package berth.scheduling;

import berth.availability.Demand;
import berth.availability.PlacementPolicy;
import berth.cluster.Reshaping;
import berth.reservation.Reservation;
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
 * Where a run finds room in one of its shapes, whole or in parts: paper 003, Algorithm 1. It reads this way:
 *
 * <ul>
 *   <li>Of each shape the cluster's policy chooses a place for a run in one piece. Of these the one that ends first is
 *       taken, among equals the one that starts first, then the largest shape. With first fit that is what the paper's loop
 *       over the event times and shapes keeps: places begin at the ready time or where something ends.
 *   <li>A run that may be split is laid out step by step, each step at its earliest fit after the one before: in the shape
 *       that ends first where parts have shapes of their own, else in one shape for all. Steps that touch on as many PEs
 *       are one part, where PEs are told apart on the same PEs. Nothing ends sooner than this, but it may take too many parts.
 *       So the first so many of its parts are taken and the rest is placed in one piece, for each number of parts that was
 *       agreed; the one that ends first wins, among equals the one of the fewest parts. What fits in one piece therefore
 *       always fits. The policy has no say in where parts lie: it chooses for runs in one piece only. The paper deals with
 *       subrequests independently and does not say how their number is kept.
 * </ul>
 *
 * <p>At most three searches for each step and part of each shape; a function of its arguments alone.
 *
 * @param free the PEs among which
 * @param policy which of the places that fit a shape
 * @param among how many of the PEs may be taken at one time
 * @param present seconds since the epoch
 */
record ShapeSearch(FreePes free, PlacementPolicy policy, int among, long present) {

    static final Comparator<Place> EARLIEST_COMPLETION = Comparator.<Place>comparingLong(
                    place -> place.slot().end())
            .thenComparingInt(place -> place.parts().size())
            .thenComparingLong(Place::start);

    private static final Comparator<Part> ENDS_FIRST = Comparator.<Part>comparingLong(
                    part -> part.slot().end())
            .thenComparingLong(part -> part.slot().start());

    /** The place of a new run that starts and ends in {@code window}, which lies inside that of its terms. */
    Optional<Place> anew(Terms terms, Window window) {
        return place(Rest.of(terms), window, this::chosen, this::earliest);
    }

    /** The same in one of its shapes only. */
    Optional<Place> in(Terms terms, Shape shape, Window window) {
        return place(Rest.of(terms).in(shape), window, this::chosen, this::earliest);
    }

    /**
     * Another place for what has not begun of a reservation, which is something and not taken, inside {@code window} and after
     * what has begun. Where all parts of a run must have the same shape, it keeps that of the begun ones.
     *
     * @param reshaping whether it may have another shape where there is room for the one that it has
     */
    Optional<Place> again(Reservation reservation, Window window, Reshaping reshaping) {
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

    /** The place of a new run at exactly {@code start}, before its deadline. */
    Optional<Place> at(Terms terms, long start) {
        var window = new Window(start, terms.window().deadline());
        return place(Rest.of(terms), window, this::atReadyTime, this::atReadyTime);
    }

    /**
     * What of a run is to be placed.
     *
     * @param shapes in which, the largest first
     * @param done how many steps are not
     * @param steps of the whole run
     * @param parts in how many at the most
     * @param moldableParts whether each may have a shape of its own
     */
    private record Rest(List<Shape> shapes, int done, int steps, int parts, boolean moldableParts) {

        static Rest of(Terms terms) {
            boolean moldableParts =
                    terms.preemption().filter(Preemption::moldableParts).isPresent();
            return new Rest(terms.shapes(), 0, terms.steps(), terms.mostParts(), moldableParts);
        }

        /** What is left after parts that have begun. */
        Rest after(List<Part> begun) {
            var left = after(begun.stream().mapToInt(Part::steps).sum(), parts - begun.size());
            return begun.isEmpty() || moldableParts
                    ? left
                    : left.shapeOf(begun).map(left::in).orElseThrow();
        }

        /** What is left after some steps, in so many parts at the most. */
        Rest after(int more, int partsLeft) {
            return new Rest(shapes, done + more, steps, partsLeft, moldableParts);
        }

        Rest in(Shape shape) {
            return new Rest(List.of(shape), done, steps, parts, moldableParts);
        }

        /** The shape that all of these parts have. */
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

        /** Of the steps up to that one. */
        long runTime(Shape shape, int to) {
            return shape.cut(to, steps) - shape.cut(done, steps);
        }
    }

    /** A way to find room for one piece. */
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
     * The place of what is left.
     *
     * @param whole finds it if it is not split
     * @param first finds the first step if it is
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

    /** The steps up to that one in one piece, in the shape that ends first. */
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

    /** The place that ends first, in as many parts as there may be or fewer. */
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

    /** These parts, and what is left after them in one piece. */
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

    /** Each step at its earliest fit; none if one finds no room. */
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
     * The next step; or all that is left, where a part begins and nothing comes between. Of several shapes none is the quickest
     * in every step, since cuts are rounded.
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

    /** Adds a part; one that touches the last and finds its PEs free prolongs it. */
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
