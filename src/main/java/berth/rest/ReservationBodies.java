package berth.rest;

import berth.broker.BookedReservation;
import berth.broker.ReservationOrRequest;
import berth.desk.Agents;
import berth.desk.Desks;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import java.time.InstantSource;
import org.springframework.stereotype.Component;

/** Makes the response bodies of reservations and requests, by the clock and the current schedules of their clusters. */
@Component
class ReservationBodies {

    private final Desks desks;
    private final Agents agents;
    private final InstantSource clock;

    ReservationBodies(Desks desks, Agents agents, InstantSource clock) {
        this.desks = desks;
        this.agents = agents;
        this.clock = clock;
    }

    ReservationBody of(ReservationOrRequest known) {
        return switch (known) {
            case BookedReservation.Here(var reservation) -> of(reservation);
            case BookedReservation.There(var mirror) -> ReservationBody.of(mirror);
            case ReservationOrRequest.Collected(var request) -> of(request);
        };
    }

    ReservationBody of(IntakeRequest request) {
        var rank = request.cluster().flatMap(desks::schedule).stream()
                .flatMapToInt(schedule -> schedule.waiting().rank(request.id()).stream())
                .findAny();
        return ReservationBody.of(request, rank);
    }

    /** Returns the version that the entity tag shows. */
    static int version(ReservationOrRequest known) {
        return switch (known) {
            case BookedReservation.Here(var reservation) -> reservation.version();
            case BookedReservation.There(var mirror) -> mirror.version();
            case ReservationOrRequest.Collected(var request) -> request.version();
        };
    }

    ReservationBody of(Reservation reservation) {
        var schedule = desks.schedule(reservation.cluster()).orElseThrow();
        return ReservationBody.of(
                reservation,
                schedule,
                agents.of(reservation.cluster()),
                clock.instant().getEpochSecond());
    }
}
