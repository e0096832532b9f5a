package berth.scheduling;

import berth.reservation.Placement;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;

/**
 * The parts that were found for a run, which are free; what it gets is a {@link Placement}.
 *
 * @param parts what of it would lie where, in order
 */
record Place(List<Part> parts) {

    /** A place for a run that is not split. */
    static Place of(Part whole) {
        return new Place(List.of(whole));
    }

    long start() {
        return parts.getFirst().slot().start();
    }

    /** From the beginning of the first part to the end of the last. */
    Slot slot() {
        return new Slot(start(), parts.getLast().slot().end());
    }

    /** What a reservation gets that takes it; final from {@code fixesAt} on. */
    Placement taken(long fixesAt) {
        return Placement.of(parts, fixesAt);
    }
}
