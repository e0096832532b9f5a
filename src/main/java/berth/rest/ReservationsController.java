package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.NO_SLOT;
import static berth.rest.ProblemCode.OVER_BUDGET;
import static berth.rest.ProblemCode.TOO_MANY_REQUESTS;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.Filter;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.rest.Remedies.Wanted;
import berth.scheduling.Alternatives;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.Cancel;
import berth.scheduling.Claim;
import berth.scheduling.Command;
import berth.scheduling.Complete;
import berth.scheduling.Confirm;
import berth.scheduling.Fix;
import berth.scheduling.Reserve;
import berth.scheduling.Target;
import berth.security.Account;
import berth.security.Role;
import berth.sla.RequestedTerms;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
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

/** Reservations: an account sees and changes its own, an administrator all. */
@RestController
@RequestMapping("/api/v1/reservations")
class ReservationsController {

    /** More than are named: those that are not welcome are found, too. */
    private static final int MOST_ALTERNATIVES = 100;

    private final Desks desks;
    private final Records records;
    private final ClusterLookup clusters;
    private final ReservationLookup reservations;
    private final IdempotencyKeys keys;
    private final Remedies remedies;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    ReservationsController(
            Desks desks,
            Records records,
            ClusterLookup clusters,
            ReservationLookup reservations,
            IdempotencyKeys keys,
            Remedies remedies,
            InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.clusters = clusters;
        this.reservations = reservations;
        this.keys = keys;
        this.remedies = remedies;
        this.clock = clock;
    }

    /**
     * A request for a reservation.
     *
     * @param terms what is asked for
     * @param cluster where
     * @param start exactly when the run is to begin; the first fit, if left out
     * @param hold how long the slot is kept without being confirmed; confirmed at once, if left out
     * @param acceptAlternatives what to reserve instead if there is no room in the window; nothing, if left out
     * @param name the client's own label
     * @param project what the client files it under
     */
    @Schema(example = "{\"cluster\":\"demo\",\"terms\":{\"duration\":\"PT2H\",\"pes\":32},\"name\":\"my first run\"}")
    record ReserveBody(
            @Required @Nullable TermsBody terms,
            @Required @Nullable String cluster,
            @Nullable String start,
            @Nullable String hold,
            @Nullable AcceptAlternativesBody acceptAlternatives,
            @Nullable String name,
            @Nullable String project) {}

    /**
     * Which slots outside of the window are welcome.
     *
     * @param maxPhi how far from it they may lie, in run times; as far as the cluster allows, if left out, and no farther
     * @param earlier whether they may lie before it; if left out, they may not
     */
    record AcceptAlternativesBody(
            @Nullable BigDecimal maxPhi, @Nullable Boolean earlier) {

        boolean welcomes(Alternative alternative) {
            return Boolean.TRUE.equals(earlier) || alternative.phi().signum() > 0;
        }
    }

