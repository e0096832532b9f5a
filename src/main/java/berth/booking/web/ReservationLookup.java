package berth.booking.web;

import berth.accounts.Access;
import berth.accounts.Account;
import berth.booking.BookedReservation;
import berth.booking.CoallocationStore;
import berth.booking.ReservationList;
import berth.booking.ReservationList.Filter;
import berth.booking.ReservationOrRequest;
import berth.booking.Reservations;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.http.EntityTag;
import berth.http.EntityTag.Expected;
import berth.http.Page;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Texts;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Approvals;
import berth.sla.AccountName;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the reservation that a call names, if the account has a right to it. */
@Component
public class ReservationLookup {

    /** A version that no reservation ever has. */
    private static final int NO_VERSION = -1;

    private final Reservations reservations;
    private final ReservationList list;
    private final Rights rights;
    private final IdempotencyKeys keys;
    private final CoallocationStore coallocations;
    private final Desks desks;

    ReservationLookup(
            Reservations reservations,
            ReservationList list,
            Rights rights,
            IdempotencyKeys keys,
            CoallocationStore coallocations,
            Desks desks) {
        this.reservations = reservations;
        this.list = list;
        this.rights = rights;
        this.keys = keys;
        this.coallocations = coallocations;
        this.desks = desks;
    }

    /**
     * The target of a call.
     *
     * @param version the version that the client expects; empty if it accepts any version
     * @param by the account in whose name the call acts
     * @param key the use of the call's idempotency key
     */
    record Target(ReservationOrRequest known, OptionalInt version, AccountName by, Optional<KeyUse> key) {}

    /**
     * Finds the target of a call that acts on a reservation.
     *
     * @param call the name of the call, so that the same key in another call counts as another request
     * @throws Problem if there is no such reservation, if the account may only read it, or if a header cannot be read
     */
    Target target(String id, @Nullable String ifMatch, @Nullable String key, String call, Account account) {
        var known = find(id, account);
        var access = access(known, account);
        Rights.requireActs(access);
        return new Target(
                known,
                version(ReservationBodies.version(known), ifMatch),
                access == Access.OWNS ? known.owner() : account.name(),
                key(key, account, call + " " + known.id(), Map.of()));
    }

    /**
     * Returns the use of a call's idempotency key, if it has one.
     *
     * @param call the name and target of the call, so that the same body in another call counts as another request
     */
    Optional<KeyUse> key(@Nullable String header, Account account, String call, Object body) {
        return keys.use(header, account, call, body);
    }

    /**
     * Finds a reservation or request. If the account has no right to it, the call fails as if it did not exist.
     *
     * @throws Problem if there is nothing with that id that the account may read
     */
    ReservationOrRequest find(String id, Account account) {
        return reservations
                .find(new ReservationId(uuid(id)), known -> isShown(known, account))
                .orElseThrow(() -> Problem.notFound("reservation", id));
    }

    /** Checks whether an account may read a reservation or request in its current state. */
    public boolean isShown(ReservationOrRequest known, Account account) {
        return access(known, account) != Access.NONE;
    }

    private Access access(ReservationOrRequest known, Account account) {
        if (known instanceof BookedReservation.Here(var reservation) && account.isAgentOf(reservation.cluster())) {
            return Access.PROVIDES;
        }
        var access = rights.access(account, known.origin());
        return access == Access.NONE && approves(known, account) ? Access.READS : access;
    }

    /** Whether an account may approve for the cluster of a reservation that needs approval, or needed it. */
    private boolean approves(ReservationOrRequest known, Account account) {
        return known instanceof BookedReservation.Here(var reservation)
                && reservation.status().approval().isPresent()
                && desks.schedule(reservation.cluster())
                        .filter(schedule -> schedule.cluster()
                                .policy()
                                .approval()
                                .approvers()
                                .contains(account.name()))
                        .isPresent();
    }

    /** Returns the reservations for which an account may approve at present, newest first, without those that a filter excludes. */
    Page.Source<ReservationOrRequest> toApprove(Filter filter, Optional<ReservationId> olderThan, Account account) {
        var found = desks.clusters().stream()
                .flatMap(cluster -> desks.funded(cluster.id()).stream())
                .flatMap(basis -> new Approvals(basis).answerable(account.name()).stream())
                .filter(filter::allows)
                .filter(one -> olderThan
                        .filter(last -> one.id().value().compareTo(last.value()) >= 0)
                        .isEmpty())
                .sorted(Comparator.comparing((Reservation one) -> one.id().value())
                        .reversed())
                .<ReservationOrRequest>map(BookedReservation.Here::new)
                .toList();
        return (read, most) -> found.subList(read.size(), Math.min(read.size() + most, found.size()));
    }

