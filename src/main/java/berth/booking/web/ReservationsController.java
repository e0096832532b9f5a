package berth.booking.web;

import static berth.http.ProblemCode.BUDGET_EXCEEDED;
import static berth.http.ProblemCode.ELSEWHERE;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.NEEDS_APPROVAL;
import static berth.http.ProblemCode.NEVER_FITS;
import static berth.http.ProblemCode.NOT_FOUND;
import static berth.http.ProblemCode.NO_SLOT;
import static berth.http.ProblemCode.OVER_BUDGET;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.booking.Action;
import berth.booking.BookedReservation;
import berth.booking.Broker.Outcome;
import berth.booking.ReservationList.Filter;
import berth.booking.ReservationOrRequest;
import berth.booking.Reservations;
import berth.booking.TrialOutcome;
import berth.booking.web.RefusedRequests.Wish;
import berth.booking.web.ReserveRequests.ReserveRequest;
import berth.booking.web.ReserveRequests.Where;
import berth.engine.Answer;
import berth.http.EntityTag;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Prefer;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.Required;
import berth.http.Texts;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Reservations. An account sees and changes its own reservations, an owner of a project those filed under the project, and an administrator
 * all.
 */
@RestController
@RequestMapping("/api/v1/reservations")
class ReservationsController {

    private final Reservations reservations;
    private final ReserveRequests requests;
    private final ReservationLookup lookup;
    private final ReservationBodies bodies;
    private final Remedies remedies;

    ReservationsController(
            Reservations reservations,
            ReserveRequests requests,
            ReservationLookup lookup,
            ReservationBodies bodies,
            Remedies remedies) {
        this.reservations = reservations;
        this.requests = requests;
        this.lookup = lookup;
        this.bodies = bodies;
        this.remedies = remedies;
    }

    /**
     * Reserves a slot. Berth returns the reservation once it is durable, so it survives a crash of the service.
     *
     * <p>With {@code start}, the run begins exactly then, or the request is rejected. With {@code hold}, Berth keeps the slot without
     * confirmation until the hold expires, at most until the slot begins. The client confirms the hold before that. With
     * {@code acceptAlternatives}, Berth reserves the nearest alternative if there is no room.
     *
     * <p>Without {@code cluster}, Berth asks all clusters that could hold the run, or those in {@code clusters}, and reserves the best slot
     * by {@code orderBy}. If another request takes that slot meanwhile, Berth tries the next one and reports this in {@code tried}. With
     * both {@code cluster} and {@code orderBy}, Berth reserves the best slot of that cluster.
     *
     * <p>A cluster with the intake DPSAR collects requests, except holds, and decides them together in rounds. The response is then 202
     * with a pending request; with {@code Prefer: wait=10} Berth responds after the decision or ten seconds. An installation can collect
     * requests without a cluster in the same way; the cluster that Berth then chooses decides at once, even if it collects requests itself.
     *
     * <p>If the rules of the cluster, the project or the site ask for the approval of a person, the reservation is PENDING: it keeps its slot
     * until those whom {@code approval} names have approved it, or until that expires. Unless the client chooses the start, Berth then
     * chooses one that leaves time for it. A run that must begin at once is rejected instead.
     *
     * <p>With {@code wait}, a request that finds no room waits, and the response is 202. Berth grants it as soon as there is room, after
     * earlier waiting requests that fit as well.
     *
     * <p>With {@code dryRun}, the response is 200: the reservation or request that the same call without it would make now, or the same
     * problem. Nothing changes, and an idempotency key is not used. A cluster of another Berth cannot be tried.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({
        NOT_FOUND,
        NO_SLOT,
        OVER_BUDGET,
        LIMIT_EXCEEDED,
        BUDGET_EXCEEDED,
        NEEDS_APPROVAL,
        INVALID_TERMS,
        NEVER_FITS
    })
    ResponseEntity<ReservationOrDryRun> reserve(
            @RequestBody ReserveBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @RequestHeader(name = Prefer.HEADER, required = false) @Nullable String prefer,
            @AuthenticationPrincipal Account account) {
        var asked = requests.read(body, key, account);
        if (Boolean.TRUE.equals(body.dryRun())) {
            var allowed = requests.allowed(asked);
            var tried = tried(allowed);
            return ResponseEntity.ok(bodies.tried(granted(tried.outcome(), allowed), tried.trial(), account));
        }
        var granted = remedies.refusedRequests().noting(() -> Wish.of(asked), () -> {
            var allowed = requests.allowed(asked);
            return granted(outcome(allowed), allowed);
        });
        return switch (granted) {
            case BookedReservation booked -> created(booked, new HttpHeaders());
            case ReservationOrRequest.Collected(var request) -> collected(request, asked, prefer);
        };
    }

    /**
     * Returns the reservation or request that the broker made.
     *
     * @throws Problem if the request was rejected, with slots and terms that would fit if there was no room
     */
    private ReservationOrRequest granted(Outcome outcome, ReserveRequest asked) {
        return switch (outcome) {
            case Outcome.Granted(var booked) -> booked;
            case Outcome.Collected(var request) -> new ReservationOrRequest.Collected(request);
            case Outcome.NeverFits(var reasons) -> throw Refusals.nowhere(reasons, asked.sent());
            case Outcome.NoSlot(var tried, var reason) ->
                throw remedies.refused(reason, asked)
                        .after(tried.stream().map(TriedBody::of).toList());
            case Outcome.Ended(Answer.Refused(var reason))
            when reason.lacksRoom() -> throw remedies.refused(reason, asked);
            case Outcome.Ended(var answer) ->
                new BookedReservation.Here(
                        Refusals.granted(answer, asked.sent()).reservation().orElseThrow());
        };
    }

