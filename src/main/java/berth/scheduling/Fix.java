package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule.Lookup;
import berth.scheduling.Event.ReservationEvent;
import java.util.EnumSet;

/**
 * The owner wants its place to be final now, or what of it has not begun; a place that is final stays as it is. A run that
 * has begun whole has nothing left to be fixed.
 */
public record Fix(Target target) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return switch (schedule.lookUp(target, EnumSet.of(ReservationState.CONFIRMED, ReservationState.RUNNING))) {
            case Lookup.Missing(var reason) -> new Decision.Rejected(reason);
            case Lookup.Found(var reservation) -> decide(schedule, reservation, now);
        };
    }

    private static Decision decide(ClusterSchedule schedule, Reservation reservation, long now) {
        if (!reservation.placement().hasPartsToCome()) {
            return new Decision.Rejected(new Rejection.WrongState(reservation.state()));
        }
        return reservation.isMovable(now)
                ? Decision.Accepted.of(schedule, ReservationEvent.of(Event.Type.FIXED, reservation.fixed(now)))
                : Decision.Accepted.unchanged(schedule);
    }
}
