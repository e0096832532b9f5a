package berth.scheduling;

import berth.reservation.Placement;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;

/**
 * Free parts that a search found for a run. A reservation that takes them gets a {@link Placement}.
 *
 * @param parts the parts in order
 */
public record Place(List<Part> parts) {

    /** Returns a place for a run that is not split. */
    public static Place of(Part whole) {
        return new Place(List.of(whole));
    }

    public long start() {
        return parts.getFirst().slot().start();
    }

    /** Returns the slot from the start of the first part to the end of the last. */
    public Slot slot() {
        return new Slot(start(), parts.getLast().slot().end());
    }

    /** Returns the placement of a reservation that takes this place, final from {@code fixesAt} on. */
    public Placement taken(long fixesAt) {
        return Placement.of(parts, fixesAt);
    }
}
