package berth.scheduling;

import berth.reservation.Reservation;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Mobility;
import berth.sla.Part;
import java.util.List;
import java.util.Optional;

/** Moves of reservations by the provider, and their prices. */
public final class Moves {

    private Moves() {}

    /**
     * Returns the move of a reservation to a new place. The price is at most the agreed one, less the rebate if the move counts, and the
     * place becomes final as the terms state.
     */
    public static ReservationEvent to(
            Place place, Reservation reservation, ClusterSchedule schedule, MoveReason why, long now) {
        var cluster = schedule.cluster();
        var before = reservation.placement();
        var after = before.goingOn(
                place.parts(),
                reservation
                        .terms()
                        .finality()
                        .movedTo(
                                now,
                                before.fixesAt(),
                                place.start(),
                                cluster.policy().notice()));
        var rules = cluster.policy().replanning().moves();
        var mobility = rules.usable(
                Mobility.until(after.fixesAt(), now, place.start()),
                reservation.terms().mobility(),
                0);
        var price = cluster.tariff()
                .moved(
                        reservation.price(),
                        schedule.prices(reservation.origin().customer())
                                .run(reservation.terms(), after.parts(), mobility));
        var moved = switch (why) {
            case MADE_ROOM, PES_LOST -> reservation.moved(after, rules.afterMove(price), now);
            case PULLED_FORWARD, CHEAPER -> reservation.movedForItself(after, price, now);
        };
        var paid = Optional.of(reservation.price()).filter(_ -> why == MoveReason.CHEAPER);
        return ReservationEvent.moved(moved, new Move(before.parts(), why, paid));
    }

    /** Returns the move of a reservation to other PEs at the same time. Nothing else changes. */
    public static ReservationEvent toOtherPes(List<Part> there, Reservation reservation, MoveReason why, long now) {
        var before = reservation.placement();
        var after = before.goingOn(there, before.fixesAt());
        return ReservationEvent.moved(reservation.onOtherPes(after, now), new Move(before.parts(), why));
    }

    /** Whether two versions of a reservation take the same PEs at the same time. */
    public static boolean takeTheSame(Reservation one, Reservation other) {
        return one.placement().parts().equals(other.placement().parts())
                && one.placement().turns() == other.placement().turns()
                && one.placement().losses().equals(other.placement().losses());
    }
}
