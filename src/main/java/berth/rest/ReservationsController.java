package berth.rest;

import static berth.rest.ProblemCode.BUDGET_EXCEEDED;
import static berth.rest.ProblemCode.ELSEWHERE;
import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.NO_SLOT;
import static berth.rest.ProblemCode.OVER_BUDGET;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.broker.Action;
import berth.broker.BookedReservation;
import berth.broker.Broker.Outcome;
import berth.broker.ReservationFilter;
import berth.broker.ReservationFilter.Stands;
import berth.broker.ReservationOrRequest;
import berth.broker.Reservations;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.rest.ReserveRequests.Asked;
import berth.rest.ReserveRequests.Where;
import berth.security.Account;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Reservations: an account sees and changes its own, an owner of a project what is filed under it, an administrator all. */
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
     * Reserves a slot. With {@code start} the run begins exactly then, or is refused. With {@code hold} the slot is kept
     * until the hold expires or is confirmed: until its start at the latest. With {@code acceptAlternatives} the nearest
     * alternative becomes the terms if there is no room. Without {@code cluster} every cluster that could hold the run is asked,
     * or those of {@code clusters}, and the slot is reserved that is liked best; if others take it meanwhile the next is tried, as
     * {@code tried} tells. With {@code cluster} and {@code orderBy} that is the best slot of this cluster. What is answered is
     * promised, and survives a crash of the service.
     * A cluster whose intake is DPSAR collects requests, but for holds, and decides in rounds those that come together: then
     * the request is answered with 202, pending, and decided later; with {@code Prefer: wait=10} the answer waits for it. So
     * are requests without a cluster, where the installation collects them; a cluster that collects decides what it is then
     * asked for at once. With {@code wait} a request for which there is no room is answered with 202, too: it waits, and is granted as
     * soon as room appears, after those that waited before it and fit as well.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, BUDGET_EXCEEDED, INVALID_TERMS, NEVER_FITS})
    ResponseEntity<ReservationBody> reserve(
            @RequestBody ReserveBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @RequestHeader(name = Prefer.HEADER, required = false) @Nullable String prefer,
            @AuthenticationPrincipal Account account) {
        var asked = requests.read(body, key, account);
        return switch (remedies.granted(outcome(asked), asked)) {
            case BookedReservation booked -> created(booked, new HttpHeaders());
            case ReservationOrRequest.Collected(var request) -> collected(request, asked, prefer);
        };
    }

    private Outcome outcome(Asked asked) {
        var request = asked.request();
        int priority = asked.account().priority();
        return switch (asked.where()) {
            case Where.At(var cluster, var waitUntil) ->
                reservations.reserve(cluster, request, priority, waitUntil, asked.key());
            case Where.BestOf(var cluster) -> reservations.reserveBest(cluster, request, asked.key());
            case Where.Anywhere() -> reservations.reserveAnywhere(request, priority, asked.key());
        };
    }

    private ResponseEntity<ReservationBody> created(BookedReservation booked, HttpHeaders headers) {
        var body = bodies.of(booked);
        return ResponseEntity.created(location(booked.id()))
                .eTag(EntityTag.of(body.version()))
                .headers(headers)
                .body(body);
    }

    private static URI location(ReservationId id) {
        return URI.create("/api/v1/reservations/" + id);
    }

    /** What has become of a collected request, once it is decided or the client has waited long enough. */
    private ResponseEntity<ReservationBody> collected(IntakeRequest request, Asked asked, @Nullable String prefer) {
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
                        .eTag(EntityTag.of(body.version()))
                        .headers(applied)
                        .body(body);
            }
        };
    }

    /** Takes what is held. */
    @PostMapping("/{id}/confirm")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> confirmReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, ifMatch, key, account, Action.CONFIRM);
    }

    /**
     * How a place is to be fixed.
     *
     * @param dryRun whether only to say what it would cost; if left out, the place is fixed
     */
    @Schema(example = "{\"dryRun\":true}")
    record FixBody(@Nullable Boolean dryRun) {}

    /**
     * Keeps the reservation where it is from now on. Its owner gives up what flexibility is left, and pays for it as for any tighter
     * terms; an administrator may fix the place of another for nothing. A dry run says what it would cost, and changes nothing.
     */
    @PostMapping("/{id}/fix")
    @Refuses({WRONG_STATE, BUDGET_EXCEEDED})
    ResponseEntity<ReservationBody> fixReservation(
            @PathVariable String id,
            @RequestBody(required = false) @Nullable FixBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return body != null && Boolean.TRUE.equals(body.dryRun)
                ? tryFix(id, body, ifMatch, account)
                : act(id, ifMatch, key, account, Action.FIX);
    }

    /** As it would be, were it fixed. */
    private ResponseEntity<ReservationBody> tryFix(String id, FixBody body, @Nullable String ifMatch, Account account) {
        var meant = lookup.meant(id, ifMatch, null, "tryFix", account);
        var reservation = switch (meant.known()) {
            case BookedReservation.Here(var here) -> here;
            case BookedReservation.There _ ->
                throw Problem.field(
                        ProblemCode.MALFORMED, "dryRun", body.dryRun, "is not told by other Berths; leave it out");
            case ReservationOrRequest.Collected(var request) ->
                throw Refusals.wrongState(request.state().name());
        };
        return ResponseEntity.ok(
                bodies.of(Refusals.done(reservations.tryFix(reservation, meant.version(), meant.by()))));
    }

    /** Shows up for a run that has begun, where the cluster asks for it; the cluster's agent may do so for its owner. */
    @PostMapping("/{id}/claim")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> claimReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, ifMatch, key, account, Action.CLAIM);
    }

    /** Gives the reservation up, also before it is decided. Its PEs are free at once; before its start it owes nothing. */
    @PostMapping("/{id}/cancel")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> cancelReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, ifMatch, key, account, Action.CANCEL);
    }

    /** Ends the run early. Its PEs are free at once. */
    @PostMapping("/{id}/complete")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> completeReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return act(id, ifMatch, key, account, Action.COMPLETE);
    }

    private ResponseEntity<ReservationBody> act(
            String id, @Nullable String ifMatch, @Nullable String key, Account account, Action action) {
        var meant = lookup.meant(id, ifMatch, key, action.name(), account);
        var acted = reservations.act(meant.known(), action, meant.version(), meant.by(), meant.key());
        return tagged(bodies.of(Refusals.done(acted)));
    }

    /**
     * Reads a reservation. One at another Berth is asked for there; if that does not answer it is told as it was, and
     * {@code mirrored} says when.
     */
    @GetMapping("/{id}")
    ResponseEntity<ReservationBody> readReservation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return tagged(bodies.of(lookup.find(id, account)));
    }

    private static ResponseEntity<ReservationBody> tagged(ReservationBody body) {
        return ResponseEntity.ok().eTag(EntityTag.of(body.version())).body(body);
    }

    /**
     * Lists reservations, newest first, and requests that were collected for one, or wait for room, and are not granted; these lie nowhere in
     * time. An account sees its own, an administrator all; a member of a project sees all that is filed under it, if asked for by {@code project}. Those at other Berths are told as they were when these last told.
     *
     * @param cluster only those on this cluster
     * @param state only those in this state
     * @param project only those filed under this project
     * @param from only those that end after this instant
     * @param to only those that start before this instant
     */
    @GetMapping
    Page<ReservationBody> listReservations(
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String state,
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var filter = new ReservationFilter(
                lookup.listed(account, project),
                fields.label("cluster", cluster).map(ClusterId::new),
                fields.word("state", state, ReservationState.class)
                        .map(stands -> new Stands(stands.ofReservation(), stands.ofRequest())),
                fields.label("project", project),
                fields.instantDown("from", from),
                fields.instantUp("to", to));
        fields.check();
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new ReservationId(Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        return Page.of(
                reservations.list(filter, olderThan, most + 1),
                most,
                bodies::of,
                known -> known.id().toString());
    }

    /** Lists what has happened to a reservation since it was asked for, oldest first. */
    @GetMapping("/{id}/events")
    @Refuses(ELSEWHERE)
    Page<EventBody> listReservationEvents(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var known = lookup.here(id, account);
        var found = reservations.events(known.id(), after == null ? 0 : Page.position(after), most + 1);
        return Page.of(found, most, EventBody::of, event -> Long.toString(event.sequence()));
    }
}
