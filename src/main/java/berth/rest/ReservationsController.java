package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.NO_SLOT;
import static berth.rest.ProblemCode.OVER_BUDGET;
import static berth.rest.ProblemCode.TOO_MANY_REQUESTS;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.broker.Booked;
import berth.broker.Broker;
import berth.broker.Broker.Outcome;
import berth.broker.BrokerIntake;
import berth.broker.BrokerIntake.Reception;
import berth.broker.BrokerRounds;
import berth.broker.Mirror;
import berth.broker.Mirrors;
import berth.broker.Mirrors.Told;
import berth.broker.Providers;
import berth.broker.Request;
import berth.cluster.IntakeOrder;
import berth.desk.Answer;
import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.KeyUse;
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
import java.time.Duration;
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
import tools.jackson.databind.JsonNode;

/** Reservations: an account sees and changes its own, an administrator all. */
@RestController
@RequestMapping("/api/v1/reservations")
class ReservationsController {

    /** More than are named: those that are not welcome are found, too. */
    private static final int MOST_ALTERNATIVES = 100;

    private final Desks desks;
    private final Broker broker;
    private final Mirrors mirrors;
    private final Providers providers;
    private final Records records;
    private final ClusterLookup clusters;
    private final ReservationLookup reservations;
    private final IdempotencyKeys keys;
    private final Remedies remedies;
    private final Rounds rounds;
    private final BrokerIntake intake;
    private final BrokerRounds brokerRounds;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    ReservationsController(
            Desks desks,
            Broker broker,
            Mirrors mirrors,
            Providers providers,
            Records records,
            ClusterLookup clusters,
            ReservationLookup reservations,
            IdempotencyKeys keys,
            Remedies remedies,
            Rounds rounds,
            BrokerIntake intake,
            BrokerRounds brokerRounds,
            InstantSource clock) {
        this.desks = desks;
        this.broker = broker;
        this.mirrors = mirrors;
        this.providers = providers;
        this.records = records;
        this.clusters = clusters;
        this.reservations = reservations;
        this.keys = keys;
        this.remedies = remedies;
        this.rounds = rounds;
        this.intake = intake;
        this.brokerRounds = brokerRounds;
        this.clock = clock;
    }