    private Outcome outcome(ReserveRequest asked) {
        var request = asked.request();
        int priority = asked.account().priority();
        return switch (asked.where()) {
            case Where.At(var cluster, var waitUntil) ->
                reservations.reserve(cluster, request, priority, waitUntil, asked.key());
            case Where.BestOf(var cluster) -> reservations.reserveBest(cluster, request, asked.key());
            case Where.Anywhere() -> reservations.reserveAnywhere(request, priority, asked.key());
        };
    }

    private TrialOutcome<Outcome> tried(ReserveRequest asked) {
        var request = asked.request();
        int priority = asked.account().priority();
        return switch (asked.where()) {
            case Where.At(var cluster, var waitUntil) ->
                reservations.tryToReserve(cluster, request, priority, waitUntil);
            case Where.BestOf(var cluster) -> reservations.tryToReserveBest(cluster, request);
            case Where.Anywhere() -> reservations.tryToReserveAnywhere(request, priority);
        };
    }

    private ResponseEntity<ReservationOrDryRun> created(BookedReservation booked, HttpHeaders headers) {
        var body = bodies.of(booked);
        return ResponseEntity.created(location(booked.id()))
                .eTag(EntityTag.of(body.version(), body))
                .headers(headers)
                .body(body);
    }

    private static URI location(ReservationId id) {
        return URI.create("/api/v1/reservations/" + id);
    }

    /** Returns the response to a collected request, once it is decided or the client has waited long enough. */
    private ResponseEntity<ReservationOrDryRun> collected(
            IntakeRequest request, ReserveRequest asked, @Nullable String prefer) {
        var wait = Prefer.waiting(prefer);
        var applied = new HttpHeaders();
        wait.ifPresent(most -> applied.set(Prefer.APPLIED, "wait=" + most.toSeconds()));
        return switch (reservations.await(request, wait.orElse(Duration.ZERO))) {
            case BookedReservation booked -> created(booked, applied);
            case ReservationOrRequest.Collected(var present)
            when present.state() == IntakeRequest.State.REJECTED ->
                throw remedies.refused(present.reason().orElseThrow(), asked);
            case ReservationOrRequest.Collected(var present)
            when present.state() == IntakeRequest.State.EXPIRED -> throw remedies.refused(RefusalCode.NO_SLOT, asked);
            case ReservationOrRequest.Collected(var present) -> {
                var body = bodies.of(present);
                yield ResponseEntity.accepted()
                        .location(location(present.id()))
                        .eTag(EntityTag.of(body.version(), body))
                        .headers(applied)
                        .body(body);
            }
        };
    }

    /**
     * A change of a reservation that needs no agreement on other terms.
     *
     * @param users the users who may run jobs in it from now on, by their names on the machine, at most 50; if empty, only the owner may
     */
    @Schema(name = "ChangedReservation", example = "{\"users\":[\"ada\",\"bob\"]}")
    record ChangedReservationBody(@Required @Nullable List<@Nullable String> users) {}