    /**
     * A reservation of this Berth that a call wants to change.
     *
     * @param by the account in whose name the call acts. Owners of the reservation or its project act in the name of the account that made
     *     it, administrators in their own
     * @param caller the account that makes the call
     */
    record Changed(Reservation reservation, Account by, Account caller) {

        /** Checks whether the call acts in the owner's name. */
        boolean isByOwner() {
            return reservation.origin().owner().equals(by.name());
        }
    }

    /**
     * Finds a reservation of this Berth for a call that changes it.
     *
     * @throws Problem if there is none, if it is still a collected request, or if the account may only read it
     */
    Changed changed(String id, Account account) {
        var known = here(id, account);
        var by = rights.inNameOf(account, known.origin());
        return switch (known) {
            case ReservationOrRequest.Collected(var request) ->
                throw Refusals.wrongState(request.state().name());
            case BookedReservation.Here(var reservation) -> new Changed(reservation, by, account);
            case BookedReservation.There _ -> throw notPassedOn();
        };
    }

    /**
     * A reservation that is handed over.
     *
     * @param version the version that the client expects; empty if it accepts any version
     * @param to the new owner
     * @param key the use of the call's idempotency key
     */
    record Transferred(Reservation reservation, OptionalInt version, Account to, Optional<KeyUse> key) {}

    /**
     * Finds a reservation of this Berth for a call that hands it over.
     *
     * @param to the name of the new owner
     * @throws Problem if there is none, if it is still a collected request or part of a co-allocation, or if the account may not hand it over
     */
    Transferred transfer(String id, @Nullable String ifMatch, @Nullable String key, String to, Account account) {
        var known = here(id, account);
        var receiver = rights.receiver(account, known.origin(), to);
        return switch (known) {
            case ReservationOrRequest.Collected(var request) ->
                throw Refusals.wrongState(request.state().name());
            case BookedReservation.Here(var reservation) -> {
                if (coallocations.isPart(reservation.id())) {
                    throw Problem.field(
                            ProblemCode.INVALID_TERMS,
                            "account",
                            to,
                            "cannot get one part of a run on several clusters; cancel the run, and reserve it for the account");
                }
                yield new Transferred(
                        reservation,
                        version(reservation.version(), ifMatch),
                        receiver,
                        key(key, account, "transfer " + reservation.id(), Map.of("account", to)));
            }
            case BookedReservation.There _ -> throw notPassedOn();
        };
    }

    /**
     * Finds a reservation of this Berth, or a collected request.
     *
     * @throws Problem if there is neither
     */
    public ReservationOrRequest here(String id, Account account) {
        var known = find(id, account);
        if (known instanceof BookedReservation.There) {
            throw notPassedOn();
        }
        return known;
    }

    /**
     * Returns the account whose reservations a list shows; empty if the list shows all accounts.
     *
     * @param project the only project that is listed; null for all projects
     */
    Optional<AccountName> listed(Account account, @Nullable String project) {
        return rights.listsAll(account, Optional.ofNullable(project)) ? Optional.empty() : Optional.of(account.name());
    }

    /** Returns the reservations and requests of a list. */
    Page.Source<ReservationOrRequest> listed(ReservationList.Filter filter, Optional<ReservationId> olderThan) {
        return Page.Source.of(olderThan, ReservationOrRequest::id, (last, most) -> list.newest(filter, last, most));
    }

    private static Problem notPassedOn() {
        return new Problem(
                ProblemCode.ELSEWHERE,
                "The reservation belongs to another Berth, and this call does not reach that Berth. Here it can be read, confirmed, fixed,"
                        + " claimed, cancelled and completed.");
    }

    private static UUID uuid(String id) {
        return Texts.uuid(id).orElseThrow(() -> Problem.noId("reservation", "id", id));
    }

    /**
     * Returns the version that the client expects: {@code present} if the header names it, and otherwise a version that does not exist.
     * Empty if the client accepts any version.
     *
     * @param present the current version of the reservation
     */
    static OptionalInt version(int present, @Nullable String ifMatch) {
        return switch (EntityTag.expected(ifMatch)) {
            case Expected.Any() -> OptionalInt.empty();
            case Expected.OneOf(var versions) -> OptionalInt.of(versions.contains(present) ? present : NO_VERSION);
        };
    }
}
