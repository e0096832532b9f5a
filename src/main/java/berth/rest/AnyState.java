package berth.rest;

import io.swagger.v3.oas.annotations.media.Schema;

/** Where a reservation, a request that is collected with others or waits for room, or a batch job stands. */
@Schema(name = "AnyState")
enum AnyState {
    /** A request that waits for its round. */
    PENDING,
    /** A request that found no room, and waits for some. */
    WAITING,
    /** A reservation that keeps its slot without being confirmed. */
    HELD,
    /** A reservation that waits for its start. */
    CONFIRMED,
    /** A batch job that waits. */
    QUEUED,
    /** Has its PEs. */
    RUNNING,
    /** Is over. */
    COMPLETED,
    /** Was given up by its owner, or released since nobody claimed it. */
    CANCELLED,
    /** A hold that nobody confirmed in time, or a request that has waited for room in vain. */
    EXPIRED,
    /** A reservation whose PEs were lost, with no slot left. */
    FAILED,
    /** A request that was refused in its round. */
    REJECTED;

    /** The same word of the states of one kind of these. */
    static AnyState of(Enum<?> state) {
        return valueOf(state.name());
    }
}
