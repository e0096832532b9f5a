package berth.rest;

import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.Filter;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
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
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reservations: an account sees and changes its own, an administrator all. */
@RestController
@RequestMapping("/api/v1/reservations")
class ReservationsController {

    private final Desks desks;
    private final Records records;
    private final ClusterLookup clusters;
    private final ReservationLookup reservations;
    private final IdempotencyKeys keys;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    ReservationsController(
            Desks desks,
            Records records,
            ClusterLookup clusters,
            ReservationLookup reservations,
            IdempotencyKeys keys,
            InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.clusters = clusters;
        this.reservations = reservations;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * A request for a reservation.
     *
     * @param terms what is asked for
     * @param cluster where
     * @param start exactly when the run is to begin; the first fit, if left out
     * @param hold how long the slot is kept without being confirmed; confirmed at once, if left out
     * @param name the client's own label
     * @param project what the client files it under
     */
    record ReserveBody(
            @Nullable TermsBody terms,
            @Nullable String cluster,
            @Nullable String start,
            @Nullable String hold,
            @Nullable String name,
            @Nullable String project) {}

    /** Reserves a slot. */
    @PostMapping
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
        fields.check();
        clusters.schedule(body.cluster);
        var booking = new Booking(
                account.name(), account.limits(), allowance -> new Reserve(id, origin, terms, start, hold, allowance));
        var answer = desks.decide(body.cluster, booking, keys.use(key, account, "reserve", body));
        var reservation = Refusals.granted(answer, Sent.terms(body, "start", "hold"))
                .reservation()
                .orElseThrow();
        return ResponseEntity.created(URI.create("/api/v1/reservations/" + reservation.id()))
                .eTag(EntityTag.of(reservation.status().version()))
                .body(body(reservation));
    }

    /** Takes what is held. */
    @PostMapping("/{id}/confirm")
    ResponseEntity<ReservationBody> confirm(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Confirm::new);
    }

    /** Keeps the reservation where it is from now on. */
    @PostMapping("/{id}/fix")
    ResponseEntity<ReservationBody> fix(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Fix::new);
    }

    /** Shows up for a run that has begun, where the cluster asks for it. */
    @PostMapping("/{id}/claim")
    ResponseEntity<ReservationBody> claim(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Claim::new);
    }

    /** Gives the reservation up; its PEs are free at once. */
    @PostMapping("/{id}/cancel")
    ResponseEntity<ReservationBody> cancel(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, Cancel::new);
    }

    /** Ends the run early; its PEs are free at once. */
    @PostMapping("/{id}/complete")
    ResponseEntity<ReservationBody> complete(
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

    /** A reservation. */
    @GetMapping("/{id}")
    ResponseEntity<ReservationBody> read(@PathVariable String id, @AuthenticationPrincipal Account account) {
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

    /** The account's reservations, newest first; an administrator sees all. */
    @GetMapping
    Page<ReservationBody> list(
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

    /** What has happened to a reservation, oldest first. */
    @GetMapping("/{id}/events")
    Page<EventBody> events(
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
