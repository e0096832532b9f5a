package berth.scheduling;

import berth.reservation.ReservationId;
import berth.reservation.ReservationState;

/** The owner takes what it holds: {@code HELD} becomes {@code CONFIRMED}. */
public record Confirm(ReservationId reservation) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.transition(reservation, ReservationState.CONFIRMED, now);
    }
}
