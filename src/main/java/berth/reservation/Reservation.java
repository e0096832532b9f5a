package berth.reservation;

import berth.sla.Money;
import berth.sla.Terms;
import berth.time.Slot;
import java.util.Optional;

/**
 * An accepted agreement with its place in time. A value: each change is another reservation of the same id.
 *
 * @param id names it for good
 * @param cluster where it runs
 * @param origin who asked for it
 * @param terms what was agreed
 * @param slot where it lies in time, inside the window of its terms
 * @param price what it owes: the agreed price, and nothing once it was cancelled before its start or expired
 * @param status how far it has come
 */
public record Reservation(
        ReservationId id, String cluster, Origin origin, Terms terms, Slot slot, Money price, Status status) {

    /** @throws IllegalArgumentException if the slot breaks the terms */
    public Reservation {
        if (!terms.allow(slot)) {
            throw new IllegalArgumentException("Reservation %s lies at %s, outside its %s.".formatted(id, slot, terms));
        }
    }

    /** Where it stands. */
    public ReservationState state() {
        return status.state();
    }

    /** What the clock will do to it next; empty once it has ended. */
    public Optional<Due> due() {
        return switch (state()) {
            case HELD -> Optional.of(new Due(status.holdExpiresAt().orElseThrow(), ReservationState.EXPIRED, id));
            case CONFIRMED -> Optional.of(new Due(slot.start(), ReservationState.RUNNING, id));
            case RUNNING -> Optional.of(new Due(slot.end(), ReservationState.COMPLETED, id));
            case COMPLETED, CANCELLED, EXPIRED -> Optional.empty();
        };
    }

    /** The time in which it takes PEs, or took them: what was given up early ends there. */
    public Optional<Slot> occupied() {
        return switch (state()) {
            case HELD, CONFIRMED, RUNNING, COMPLETED -> Optional.of(slot);
            case CANCELLED ->
                status.updatedAt() > slot.start()
                        ? Optional.of(new Slot(slot.start(), Math.min(slot.end(), status.updatedAt())))
                        : Optional.empty();
            case EXPIRED -> Optional.empty();
        };
    }

    /**
     * The same reservation in its next state. One that ends before it began owes nothing.
     *
     * @param at seconds since the epoch
     * @throws IllegalStateException if {@code next} may not follow the present state
     */
    public Reservation becomes(ReservationState next, long at) {
        boolean neverBegan = state() != ReservationState.RUNNING && !next.isLive();
        return new Reservation(
                id, cluster, origin, terms, slot, neverBegan ? price.none() : price, status.becomes(next, at));
    }
}