    /**
     * Reserves a slot. With {@code start} the run begins exactly then, or is refused. With {@code hold} the slot is kept
     * until the hold expires or is confirmed: until its start at the latest. With {@code acceptAlternatives} the nearest
     * alternative becomes the terms if there is no room. What is answered is promised, and survives a crash of the service.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, INVALID_TERMS, NEVER_FITS, TOO_MANY_REQUESTS})
    ResponseEntity<ReservationBody> reserve(
            @RequestBody ReserveBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        if (body.cluster == null) {
            throw Problem.notBuilt("cluster", null, "name one: a choice among clusters is still to come");
        }
        var fields = new Fields(body);
        var id = new ReservationId(ids.generate());
        var origin = new Origin(
                account.name(),
                account.serviceClass(),
                fields.label("name", body.name),
                fields.label("project", body.project));
        var terms = TermsBody.read(body.terms, fields);
        var start = fields.instantUp("start", body.start);
        var hold = fields.durationUp("hold", body.hold);
        if (body.acceptAlternatives != null) {
            Remedies.check(fields, "acceptAlternatives.maxPhi", body.acceptAlternatives.maxPhi);
        }
        fields.check();
        var rating = clusters.schedule(body.cluster).cluster().rating();
        // what lies beside a chosen start is an alternative to it, be it in the window or not
        var nearby = start.isPresent() ? terms.startingAt(start.getAsLong(), rating) : terms;
        var booking = new Booking(
                account.name(),
                account.limits(),
                allowance -> new Reserve(id, origin, terms, start, hold, allowance),
                fallback(body, id, origin, nearby, hold));
        var answer = desks.decide(body.cluster, booking, keys.use(key, account, "reserve", body));
        var wanted = new Wanted(account.name(), account.serviceClass(), body.cluster, nearby, Optional.empty());
        var reservation = remedies.granted(answer, Sent.terms(body, "start", "hold"), wanted)
                .reservation()
                .orElseThrow();
        return ResponseEntity.created(URI.create("/api/v1/reservations/" + reservation.id()))
                .eTag(EntityTag.of(reservation.status().version()))
                .body(body(reservation));
    }

    /** What the client would take instead. */
    private static Optional<Booking.Fallback> fallback(
            ReserveBody body, ReservationId id, Origin origin, RequestedTerms terms, OptionalLong hold) {
        var welcome = body.acceptAlternatives;
        return welcome == null
                ? Optional.empty()
                : Optional.of((schedule, now) -> {
                    var maxPhi = Remedies.maxPhi(schedule, welcome.maxPhi);
                    return new Alternatives(terms, origin.serviceClass(), maxPhi, MOST_ALTERNATIVES)
                            .ask(schedule, now).found().stream()
                                    .filter(welcome::welcomes)
                                    .findFirst()
                                    .map(alternative -> allowance -> new Reserve(
                                            id,
                                            origin.accepting(alternative.phi()),
                                            alternative.terms(),
                                            OptionalLong.empty(),
                                            hold,
                                            allowance));
                });
    }

    /** Takes what is held. */
    @PostMapping("/{id}/confirm")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> confirmReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Confirm::new);
    }

    /** Keeps the reservation where it is from now on. */
    @PostMapping("/{id}/fix")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> fixReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Fix::new);
    }

    /** Shows up for a run that has begun, where the cluster asks for it. */
    @PostMapping("/{id}/claim")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> claimReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Claim::new);
    }

    /** Gives the reservation up. Its PEs are free at once; before its start it owes nothing. */
    @PostMapping("/{id}/cancel")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> cancelReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Cancel::new);
    }

    /** Ends the run early. Its PEs are free at once. */
    @PostMapping("/{id}/complete")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> completeReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Complete::new);
    }

    private ResponseEntity<ReservationBody> change(
            String id, @Nullable String ifMatch, Account account, Function<Target, Command> command) {
        var reservation = reservations.find(id, account);
        var target = reservations.target(reservation, ifMatch);
        ReservationLookup.requireLive(reservation);
        clusters.schedule(reservation.cluster());
        var answer = desks.decide(reservation.cluster(), command.apply(target));
        return tagged(Refusals.granted(answer, Sent.nothing()).reservation().orElse(reservation));
    }

    /** Reads a reservation. */
    @GetMapping("/{id}")
    ResponseEntity<ReservationBody> readReservation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return tagged(reservations.find(id, account));
    }

    private ResponseEntity<ReservationBody> tagged(Reservation reservation) {
        return ResponseEntity.ok()
                .eTag(EntityTag.of(reservation.status().version()))
                .body(body(reservation));
    }

    private ReservationBody body(Reservation reservation) {
        return ReservationBody.of(reservation, clock.instant().getEpochSecond());
    }

    /**
     * Lists reservations, newest first. An account sees its own, an administrator all.
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
        var filter = new Filter(
                account.role() == Role.ADMIN ? Optional.empty() : Optional.of(account.name()),
                fields.label("cluster", cluster),
                fields.word("state", state, ReservationState.class),
                fields.label("project", project),
                fields.instantDown("from", from),
                fields.instantUp("to", to));
        fields.check();
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new ReservationId(Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        var found = records.list(filter, olderThan, most + 1);
        return Page.of(found, most, this::body, reservation -> reservation.id().toString());
    }

    /** Lists what has happened to a reservation, oldest first. */
    @GetMapping("/{id}/events")
    Page<EventBody> listReservationEvents(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var reservation = reservations.find(id, account);
        var found = records.events(reservation.id(), after == null ? 0 : Page.position(after), most + 1);
        return Page.of(found, most, EventBody::of, event -> Long.toString(event.sequence()));
    }
}
