package berth.proof;

import berth.reservation.EndReason;
import berth.reservation.Losses;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The state of a reservation, as far as a client relies on it.
 *
 * @param terms the agreed terms in a fixed text form
 * @param window the time that must contain the run
 * @param parts the parts of its place, with the PEs that it lacks
 * @param lacks the PEs that it lacks, and those that it will lose
 */
public record Standing(
        ReservationState state,
        Optional<EndReason> reason,
        String terms,
        Window window,
        List<Part> parts,
        List<Part> lacks,
        Money price) {

    public Standing {
        parts = List.copyOf(parts);
        lacks = List.copyOf(lacks);
    }

    /** Creates the state of a reservation that lacks no PEs. */
    public Standing(
            ReservationState state,
            Optional<EndReason> reason,
            String terms,
            Window window,
            List<Part> parts,
            Money price) {
        this(state, reason, terms, window, parts, List.of(), price);
    }

    public static Standing of(Reservation reservation) {
        return new Standing(
                reservation.state(),
                reservation.status().reason(),
                reservation.terms().toString(),
                reservation.terms().window(),
                reservation.parts(),
                reservation.state().isLive() ? reservation.placement().losses().lacks() : List.of(),
                reservation.price());
    }

    boolean isLive() {
        return state.isLive();
    }

    /** Returns the PEs that it takes, piece by piece. */
    List<Part> taken() {
        var placement = new Placement(parts, 0, 0, new Losses(0, 0, lacks));
        return IntStream.range(0, parts.size())
                .boxed()
                .flatMap(part -> placement.has(part).stream())
                .toList();
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