    /**
     * A request for a reservation.
     *
     * @param terms what is asked for
     * @param cluster where; on the cluster whose slot is liked best, if left out
     * @param start exactly when the run is to begin; as the cluster chooses or the preference likes best, if left out
     * @param hold how long the slot is kept without being confirmed; confirmed at once, if left out
     * @param acceptAlternatives what to reserve instead if there is no room in the window; nothing, if left out. Only with a
     *     cluster
     * @param orderBy which slot is liked best, by one measure or by weights; the earliest start, if left out. Only without a
     *     cluster, where the cluster itself chooses
     * @param name the client's own label
     * @param project what the client files it under
     */
    @Schema(example = "{\"cluster\":\"demo\",\"terms\":{\"duration\":\"PT2H\",\"pes\":32},\"name\":\"my first run\"}")
    record ReserveBody(
            @Required @Nullable TermsBody terms,
            @Nullable String cluster,
            @Nullable String start,
            @Nullable String hold,
            @Nullable AcceptAlternativesBody acceptAlternatives,

            @Schema(anyOf = {OrderBy.Word.class, OrderBy.WeightsBody.class}) @Nullable
            JsonNode orderBy,

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
     * alternative becomes the terms if there is no room. Without {@code cluster} every cluster that could hold the run is asked,
     * and the slot is reserved that is liked best; if others take it meanwhile the next is tried, as {@code tried} tells. What
     * is answered is promised, and survives a crash of the service.
     * A cluster whose intake is DPSAR collects requests, but for holds, and decides in rounds those that come together: then
     * the request is answered with 202, pending, and decided later; with {@code Prefer: wait=10} the answer waits for it. So
     * are requests without a cluster, where the installation collects them; a cluster that collects decides what it is then
     * asked for at once.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, INVALID_TERMS, NEVER_FITS, TOO_MANY_REQUESTS})
    ResponseEntity<ReservationBody> reserve(
            @RequestBody ReserveBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @RequestHeader(name = Prefer.HEADER, required = false) @Nullable String prefer,
            @AuthenticationPrincipal Account account) {
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
        var preference = OrderBy.read(body.orderBy, fields);
        boolean isBrokered =
                body.cluster == null || providers.find(body.cluster).isPresent();
        requireThatGoesTogether(body, isBrokered, fields);
        if (isBrokered) {
            requireInTime(body, start, hold, fields);
        }
        fields.check();
        var use = keys.use(key, account, "reserve", body);
        var only = Optional.ofNullable(body.cluster);
        var request = new Request(id, origin, account.limits(), terms, start, hold, preference, only);
        var named = body.cluster;
        if (named != null && !isBrokered) {
            return at(named, request, body, use, prefer, account);
        }
        return named == null
                ? anywhere(request, body, use, prefer, account)
                : created(body(granted(broker.reserve(request, use), body)));
    }

    /** On whichever cluster: at once, or in a round where the installation collects such requests. */
    private ResponseEntity<ReservationBody> anywhere(
            Request request, ReserveBody body, Optional<KeyUse> key, @Nullable String prefer, Account account) {
        return switch (intake.take(request, account.priority(), key)) {
            case Reception.AtOnce() -> created(body(granted(broker.reserve(request, key), body)));
            case Reception.InRounds(var collected) -> collected(collected, prefer, Remedies::refused);
            case Reception.Over(var outcome) -> created(body(granted(outcome, body)));
        };
    }

    /** Which slot is liked best is a question to many clusters, which slot would do instead one to a single one. */
    private static void requireThatGoesTogether(ReserveBody body, boolean isBrokered, Fields fields) {
        if (body.cluster != null && body.orderBy != null) {
            fields.invalid(OrderBy.FIELD, body.orderBy, "does not go with cluster, which chooses by its policy");
        }
        if (isBrokered && body.acceptAlternatives != null) {
            fields.invalid(
                    "acceptAlternatives",
                    body.acceptAlternatives,
                    "needs a cluster of this Berth; name one, or leave it out");
        }
    }

    /** What a cluster says by itself, many would say each in its own way. */
    private void requireInTime(ReserveBody body, OptionalLong start, OptionalLong hold, Fields fields) {
        if (hold.isPresent() && hold.getAsLong() < 1) {
            fields.invalid("hold", body.hold, "must be longer than zero");
        }
        if (start.isPresent() && start.getAsLong() < clock.instant().getEpochSecond()) {
            fields.invalid("start", body.start, "must not lie in the past");
        }
    }

    private ResponseEntity<ReservationBody> at(
            String named,
            Request request,
            ReserveBody body,
            Optional<KeyUse> key,
            @Nullable String prefer,
            Account account) {
        var cluster = clusters.schedule(named).cluster();
        var rating = cluster.rating();
        var terms = request.terms();
        var start = request.start();
        // what lies beside a chosen start is an alternative to it, be it in the window or not
        var nearby = start.isPresent() ? terms.startingAt(start.getAsLong(), rating) : terms;
        var origin = request.origin();
        var booking = new Booking(
                origin.owner(),
                request.limits(),
                allowance -> new Reserve(request.id(), origin, terms, start, request.hold(), allowance),
                fallback(body, request.id(), origin, nearby, request.hold()));
        // a hold is a question that wants an answer now
        boolean isCollected =
                cluster.intake().order() == IntakeOrder.DPSAR && request.hold().isEmpty();
        if (isCollected && body.acceptAlternatives != null) {
            throw Problem.notBuilt(
                    "acceptAlternatives",
                    null,
                    "leave it out: this cluster collects requests and decides them in rounds");
        }
        var answer = isCollected
                ? desks.decide(named, new Collect(request.id(), origin, account.priority(), terms, start), key)
                : desks.decide(named, booking, key);
        var wanted = new Wanted(account, origin.serviceClass(), named, nearby, Optional.empty());
        var done = remedies.granted(answer, sent(body), wanted);
        return done.request()
                .map(collected -> collected(collected, prefer, code -> remedies.refused(code, wanted)))
                .orElseGet(() -> created(body(done.reservation().orElseThrow())));
    }

    private static URI location(ReservationId id) {
        return URI.create("/api/v1/reservations/" + id);
    }

    /** What has become of a collected request, once it is decided or the client has waited long enough. */
    private ResponseEntity<ReservationBody> collected(
            IntakeRequest asked, @Nullable String prefer, Function<String, Problem> refusal) {
        var wait = Prefer.waiting(prefer);
        wait.ifPresent(most -> await(asked, most));
        var applied = new HttpHeaders();
        wait.ifPresent(most -> applied.set(Prefer.APPLIED, "wait=" + most.toSeconds()));
        var request = records.collected(asked.id()).orElse(asked);
        return switch (request.state()) {
            case GRANTED -> {
                var reservation = records.find(asked.id())
                        .map(this::body)
                        .or(() -> mirrors.find(asked.id()).map(ReservationBody::of))
                        .orElseThrow();
                yield ResponseEntity.created(location(asked.id()))
                        .eTag(EntityTag.of(reservation.version()))
                        .headers(applied)
                        .body(reservation);
            }
            case REJECTED -> throw refusal.apply(request.reason().orElseThrow());
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

    private void await(IntakeRequest asked, Duration most) {
        asked.cluster()
                .ifPresentOrElse(
                        cluster -> rounds.await(cluster, asked.id(), most), () -> brokerRounds.await(asked.id(), most));
    }

    private static Booked granted(Outcome outcome, ReserveBody body) {
        return switch (outcome) {
            case Outcome.Granted(var booked) -> booked;
            case Outcome.NeverFits(var reasons) -> throw Refusals.nowhere(reasons, sent(body));
            case Outcome.NoSlot(var tried, var reason) ->
                throw Refusals.problem(reason, sent(body))
                        .after(tried.stream().map(TriedBody::of).toList());
            case Outcome.Ended(var answer) ->
                new Booked.Here(
                        Refusals.granted(answer, sent(body)).reservation().orElseThrow());
        };
    }

    private static Sent sent(ReserveBody body) {
        return Sent.terms(body, "start", "hold");
    }

    private static ResponseEntity<ReservationBody> created(ReservationBody reservation) {
        return ResponseEntity.created(URI.create("/api/v1/reservations/" + reservation.id()))
                .eTag(EntityTag.of(reservation.version()))
                .body(reservation);
    }

    private ReservationBody body(Booked booked) {
        return switch (booked) {
            case Booked.Here(var reservation) -> body(reservation);
            case Booked.There(var mirror) -> ReservationBody.of(mirror);
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
        return change(id, ifMatch, account, "confirm", Confirm::new);
    }

    /** Keeps the reservation where it is from now on. */
    @PostMapping("/{id}/fix")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> fixReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, "fix", Fix::new);
    }

    /** Shows up for a run that has begun, where the cluster asks for it. */
    @PostMapping("/{id}/claim")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> claimReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return change(id, ifMatch, account, "claim", Claim::new);
    }

    /** Gives the reservation up, also before it is decided. Its PEs are free at once; before its start it owes nothing. */
    @PostMapping("/{id}/cancel")
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> cancelReservation(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        if (reservations.elsewhere(id, account).isPresent()) {
            return change(id, ifMatch, account, "cancel", Cancel::new);
        }
        return reservations.look(id, account) instanceof Found.Collected(var request)
                        && request.state() == IntakeRequest.State.PENDING
                ? withdraw(request, id, ifMatch, account)
                : change(id, ifMatch, account, "cancel", Cancel::new);
    }

    /** What has been granted in the meantime is given up as what it is now. */
    private ResponseEntity<ReservationBody> withdraw(
            IntakeRequest request, String id, @Nullable String ifMatch, Account account) {
        int version = ReservationBody.of(request).version();
        if (!EntityTag.expected(ifMatch).includes(version)) {
            throw EntityTag.stale(version);
        }
        var cluster = request.cluster();
        if (cluster.isEmpty()) {
            return brokerRounds
                    .withdraw(request.id())
                    .map(given -> tagged(ReservationBody.of(given)))
                    .orElseGet(() -> change(id, ifMatch, account, "cancel", Cancel::new));
        }
        clusters.schedule(cluster.get());
        var answer = desks.decide(cluster.get(), new Withdraw(request.id()));
        if (answer instanceof Answer.Refused(Rejection.NotLive _)) {
            return change(id, ifMatch, account, "cancel", Cancel::new);
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
        return change(id, ifMatch, account, "complete", Complete::new);
    }

    private ResponseEntity<ReservationBody> change(
            String id, @Nullable String ifMatch, Account account, String action, Function<Target, Command> command) {
        var elsewhere = reservations.elsewhere(id, account);
        if (elsewhere.isPresent()) {
            return act(elsewhere.get(), ifMatch, action);
        }
        var reservation = reservations.find(id, account);
        var target = reservations.target(reservation, ifMatch);
        ReservationLookup.requireLive(reservation);
        clusters.schedule(reservation.cluster());
        var answer = desks.decide(reservation.cluster(), command.apply(target));
        return tagged(
                body(Refusals.granted(answer, Sent.nothing()).reservation().orElse(reservation)));
    }

    /** What is reserved at another Berth is changed there. */
    private ResponseEntity<ReservationBody> act(Mirror mirror, @Nullable String ifMatch, String action) {
        int version = ReservationBody.of(mirror).version();
        if (!EntityTag.expected(ifMatch).includes(version)) {
            throw EntityTag.stale(version);
        }
        // what is over there is over: that need not be asked, nor told once more
        if (!mirror.state().isLive()) {
            throw Refusals.wrongState(mirror.state().name());
        }
        return switch (mirrors.act(mirror, action)) {
            case Told.Done(var after) -> tagged(ReservationBody.of(after));
            case Told.Refused(int _, var problem) -> throw Refusals.elsewhere(problem);
            case Told.Silent(var after, var why) -> throw Refusals.unheard(after, why);
        };
    }

    /**
     * Reads a reservation. One at another Berth is asked for there; if that does not answer it is told as it was, and
     * {@code mirrored} says when.
     */
    @GetMapping("/{id}")
    ResponseEntity<ReservationBody> readReservation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        var elsewhere = reservations.elsewhere(id, account);
        if (elsewhere.isPresent()) {
            return tagged(ReservationBody.of(elsewhere.get()));
        }
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
     * time. An account sees its own, an administrator all. Those at other Berths are told as they were when these last told.
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
        var stands = fields.word("state", state, ReservationState.class);
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
                        || stands.flatMap(ReservationState::ofRequest).isPresent())) {
            var filter = new RequestFilter(owner, where, stands.flatMap(ReservationState::ofRequest), filedUnder);
            records.collected(filter, olderThan, most + 1)
                    .forEach(request -> found.put(request.id().toString(), ReservationBody.of(request)));
        }
        if (stands.isEmpty() || stands.flatMap(ReservationState::ofReservation).isPresent()) {
            var filter = new Filter(
                    owner, where, stands.flatMap(ReservationState::ofReservation), filedUnder, endsAfter, startsBefore);
            mirrors.list(filter, olderThan, most + 1)
                    .forEach(mirror -> found.put(mirror.id().toString(), ReservationBody.of(mirror)));
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
