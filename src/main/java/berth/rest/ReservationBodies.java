package berth.rest;

import berth.broker.Booked;
import berth.broker.Known;
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

    ReservationBody of(Known known) {
        return switch (known) {
            case Booked.Here(var reservation) -> of(reservation);
            case Booked.There(var mirror) -> ReservationBody.of(mirror);
            case Known.Collected(var request) -> ReservationBody.of(request);
        };
    }

    /** The version that its entity tag tells. */
    static int version(Known known) {
        return switch (known) {
            case Booked.Here(var reservation) -> reservation.status().version();
            case Booked.There(var mirror) -> ReservationBody.of(mirror).version();
            case Known.Collected(var request) -> ReservationBody.of(request).version();
        };
    }

    ReservationBody of(Reservation reservation) {
        var schedule = desks.schedule(reservation.cluster()).orElseThrow();
        return ReservationBody.of(reservation, schedule, clock.instant().getEpochSecond());
    }
}
