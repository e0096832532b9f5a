package berth.rest;

import berth.broker.BookedReservation;
import berth.broker.ReservationOrRequest;
import berth.broker.Reservations;
import berth.desk.KeyUse;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.rest.EntityTag.Expected;
import berth.security.Access;
import berth.security.Account;
import berth.sla.AccountName;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the reservation that a call names, for those whose business it is. */
@Component
class ReservationLookup {

    /** No reservation is ever in it. */
    private static final int NO_VERSION = -1;

    private final Reservations reservations;
    private final Rights rights;
    private final IdempotencyKeys keys;

    ReservationLookup(Reservations reservations, Rights rights, IdempotencyKeys keys) {
        this.reservations = reservations;
        this.rights = rights;
        this.keys = keys;
    }

    /**
     * What a call acts on.
     *
     * @param version the only one that is meant; empty: whichever it is
     * @param by the account in whose name
     * @param key under which it is called
     */
    record Meant(ReservationOrRequest known, OptionalInt version, AccountName by, Optional<KeyUse> key) {}

    /**
     * What a call is to act on.
     *
     * @param call which call it is: the same key for another one is another request
     * @throws Problem if there is nothing of that id, it may only be read, or a header cannot be read
     */
    Meant meant(String id, @Nullable String ifMatch, @Nullable String key, String call, Account account) {
        var known = find(id, account);
        var access = access(known, account);
        Rights.requireActs(access);
        return new Meant(
                known,
                version(ReservationBodies.version(known), ifMatch),
                access == Access.OWNS ? known.owner() : account.name(),
                key(key, account, call + " " + known.id(), Map.of()));
    }

    /**
     * The use of the key of a call, if it has one.
     *
     * @param call which call it is, on what: the same body to another one is another request
     */
    Optional<KeyUse> key(@Nullable String header, Account account, String call, Object body) {
        return keys.use(header, account, call, body);
    }

    /**
     * What an id names. What is not the account's business answers as if it did not exist.
     *
     * @throws Problem if there is nothing of that id
     */
    ReservationOrRequest find(String id, Account account) {
        return reservations
                .find(new ReservationId(uuid(id)), known -> isShown(known, account))
                .orElseThrow(() -> Problem.notFound("reservation", id));
    }

    /** Whether an account may read something, as it is now. */
    boolean isShown(ReservationOrRequest known, Account account) {
        return access(known, account) != Access.NONE;
    }

    private Access access(ReservationOrRequest known, Account account) {
        return known instanceof BookedReservation.Here(var reservation) && account.isAgentOf(reservation.cluster())
                ? Access.PROVIDES
                : rights.access(account, known.origin());
    }

    /**
     * A reservation of this Berth as it is recorded, which is to be changed.
     *
     * @param by in whose name: the account that has reserved it, for whoever owns it; an administrator in its own
     */
    record Changed(Reservation reservation, Account by) {

        /** Whether its owner wants that. */
        boolean isByOwner() {
            return reservation.origin().owner().equals(by.name());
        }
    }

    /**
     * A reservation of this Berth that is to be changed.
     *
     * @throws Problem if there is none, or no more than a request for it, or it may only be read
     */
    Changed changed(String id, Account account) {
        var known = here(id, account);
        var by = rights.inNameOf(account, known.origin());
        return switch (known) {
            case ReservationOrRequest.Collected(var request) ->
                throw Refusals.wrongState(request.state().name());
            case BookedReservation.Here(var reservation) -> new Changed(reservation, by);
            case BookedReservation.There _ -> throw notPassedOn();
        };
    }

    /**
     * A reservation of this Berth, or what was collected for one.
     *
     * @throws Problem if there is neither
     */
    ReservationOrRequest here(String id, Account account) {
        var known = find(id, account);
        if (known instanceof BookedReservation.There) {
            throw notPassedOn();
        }
        return known;
    }

    /**
     * Whose reservations an account is listed; empty: everybody's.
     *
     * @param project the only one that is listed; null: any
     */
    Optional<AccountName> listed(Account account, @Nullable String project) {
        return rights.listsAll(account, Optional.ofNullable(project)) ? Optional.empty() : Optional.of(account.name());
    }

    private static Problem notPassedOn() {
        return new Problem(
                ProblemCode.ELSEWHERE,
                "The reservation lies at another Berth, which is not asked for this. It can be read, confirmed, fixed,"
                        + " claimed, cancelled and completed here.");
    }

    private static UUID uuid(String id) {
        return Texts.uuid(id).orElseThrow(() -> Problem.noId("reservation", "id", id));
    }

    /**
     * The version that a client means, if it says which: the present one, or one that is none.
     *
     * @param present of the reservation, as it was found
     */
    static OptionalInt version(int present, @Nullable String ifMatch) {
        return switch (EntityTag.expected(ifMatch)) {
            case Expected.Any() -> OptionalInt.empty();
            case Expected.OneOf(var versions) -> OptionalInt.of(versions.contains(present) ? present : NO_VERSION);
        };
    }
}
