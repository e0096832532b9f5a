package berth.booking.web;

import berth.intake.IntakeRequest;
import berth.reservation.ReservationState;
import io.swagger.v3.oas.annotations.media.Schema;

/** The state of a reservation, or of the request for one that is collected or waits for room. */
@Schema(name = "ReservationState")
public enum ReservationOrRequestState {
    /** The request waits for its round, or the reservation keeps its slot until it is approved. */
    PENDING,
    /** The request found no room, and waits for some. */
    WAITING,
    /** The reservation keeps its slot until the hold expires. */
    HELD,
    /** The reservation has its slot. */
    CONFIRMED,
    /** The reservation has its PEs. */
    RUNNING,
    /** The reservation ran to its end, or its owner ended it early. */
    COMPLETED,
    /** The owner cancelled the reservation or request, or somebody who had to approve the reservation declined. */
    CANCELLED,
    /** The hold was not confirmed or the reservation not approved in time, or the request waited for room without success. */
    EXPIRED,
    /** The provider could not keep the reservation. */
    FAILED,
    /** The request was rejected in its round. */
    REJECTED;

    public static ReservationOrRequestState of(ReservationState state) {
        return switch (state) {
            case HELD -> HELD;
            case PENDING -> PENDING;
            case CONFIRMED -> CONFIRMED;
            case RUNNING -> RUNNING;
            case COMPLETED -> COMPLETED;
            case CANCELLED -> CANCELLED;
            case EXPIRED -> EXPIRED;
            case FAILED -> FAILED;
        };
    }

    /** Returns the state of a request. A granted request has become a reservation, so this is only its first state. */
    public static ReservationOrRequestState of(IntakeRequest.State state) {
        return switch (state) {
            case PENDING -> PENDING;
            case WAITING -> WAITING;
            case GRANTED -> CONFIRMED;
            case REJECTED -> REJECTED;
            case CANCELLED -> CANCELLED;
            case EXPIRED -> EXPIRED;
        };
    }
}
