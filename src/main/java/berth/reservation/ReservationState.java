package berth.reservation;

import java.util.EnumSet;
import java.util.Set;

/** The state of a reservation. This table defines which state can follow which. */
public enum ReservationState {
    /** It keeps its slot until it is confirmed or the hold expires, at the latest at its start. */
    HELD,
    /** It keeps its slot until it is approved or the time for that is over, at the latest at its start. */
    PENDING,
    /** It is agreed and waits for its start. */
    CONFIRMED,
    /** It is between its start and its end. */
    RUNNING,
    /** It ran to its end, or its owner ended it early. */
    COMPLETED,
    /** Its owner cancelled it, somebody who had to approve it declined, or Berth released it because nobody claimed it. */
    CANCELLED,
    /** Nobody confirmed the hold, or approved the reservation, in time. */
    EXPIRED,
    /**
     * The provider broke the agreement: the PEs were lost and no other slot was left, no PE of the run was left, or the reservation was not
     * in place on the machine in time.
     */
    FAILED;

    /** Returns the states that can follow this one; empty for an ended reservation. */
    public Set<ReservationState> successors() {
        return switch (this) {
            case HELD -> EnumSet.of(PENDING, CONFIRMED, CANCELLED, EXPIRED, FAILED);
            case PENDING -> EnumSet.of(CONFIRMED, CANCELLED, EXPIRED, FAILED);
            case CONFIRMED -> EnumSet.of(RUNNING, CANCELLED, FAILED);
            case RUNNING -> EnumSet.of(COMPLETED, CANCELLED, FAILED);
            case COMPLETED, CANCELLED, EXPIRED, FAILED -> EnumSet.noneOf(ReservationState.class);
        };
    }

    /** Whether {@code next} can follow this state. */
    public boolean canBecome(ReservationState next) {
        return successors().contains(next);
    }

    /** Whether the reservation is confirmed and has not ended. */
    public boolean isAgreed() {
        return this == CONFIRMED || this == RUNNING;
    }

    /** Whether the reservation takes PEs now or later and so belongs to the schedule. */
    public boolean isLive() {
        return !successors().isEmpty();
    }
}
