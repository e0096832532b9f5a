package berth.scheduling;

import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.scheduling.Event.ReservationEvent;

/** A promise that the provider does not keep. */
public final class Breach {

    private Breach() {}

    /** Returns the event that ends a reservation of the schedule and credits its owner. */
    public static ReservationEvent of(Reservation reservation, ClusterSchedule schedule, EndReason why, long at) {
        var credit = schedule.cluster().tariff().credit(reservation.price());
        return ReservationEvent.of(Event.Type.FAILED, reservation.failed(why, credit, at));
    }
}
