package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status.Flag;
import berth.scheduling.Event.ReservationEvent;
import java.util.EnumSet;

/**
 * Marks a reservation because another one of its co-allocation has failed. It is kept, because its owner may still want it. A reservation
 * that is already marked stays as it is.
 */
public record Degrade(Target target) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return switch (Lookup.of(
                schedule,
                target,
                EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING))) {
            case Result.Rejected(var reason) -> new Decision.Rejected(reason);
            case Result.Found(var reservation) -> decide(schedule, reservation, now);
        };
    }

    private static Decision decide(ClusterSchedule schedule, Reservation reservation, long now) {
        return reservation.status().flags().contains(Flag.DEGRADED)
                ? Decision.Accepted.unchanged(schedule)
                : Decision.Accepted.of(schedule, ReservationEvent.of(Event.Type.DEGRADED, reservation.degraded(now)));
    }
}
