package berth.scheduling.commands;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Returns;

/** The end of a reservation, with the account of the PEs that it lost while it ran. */
final class Ending {

    private Ending() {}

    /**
     * Returns the event that ends a reservation of the schedule. What it lost is not owed, and its owner is credited for it. What is left
     * of a run that ends early is {@linkplain Returns returned}.
     */
    static ReservationEvent of(Reservation reservation, ReservationState end, ClusterSchedule schedule, long at) {
        return of(Event.Type.of(end), Returns.ofRest(reservation, schedule, at).becomes(end, at), schedule);
    }

    /** Returns the event of a reservation that has ended. */
    static ReservationEvent of(Event.Type type, Reservation ended, ClusterSchedule schedule) {
        return ReservationEvent.of(type, ended.withoutLosses(schedule.cluster().tariff()::credit));
    }
}
