package berth.reservation;

import java.util.EnumSet;
import java.util.Set;

/** Where a reservation stands in its life. What may follow what is this table and nothing else. */
public enum ReservationState {
    /** Keeps its slot until it is confirmed or the hold expires, at its start at the latest. */
    HELD,
    /** Agreed and waiting for its start. */
    CONFIRMED,
    /** Between its start and its end. */
    RUNNING,
    /** Ran to its end, or was ended early by its owner. */
    COMPLETED,
    /** Given up by its owner, or released since nobody claimed it. */
    CANCELLED,
    /** A hold that nobody confirmed in time. */
    EXPIRED,
    /** The provider's breach: its PEs were lost and no slot was left. */
    FAILED;

    /** The states that may follow this one; empty for an ended reservation. */
    public Set<ReservationState> successors() {
        return switch (this) {
            case HELD -> EnumSet.of(CONFIRMED, CANCELLED, EXPIRED, FAILED);
            case CONFIRMED -> EnumSet.of(RUNNING, CANCELLED, FAILED);
            case RUNNING -> EnumSet.of(COMPLETED, CANCELLED, FAILED);
            case COMPLETED, CANCELLED, EXPIRED, FAILED -> EnumSet.noneOf(ReservationState.class);
        };
    }

    /** Whether {@code next} may follow this state. */
    public boolean canBecome(ReservationState next) {
        return successors().contains(next);
    }

    /** Whether the reservation takes PEs now or will: it is part of the schedule. */
    public boolean isLive() {
        return !successors().isEmpty();
    }
}
