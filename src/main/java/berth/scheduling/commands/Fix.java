package berth.scheduling.commands;

import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.sla.Mobility;
import berth.sla.Money;
import java.util.EnumSet;

/**
 * Makes the place of a reservation, or of its parts that have not begun, final now. A place that is final already stays as it is. The
 * command is rejected for a run that has no parts to come. Paper 000, section 4.2: the owner renegotiates and gives up its remaining
 * flexibility, so it pays as for {@linkplain berth.pricing.Tariff#fixed tighter terms}.
 *
 * @param target the reservation
 * @param wish who wants it
 */
public record Fix(Target target, Wish wish) implements Command {

    /** Who wants the change. */
    public enum Wish {
        /** The owner, who pays for it. */
        OWNERS,
        /** The provider, who can keep a place free of charge. */
        PROVIDERS
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED, ReservationState.RUNNING))) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) -> decide(schedule, reservation, now);
        };
    }

    private Decision decide(ClusterSchedule schedule, Reservation reservation, long now) {
        if (!reservation.placement().hasPartsToCome()) {
            return new Decision.Rejected(new Rejection.WrongState(reservation.state()));
        }
        if (reservation.placement().fixesAt() <= now) {
            return Decision.Accepted.unchanged(schedule);
        }
        var fixed = reservation.fixed(price(schedule, reservation), now);
        return Decision.Accepted.of(schedule, ReservationEvent.of(Event.Type.FIXED, fixed))
                .paid(schedule, fixed);
    }

    private Money price(ClusterSchedule schedule, Reservation reservation) {
        if (wish == Wish.PROVIDERS) {
            return reservation.price();
        }
        return schedule.cluster()
                .tariff()
                .fixed(
                        reservation.price(),
                        schedule.prices(reservation.origin().customer())
                                .run(reservation.terms(), reservation.parts(), Mobility.NONE));
    }
}
