package berth.scheduling.commands;

import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.scheduling.Breach;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;

/** The end of a run that was never in place on the machine. */
final class Unenforced {

    private Unenforced() {}

    /**
     * Returns the event that ends a reservation of the schedule. What its owner has caused costs as much as a late cancellation; anything
     * else is a breach.
     */
    static ReservationEvent of(Reservation reservation, ClusterSchedule schedule, long at) {
        return switch (reservation
                .enforcement()
                .cause(reservation.currentPart())
                .bearer()) {
            case OWNER ->
                ReservationEvent.of(
                        Event.Type.CANCELLED,
                        reservation.unusable(
                                schedule.cluster()
                                        .tariff()
                                        .owedIfGivenUp(reservation.slot().start(), at),
                                at));
            case PROVIDER -> Breach.of(reservation, schedule, EndReason.NOT_ENFORCED, at);
        };
    }
}
