package berth.rest;

import berth.desk.Desks;
import berth.reservation.Reservation;
import java.time.InstantSource;
import org.springframework.stereotype.Component;

/** Tells of reservations as they stand at present, by the clock and the schedules of their clusters. */
@Component
class ReservationBodies {

    private final Desks desks;
    private final InstantSource clock;

    ReservationBodies(Desks desks, InstantSource clock) {
        this.desks = desks;
        this.clock = clock;
    }

    ReservationBody of(Reservation reservation) {
        var schedule = desks.schedule(reservation.cluster()).orElseThrow();
        return ReservationBody.of(reservation, schedule, clock.instant().getEpochSecond());
    }
}
