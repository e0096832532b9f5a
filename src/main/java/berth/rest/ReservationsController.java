package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.NO_SLOT;
import static berth.rest.ProblemCode.OVER_BUDGET;
import static berth.rest.ProblemCode.TOO_MANY_REQUESTS;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.cluster.IntakeOrder;
import berth.desk.Answer;
import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.Filter;
import berth.desk.Records.RequestFilter;
import berth.desk.Rounds;
import berth.intake.IntakeRequest;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.rest.Remedies.Wanted;
import berth.rest.ReservationLookup.Found;
import berth.scheduling.Alternatives;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.Cancel;
import berth.scheduling.Claim;
import berth.scheduling.Collect;
import berth.scheduling.Command;
import berth.scheduling.Complete;
import berth.scheduling.Confirm;
import berth.scheduling.Fix;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.scheduling.Target;
import berth.scheduling.Withdraw;
import berth.security.Account;
import berth.security.Role;
import berth.sla.RequestedTerms;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.net.URI;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
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
    private final Rounds rounds;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    ReservationsController(
            Desks desks,
            Records records,
            ClusterLookup clusters,
            ReservationLookup reservations,
            IdempotencyKeys keys,
            Remedies remedies,
            Rounds rounds,
            InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.clusters = clusters;
        this.reservations = reservations;
        this.keys = keys;
        this.remedies = remedies;
        this.rounds = rounds;
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
     * A cluster whose intake is DPSAR collects requests, but for holds, and decides in rounds those that come together: then
     * the request is answered with 202, pending, and decided later; with {@code Prefer: wait=10} the answer waits for it.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, INVALID_TERMS, NEVER_FITS, TOO_MANY_REQUESTS})
    ResponseEntity<ReservationBody> reserve(
            @RequestBody ReserveBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @RequestHeader(name = Prefer.HEADER, required = false) @Nullable String prefer,
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
        var cluster = clusters.schedule(body.cluster).cluster();
        var rating = cluster.rating();
        // what lies beside a chosen start is an alternative to it, be it in the window or not
        var nearby = start.isPresent() ? terms.startingAt(start.getAsLong(), rating) : terms;
        var booking = new Booking(
                account.name(),
                account.limits(),
                allowance -> new Reserve(id, origin, terms, start, hold, allowance),
                fallback(body, id, origin, nearby, hold));
        var use = keys.use(key, account, "reserve", body);
        // a hold is a question that wants an answer now
        boolean isCollected = cluster.intake().order() == IntakeOrder.DPSAR && hold.isEmpty();
        if (isCollected && body.acceptAlternatives != null) {
            throw Problem.notBuilt(
                    "acceptAlternatives",
                    null,
                    "leave it out: this cluster collects requests and decides them in rounds");
        }
        var answer = isCollected
                ? desks.decide(body.cluster, new Collect(id, origin, account.priority(), terms, start), use)
                : desks.decide(body.cluster, booking, use);
        var wanted = new Wanted(account.name(), account.serviceClass(), body.cluster, nearby, Optional.empty());
        var done = remedies.granted(answer, Sent.terms(body, "start", "hold"), wanted);
        return done.request()
                .map(request -> collected(request, prefer, wanted))
                .orElseGet(() -> created(done.reservation().orElseThrow())
                        .body(body(done.reservation().orElseThrow())));
    }

    private static ResponseEntity.BodyBuilder created(Reservation reservation) {
        return ResponseEntity.created(location(reservation.id()))
                .eTag(EntityTag.of(reservation.status().version()));
    }

    private static URI location(ReservationId id) {
        return URI.create("/api/v1/reservations/" + id);
    }

    /** What has become of a collected request, once it is decided or the client has waited long enough. */
    private ResponseEntity<ReservationBody> collected(IntakeRequest asked, @Nullable String prefer, Wanted wanted) {
        var wait = Prefer.waiting(prefer);
        wait.ifPresent(most -> rounds.await(asked.cluster(), asked.id(), most));
        var applied = new HttpHeaders();
        wait.ifPresent(most -> applied.set(Prefer.APPLIED, "wait=" + most.toSeconds()));
        var request = records.collected(asked.id()).orElse(asked);
        return switch (request.state()) {
            case GRANTED -> {
                var reservation = records.find(asked.id()).orElseThrow();
                yield created(reservation).headers(applied).body(body(reservation));
            }
            case REJECTED -> throw remedies.refused(request.reason().orElseThrow(), wanted);
            case PENDING, CANCELLED -> {
                var body = ReservationBody.of(request);
                yield ResponseEntity.accepted()
                        .location(location(asked.id()))
                        .eTag(EntityTag.of(body.version()))
                        .headers(applied)
                        .body(body);
            }
        };
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

    /** Gives the reservation up, also before it is decided. Its PEs are free at once; before its start it owes nothing. */
    @PostMapping("/{id}/cancel")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> cancelReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return reservations.look(id, account) instanceof Found.Collected(var request)
                        && request.state() == IntakeRequest.State.PENDING
                ? withdraw(request, id, ifMatch, account)
                : change(id, ifMatch, account, Cancel::new);
    }

    /** What has been granted in the meantime is given up as what it is now. */
    private ResponseEntity<ReservationBody> withdraw(
            IntakeRequest request, String id, @Nullable String ifMatch, Account account) {
        int version = ReservationBody.of(request).version();
        if (!EntityTag.expected(ifMatch).includes(version)) {
            throw EntityTag.stale(version);
        }
        clusters.schedule(request.cluster());
        var answer = desks.decide(request.cluster(), new Withdraw(request.id()));
        if (answer instanceof Answer.Refused(Rejection.NotLive _)) {
            return change(id, ifMatch, account, Cancel::new);
        }
        return tagged(ReservationBody.of(
                Refusals.granted(answer, Sent.nothing()).request().orElseThrow()));
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
        return tagged(
                body(Refusals.granted(answer, Sent.nothing()).reservation().orElse(reservation)));
    }

    /** Reads a reservation. */
    @GetMapping("/{id}")
    ResponseEntity<ReservationBody> readReservation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return tagged(
                switch (reservations.look(id, account)) {
                    case Found.Reserved(var reservation) -> body(reservation);
                    case Found.Collected(var request) -> ReservationBody.of(request);
                });
    }

    private static ResponseEntity<ReservationBody> tagged(ReservationBody body) {
        return ResponseEntity.ok().eTag(EntityTag.of(body.version())).body(body);
    }

    private ReservationBody body(Reservation reservation) {
        return ReservationBody.of(reservation, clock.instant().getEpochSecond());
    }

    /**
     * Lists reservations, newest first, and requests that were collected for one and are not granted; these lie nowhere in
     * time. An account sees its own, an administrator all.
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
        var owner = account.role() == Role.ADMIN ? Optional.<String>empty() : Optional.of(account.name());
        var where = fields.label("cluster", cluster);
        var stands = fields.word("state", state, ReservationStateBody.class);
        var filedUnder = fields.label("project", project);
        var endsAfter = fields.instantDown("from", from);
        var startsBefore = fields.instantUp("to", to);
        fields.check();
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new ReservationId(Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        // newest first, as UUIDs of version 7 are written; a request that is granted in between is found as a
        // reservation
        var found = new TreeMap<String, ReservationBody>(Comparator.reverseOrder());
        if (endsAfter.isEmpty()
                && startsBefore.isEmpty()
                && (stands.isEmpty()
                        || stands.flatMap(ReservationStateBody::ofRequest).isPresent())) {
            var filter = new RequestFilter(owner, where, stands.flatMap(ReservationStateBody::ofRequest), filedUnder);
            records.collected(filter, olderThan, most + 1)
                    .forEach(request -> found.put(request.id().toString(), ReservationBody.of(request)));
        }
        if (stands.isEmpty()
                || stands.flatMap(ReservationStateBody::ofReservation).isPresent()) {
            var filter = new Filter(
                    owner,
                    where,
                    stands.flatMap(ReservationStateBody::ofReservation),
                    filedUnder,
                    endsAfter,
                    startsBefore);
            records.list(filter, olderThan, most + 1)
                    .forEach(reservation -> found.put(reservation.id().toString(), body(reservation)));
        }
        return Page.of(
                List.copyOf(found.values()),
                most,
                body -> body,
                body -> body.id().toString());
    }

    /** Lists what has happened to a reservation since it was asked for, oldest first. */
    @GetMapping("/{id}/events")
    Page<EventBody> listReservationEvents(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var reservation = switch (reservations.look(id, account)) {
            case Found.Reserved(var reserved) -> reserved.id();
            case Found.Collected(var request) -> request.id();
        };
        var found = records.events(reservation, after == null ? 0 : Page.position(after), most + 1);
        return Page.of(found, most, EventBody::of, event -> Long.toString(event.sequence()));
    }
}