    /**
     * Changes who may run jobs in a reservation. The list replaces the one before. The cluster's agent then changes the reservation on the
     * machine, and reports users whom the machine does not know. The price stays the same.
     */
    @PatchMapping("/{id}")
    @Refuses({WRONG_STATE, ELSEWHERE, INVALID_TERMS})
    ResponseEntity<ReservationBody> changeReservation(
            @PathVariable String id,
            @RequestBody ChangedReservationBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var users = ReserveRequests.users(fields.required("users", body.users, List.<@Nullable String>of()), fields);
        fields.check();
        var found = lookup.changed(id, account).reservation();
        var version = ReservationLookup.version(found.version(), ifMatch);
        var changed = bodies.of(Refusals.done(reservations.changeUsers(found, version, users)));
        return tagged(changed).body(changed);
    }

    /**
     * A new owner.
     *
     * @param account the account that becomes the owner
     */
    @Schema(name = "Transfer", example = "{\"account\":\"bob\"}")
    record TransferBody(@Required @Nullable String account) {}

    /**
     * Hands a reservation over to another account. The agreement stays as it is, with its price. From then on the new owner owns it, and
     * its limits count; the former owner has no access any more. Where the former owner was among `users`, the new owner takes its place.
     *
     * <p>The owner, and owners of its project, may hand it over to an owner or member of the project. Without a project, only an
     * administrator may, because the new owner would owe the price. An occurrence of a series or a part of a co-allocation cannot be handed
     * over.
     */
    @PostMapping("/{id}/transfer")
    @Refuses({WRONG_STATE, ELSEWHERE, LIMIT_EXCEEDED, NEEDS_APPROVAL, INVALID_TERMS})
    ResponseEntity<ReservationBody> transferReservation(
            @PathVariable String id,
            @RequestBody TransferBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var name = fields.required("account", body.account, "");
        fields.check();
        var call = lookup.transfer(id, ifMatch, key, name, account);
        var changed = bodies.of(Refusals.done(reservations.transfer(
                call.reservation(), call.version(), call.to().name(), call.to().limits(), account.name(), call.key())));
        return tagged(changed).body(changed);
    }

