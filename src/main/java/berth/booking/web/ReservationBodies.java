package berth.booking.web;

import berth.accounts.Account;
import berth.booking.BookedReservation;
import berth.booking.ReservationOrRequest;
import berth.engine.Agents;
import berth.engine.Desks;
import berth.engine.Trial;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Makes the response bodies of reservations and requests, by the clock and the current schedules of their clusters. */
@Component
public class ReservationBodies {

    private final Desks desks;
    private final Agents agents;
    private final InstantSource clock;

    public ReservationBodies(Desks desks, Agents agents, InstantSource clock) {
        this.desks = desks;
        this.agents = agents;
        this.clock = clock;
    }

    public ReservationBody of(ReservationOrRequest known) {
        return switch (known) {
            case BookedReservation.Here(var reservation) -> of(reservation);
            case BookedReservation.There(var mirror) -> ReservationBody.of(mirror);
            case ReservationOrRequest.Collected(var request) -> of(request);
        };
    }

    /**
     * Returns the body of a dry run.
     *
     * @param after what it would make, or change an existing reservation into
     * @param trial the trial; empty if no desk was needed
     * @param account the account that sees the body
     */
    DryRunBody tried(ReservationOrRequest before, ReservationOrRequest after, Optional<Trial> trial, Account account) {
        var present = trial.flatMap(each -> each.before().find(before.id()))
                .<ReservationOrRequest>map(BookedReservation.Here::new)
                .orElse(before);
        return new DryRunBody(of(present), of(after), EffectsBody.of(trial, after, account));
    }

    /** Returns the body of a dry run that would make a reservation or request. */
    DryRunBody tried(ReservationOrRequest made, Optional<Trial> trial, Account account) {
        return new DryRunBody(null, of(made).withoutId(), EffectsBody.of(trial, made, account));
    }

    public ReservationBody of(IntakeRequest request) {
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

    public ReservationBody of(Reservation reservation) {
        var schedule = desks.schedule(reservation.cluster()).orElseThrow();
        return ReservationBody.of(
                reservation,
                schedule,
                agents.of(reservation.cluster()),
                clock.instant().getEpochSecond());
    }
}
