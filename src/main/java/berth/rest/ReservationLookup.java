package berth.rest;

import berth.broker.Mirror;
import berth.broker.Mirrors;
import berth.desk.Records;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.rest.EntityTag.Expected;
import berth.rest.Problem.FieldError;
import berth.scheduling.Target;
import berth.security.Account;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the reservation that a call names, for those whose business it is. */
@Component
class ReservationLookup {

    private final Records records;
    private final Mirrors mirrors;

    ReservationLookup(Records records, Mirrors mirrors) {
        this.records = records;
        this.mirrors = mirrors;
    }

    /** A reservation at another Berth, asked for there; empty if there is none of that id. */
    Optional<Mirror> elsewhere(String id, Account account) {
        return Texts.uuid(id)
                .map(ReservationId::new)
                .filter(value -> records.find(value).isEmpty())
                .flatMap(mirrors::find)
                .filter(mirror -> account.mayAccess(mirror.origin().owner()));
    }

    /** What an id names. */
    sealed interface Found {
        /** A reservation. */
        record Reserved(Reservation reservation) implements Found {}

        /** A collected request that is no reservation: not yet, or never. */
        record Collected(IntakeRequest request) implements Found {}
    }

    /**
     * A reservation as it is recorded. What is not the account's answers as if it did not exist.
     *
     * @throws Problem if there is none, or no more than a request for it
     */
    Reservation find(String id, Account account) {
        return switch (look(id, account)) {
            case Found.Reserved(var reservation) -> reservation;
            case Found.Collected(var request) ->
                throw Refusals.wrongState(request.state().name());
        };
    }

    /**
     * A reservation, or what was collected for one.
     *
     * @throws Problem if there is neither
     */
    Found look(String id, Account account) {
        var name = new ReservationId(uuid(id));
        return find(name)
                .or(() -> records.collected(name).flatMap(this::asItStands))
                .filter(found -> account.mayAccess(owner(found)))
                .orElseThrow(() -> elsewhere(id, account).isPresent()
                        ? new Problem(
                                ProblemCode.NOT_BUILT,
                                "The reservation lies at another Berth, which does not pass this on yet.")
                        : Problem.notFound("reservation", id));
    }

    private Optional<Found> find(ReservationId id) {
        return records.find(id).map(Found.Reserved::new);
    }

    /** It may have been granted since the reservation was looked for. */
    private Optional<Found> asItStands(IntakeRequest request) {
        return request.state() == IntakeRequest.State.GRANTED
                ? find(request.id())
                : Optional.of(new Found.Collected(request));
    }

    private static String owner(Found found) {
        return switch (found) {
            case Found.Reserved(var reservation) -> reservation.origin().owner();
            case Found.Collected(var request) -> request.origin().owner();
        };
    }

    private static UUID uuid(String id) {
        return Texts.uuid(id)
                .orElseThrow(() -> new Problem(
                        ProblemCode.MALFORMED,
                        "Send the id that the reservation was answered with.",
                        List.of(new FieldError("id", Texts.shown(id), "is no UUID"))));
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
