package berth.reservation;

import berth.availability.PeSet;
import berth.time.Slot;
import java.util.Optional;

/**
 * The slot and the PEs of a reservation.
 *
 * @param slot inside the window of its terms
 * @param fixesAt from when on the provider does not move it any more, seconds since the epoch
 * @param peIds its PEs; empty: which it gets is not settled yet
 */
public record Placement(Slot slot, long fixesAt, Optional<PeSet> peIds) {

    /** A place whose PEs are not settled yet. */
    public Placement(Slot slot, long fixesAt) {
        this(slot, fixesAt, Optional.empty());
    }

    /** The same place on these PEs. */
    Placement on(PeSet pes) {
        return new Placement(slot, fixesAt, Optional.of(pes));
    }

    /** The same place, final from then on. */
    Placement fixed(long from) {
        return new Placement(slot, from, peIds);
    }
}