    /** Confirms a hold. If it must be approved, it is PENDING until then. */
    @PostMapping("/{id}/confirm")
    @Refuses({WRONG_STATE, LIMIT_EXCEEDED})
    ResponseEntity<ReservationBody> confirmReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, ifMatch, key, account, Action.CONFIRM);
    }

    /**
     * Options of an action.
     *
     * @param dryRun true to get what the action would do without doing it
     */
    @Schema(name = "Action", example = "{\"dryRun\":true}")
    record ActionBody(@Nullable Boolean dryRun) {}

    /**
     * Fixes the reservation's current place: Berth does not move it any more. Its owner gives up the remaining flexibility, and pays for it
     * as for any tighter terms. An administrator may fix another account's reservation at no cost. A dry run returns the price and changes
     * nothing.
     */
    @PostMapping("/{id}/fix")
    @Refuses({WRONG_STATE, BUDGET_EXCEEDED, INVALID_TERMS})
    ResponseEntity<ReservationOrDryRun> fixReservation(
            @PathVariable String id,
            @RequestBody(required = false) @Nullable ActionBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, body, ifMatch, key, account, Action.FIX);
    }

    /** Claims a run that has begun, if the cluster requires it. The cluster's agent may do so for the owner. */
    @PostMapping("/{id}/claim")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> claimReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, ifMatch, key, account, Action.CLAIM);
    }

    /**
     * Cancels a reservation, or a request before its decision. Its PEs become free at once. A hold owes nothing. A confirmed reservation
     * owes nothing if its owner cancels it in time or an administrator cancels it for another account; later than the tariff's
     * `cancellation.freeUntil` before its start, it owes `cancellation.share` of its price, and at least its `owesAtLeast`. A run that
     * has begun owes its whole price. If it lacks PEs, or has been told that it will, it owes only what it had. A dry run returns what it
     * would owe and changes nothing.
     */
    @PostMapping("/{id}/cancel")
    @Refuses({WRONG_STATE, INVALID_TERMS})
    ResponseEntity<ReservationOrDryRun> cancelReservation(
            @PathVariable String id,
            @RequestBody(required = false) @Nullable ActionBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, body, ifMatch, key, account, Action.CANCEL);
    }

    /**
     * Ends a run early. Its PEs become free at once. It owes its whole price, or only what it had if it lacks PEs or has been told that it
     * will. A dry run returns what it would owe and changes nothing.
     */
    @PostMapping("/{id}/complete")
    @Refuses({WRONG_STATE, INVALID_TERMS})
    ResponseEntity<ReservationOrDryRun> completeReservation(
            @PathVariable String id,
            @RequestBody(required = false) @Nullable ActionBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, body, ifMatch, key, account, Action.COMPLETE);
    }

    private ResponseEntity<ReservationBody> act(
            String id, @Nullable String ifMatch, @Nullable String key, Account account, Action action) {
        var body = acted(lookup.target(id, ifMatch, key, action.name(), account), action);
        return tagged(body).body(body);
    }

    /** Performs an action, or tries it. */
    private ResponseEntity<ReservationOrDryRun> act(
            String id,
            @Nullable ActionBody options,
            @Nullable String ifMatch,
            @Nullable String key,
            Account account,
            Action action) {
        var target = lookup.target(id, ifMatch, key, action.name(), account);
        if (options != null && Boolean.TRUE.equals(options.dryRun)) {
            var tried = reservations.tryToAct(target.known(), action, target.version(), target.by());
            return ResponseEntity.ok(
                    bodies.tried(target.known(), Refusals.done(tried.outcome()), tried.trial(), account));
        }
        var body = acted(target, action);
        return tagged(body).body(body);
    }

    private ReservationBody acted(ReservationLookup.Target target, Action action) {
        var acted = reservations.act(target.known(), action, target.version(), target.by(), target.key());
        return bodies.of(Refusals.done(acted));
    }

    /**
     * Reads a reservation. Berth asks another Berth for a reservation that belongs to it. If that Berth does not respond, the response
     * shows the last known state, and {@code mirrored} says when that was.
     */
    @GetMapping("/{id}")
    ResponseEntity<ReservationBody> readReservation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        var body = bodies.of(lookup.find(id, account));
        return tagged(body).body(body);
    }

    private static ResponseEntity.BodyBuilder tagged(ReservationBody body) {
        return ResponseEntity.ok().eTag(EntityTag.of(body.version(), body));
    }

    /**
     * Lists reservations, newest first, and requests that are collected or wait for room and have not been granted. An account sees its
     * own, and an administrator sees all. A member of a project sees all reservations of the project by naming it in {@code project}.
     * Reservations at other Berths show their last known state. Requests have no place in time, so a list restricted by {@code from} or
     * {@code to} omits them.
     *
     * @param cluster the only cluster to list
     * @param state the only state to list
     * @param project the only project to list
     * @param owner the only account whose reservations to list
     * @param toApprove true to list, instead, the reservations that the account may approve now, whoever made them
     * @param from lists only reservations that end after this instant
     * @param to lists only reservations that start before this instant
     */
    @GetMapping
    @Refuses(INVALID_TERMS)
    Page<ReservationBody> listReservations(
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String state,
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable String toApprove,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var named = fields.label("owner", owner).map(AccountName::new);
        boolean isToApprove = fields.flag("toApprove", toApprove);
        var own = isToApprove ? Optional.<AccountName>empty() : lookup.listed(account, project);
        own.filter(name -> named.filter(other -> !other.equals(name)).isPresent())
                .ifPresent(_ -> fields.invalid(
                        "owner",
                        owner,
                        "must be your own account, or left out; members of a project see others with its project"));
        var filter = new Filter(
                own.or(() -> named),
                fields.label("cluster", cluster).map(ClusterId::new),
                fields.word("state", state, ReservationOrRequestState.class).map(Enum::name),
                fields.label("project", project),
                fields.instantDown("from", from),
                fields.instantUp("to", to));
        fields.check();
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new ReservationId(Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        var source = isToApprove ? lookup.toApprove(filter, olderThan, account) : lookup.listed(filter, olderThan);
        return Page.read(most, source, bodies::of).page(known -> known.id().toString());
    }
}
