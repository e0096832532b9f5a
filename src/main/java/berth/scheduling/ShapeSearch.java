package berth.scheduling;

import berth.availability.Demand;
import berth.availability.PlacementPolicy;
import berth.reservation.Reservation;
import berth.sla.Part;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where a run finds room in one of its shapes: paper 003, Algorithm 1. Of each shape the cluster's policy chooses a place;
 * of these the one that ends first is taken, among equals the one that starts first, then the largest shape.
 *
 * @param free the PEs among which
 * @param policy which of the places that fit a shape
 * @param among how many of the PEs may be taken at one time
 * @param present seconds since the epoch
 */
record ShapeSearch(FreePes free, PlacementPolicy policy, int among, long present) {

    static final Comparator<Place> EARLIEST_COMPLETION =
            Comparator.<Place>comparingLong(place -> place.slot().end()).thenComparingLong(Place::start);

    /** The place of a new run that starts and ends in {@code window}, which lies inside that of its terms. */
    Optional<Place> anew(Terms terms, Window window) {
        return inOneOf(terms.shapes(), window);
    }

    /**
     * Another place for what has not begun of a reservation, none of which is taken, inside {@code window}. The shape is kept
     * where there is room for it.
     */
    Optional<Place> again(Reservation reservation, Window window) {
        var present = reservation.terms().shape(reservation.placement().pes()).orElseThrow();
        return in(present, window).or(() -> anew(reservation.terms(), window));
    }

    /** The place of a new run at exactly {@code start}, in the largest shape that fits. */
    Optional<Place> at(Terms terms, long start) {
        for (var shape : terms.shapes()) {
            if (shape.runTime() <= terms.window().deadline() - start) {
                var found = free.at(Slot.of(start, shape.runTime()), shape.pes(), among);
                if (found.isPresent()) {
                    return found.map(Place::of);
                }
            }
        }
        return Optional.empty();
    }

    /** The place in one of some shapes, that of the earliest completion. */
    Optional<Place> inOneOf(List<Shape> shapes, Window window) {
        return shapes.stream().flatMap(shape -> in(shape, window).stream()).min(EARLIEST_COMPLETION);
    }

    /** The place that the policy chooses for a shape. */
    Optional<Place> in(Shape shape, Window window) {
        return window.isLongEnoughFor(shape.runTime()) ? part(shape, window).map(Place::of) : Optional.empty();
    }

    private Optional<Part> part(Shape shape, Window window) {
        return free.place(new Demand(window, shape.runTime(), shape.pes(), present), among, policy);
    }
}
