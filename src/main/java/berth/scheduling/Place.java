package berth.scheduling;

import berth.availability.PeSet;
import berth.reservation.Placement;
import berth.time.Slot;
import java.util.Optional;

/**
 * Room for a run.
 *
 * @param slot when
 * @param peIds the PEs it would get; empty: that is settled when it starts
 */
record Place(Slot slot, Optional<PeSet> peIds) {

    /** A place on PEs that are settled when the run starts. */
    static Place of(Slot slot) {
        return new Place(slot, Optional.empty());
    }

    /** The same, taken; final from {@code fixesAt} on. */
    Placement taken(long fixesAt) {
        return new Placement(slot, fixesAt, peIds);
    }
}
