package berth.rest;

import berth.intake.IntakeRequest;
import java.util.Optional;

/** Where a reservation stands, from the request that was collected for it, or waits for room, on. */
public enum ReservationState {
    /** Waits for its round. */
    PENDING,
    /** A request that found no room, and waits for some. */
    WAITING,
    /** Keeps its slot until the hold expires. */
    HELD,
    /** Has its slot. */
    CONFIRMED,
    /** Has its PEs. */
    RUNNING,
    /** Ran to its end, or was ended early. */
    COMPLETED,
    /** Given up by its owner. */
    CANCELLED,
    /** Its hold ended before it was confirmed, or it has waited for room in vain. */
    EXPIRED,
    /** Could not be kept by the provider. */
    FAILED,
    /** Refused in its round. */
    REJECTED;

    static ReservationState of(berth.reservation.ReservationState state) {
        return switch (state) {
            case HELD -> HELD;
            case CONFIRMED -> CONFIRMED;
            case RUNNING -> RUNNING;
            case COMPLETED -> COMPLETED;
            case CANCELLED -> CANCELLED;
            case EXPIRED -> EXPIRED;
            case FAILED -> FAILED;
        };
    }

    /** A request that was granted is a reservation, and stands as it does. */
    static ReservationState of(IntakeRequest.State state) {
        return switch (state) {
            case PENDING -> PENDING;
            case WAITING -> WAITING;
            case GRANTED -> CONFIRMED;
            case REJECTED -> REJECTED;
            case CANCELLED -> CANCELLED;
            case EXPIRED -> EXPIRED;
        };
    }

    /** The state of a reservation that has this name; empty if only a request can be in it. */
    Optional<berth.reservation.ReservationState> ofReservation() {
        return switch (this) {
            case PENDING, WAITING, REJECTED -> Optional.empty();
            default -> Optional.of(berth.reservation.ReservationState.valueOf(name()));
        };
    }

    /** The state of a request, that did not become a reservation, that has this name; empty if only a reservation can be in it. */
    Optional<IntakeRequest.State> ofRequest() {
        return switch (this) {
            case PENDING -> Optional.of(IntakeRequest.State.PENDING);
            case WAITING -> Optional.of(IntakeRequest.State.WAITING);
            case CANCELLED -> Optional.of(IntakeRequest.State.CANCELLED);
            case EXPIRED -> Optional.of(IntakeRequest.State.EXPIRED);
            case REJECTED -> Optional.of(IntakeRequest.State.REJECTED);
            default -> Optional.empty();
        };
    }
}
