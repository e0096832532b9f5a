package berth.booking.web;

import io.swagger.v3.oas.annotations.media.Schema;

/** State of a reservation, a request or a batch job. A request has a state while it waits for its round or for room. */
@Schema(name = "AnyState")
public enum AnyState {
    /** The request waits for its round, or the reservation keeps its slot until it is approved. */
    PENDING,
    /** The request found no room and waits for some. */
    WAITING,
    /** The reservation keeps its slot and is not confirmed. */
    HELD,
    /** The reservation waits for its start. */
    CONFIRMED,
    /** The batch job waits. */
    QUEUED,
    /** The reservation or job has its PEs. */
    RUNNING,
    /** The reservation or job is over. */
    COMPLETED,
    /** The owner cancelled it, somebody who had to approve it declined, or Berth released it because the owner did not claim it in time. */
    CANCELLED,
    /** The hold was not confirmed in time, the reservation was not approved in time, or the request waited for room in vain. */
    EXPIRED,
    /** The reservation lost its PEs, and no other slot was left for it. */
    FAILED,
    /** The request was rejected in its round. */
    REJECTED;

    /** Returns the constant with the same name as {@code state}, a state of one kind of object. */
    public static AnyState of(Enum<?> state) {
        return valueOf(state.name());
    }
}
