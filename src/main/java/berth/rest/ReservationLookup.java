package berth.rest;

import berth.desk.Records;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.rest.EntityTag.Expected;
import berth.rest.Problem.FieldError;
import berth.scheduling.Target;
import berth.security.Account;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the reservation that a call names, for those whose business it is. */
@Component
class ReservationLookup {

    private final Records records;

    ReservationLookup(Records records) {
        this.records = records;
    }

    /**
     * A reservation as it is recorded. What is not the account's answers as if it did not exist.
     *
     * @throws Problem if there is none
     */
    Reservation find(String id, Account account) {
        var value = Texts.uuid(id)
                .orElseThrow(() -> new Problem(
                        ProblemCode.MALFORMED,
                        "Send the id that the reservation was answered with.",
                        List.of(new FieldError("id", Texts.shown(id), "is no UUID"))));
        return records.find(new ReservationId(value))
                .filter(reservation -> account.mayAccess(reservation.origin().owner()))
                .orElseThrow(() -> Problem.notFound("reservation", id));
    }

    /**
     * The reservation as a command is to meet it: in its present version, if the client says which one it means.
     *
     * @throws Problem if the client means another version
     */
    Target target(Reservation reservation, @Nullable String ifMatch) {
        int version = reservation.status().version();
        var expected = EntityTag.expected(ifMatch);
        if (!expected.includes(version)) {
            throw EntityTag.stale(version);
        }
        return new Target(
                reservation.id(), expected instanceof Expected.Any ? OptionalInt.empty() : OptionalInt.of(version));
    }

    /** @throws Problem if the reservation has ended */
    static void requireLive(Reservation reservation) {
        if (!reservation.state().isLive()) {
            throw Refusals.wrongState(reservation.state().name());
        }
    }
}
