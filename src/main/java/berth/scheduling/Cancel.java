package berth.scheduling;

import berth.reservation.ReservationId;
import berth.reservation.ReservationState;

/** The owner gives up a live reservation; its PEs are free at once. */
public record Cancel(ReservationId reservation) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.transition(reservation, ReservationState.CANCELLED, now);
    }
}
