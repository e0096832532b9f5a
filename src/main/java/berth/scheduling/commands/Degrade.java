package berth.scheduling.commands;

import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status.Flag;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Target;
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
                EnumSet.of(
                        ReservationState.HELD,
                        ReservationState.PENDING,
                        ReservationState.CONFIRMED,
                        ReservationState.RUNNING))) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) -> decide(schedule, reservation, now);
        };
    }

    private static Decision decide(ClusterSchedule schedule, Reservation reservation, long now) {
        return reservation.status().flags().contains(Flag.DEGRADED)
                ? Decision.Accepted.unchanged(schedule)
                : Decision.Accepted.of(schedule, ReservationEvent.of(Event.Type.DEGRADED, reservation.degraded(now)));
    }
}
