package berth.proof;

import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.util.List;
import java.util.Optional;

/**
 * The state of a reservation, as far as a client relies on it.
 *
 * @param terms the agreed terms in a fixed text form
 * @param window the time that must contain the run
 * @param parts the parts of its place
 */
public record Standing(
        ReservationState state,
        Optional<EndReason> reason,
        String terms,
        Window window,
        List<Part> parts,
        Money price) {

    public Standing {
        parts = List.copyOf(parts);
    }

    public static Standing of(Reservation reservation) {
        return new Standing(
                reservation.state(),
                reservation.status().reason(),
                reservation.terms().toString(),
                reservation.terms().window(),
                reservation.parts(),
                reservation.price());
    }

    boolean isLive() {
        return state.isLive();
    }

    List<Slot> slots() {
        return parts.stream().map(Part::slot).toList();
    }

    long end() {
        return parts.getLast().slot().end();
    }

    boolean isInWindow() {
        return slots().stream().allMatch(window::contains);
    }
}
