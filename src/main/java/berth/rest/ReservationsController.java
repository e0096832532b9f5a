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
import berth.cluster.Cluster;
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
import berth.reservation.ReservationId;
import berth.rest.Remedies.Wanted;
import berth.rest.ReservationLookup.Found;
import berth.scheduling.AcceptableAlternatives;
import berth.scheduling.Cancel;
import berth.scheduling.Claim;
import berth.scheduling.Collect;
import berth.scheduling.Command;
import berth.scheduling.Complete;
import berth.scheduling.Confirm;
import berth.scheduling.Decision;
import berth.scheduling.Fix;
import berth.scheduling.Fix.Wish;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.scheduling.Target;
import berth.scheduling.Withdraw;
import berth.security.Account;
import berth.security.Role;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
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

    /** The most clusters that a request may choose from. */
    private static final int MOST_CLUSTERS = 100;

    private final Desks desks;
    private final Broker broker;
    private final Mirrors mirrors;
    private final Providers providers;
    private final Records records;
    private final ClusterLookup clusters;
    private final ReservationLookup reservations;
    private final ReservationBodies bodies;
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
            ReservationBodies bodies,
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
        this.bodies = bodies;
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
     * @param clusters among which the slot is chosen that is liked best, 1 to 100 of them; all, if left out. Not beside cluster
     * @param start exactly when the run is to begin, where it then stays, unless the terms say by {@code fixAfter} how long it may be
     *     moved; as the cluster chooses or the preference likes best, if left out
     * @param hold how long the slot is kept without being confirmed; confirmed at once, if left out
     * @param acceptAlternatives what to reserve instead if there is no room in the window; nothing, if left out
     * @param orderBy which slot is liked best, by one measure or by weights; if left out, a cluster that is named chooses by its
     *     policy, and of several the earliest start is the best
     * @param name the client's own label
     * @param project what the client files it under
     */
    @Schema(example = "{\"cluster\":\"demo\",\"terms\":{\"duration\":\"PT2H\",\"pes\":32},\"name\":\"my first run\"}")
    record ReserveBody(
            @Required @Nullable TermsBody terms,
            @Nullable String cluster,
            @Nullable List<@Nullable String> clusters,
            @Nullable String start,
            @Nullable String hold,
            @Nullable AcceptAlternativesBody acceptAlternatives,

            @Schema(anyOf = {OrderBy.Word.class, OrderBy.WeightsBody.class}) @Nullable
            JsonNode orderBy,

            @Nullable String name,
            @Nullable String project) {}

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
        // who chooses the very start has the run begin then, unless it says until when it may be moved
        var wanted = start.isPresent() && terms.fixing().after().isEmpty()
                ? terms.fixing(terms.fixing().atOnce())
                : terms;
        var hold = fields.durationUp("hold", body.hold);
        var leeway = AcceptAlternativesBody.read(body.acceptAlternatives, fields);
        var preference = OrderBy.read(body.orderBy, fields);
        var only = only(body, fields);
        var named = body.cluster;
        boolean isBrokered = named == null
                || OrderBy.isGiven(body.orderBy)
                || providers.find(named).isPresent();
        if (isBrokered) {
            requireInTime(body, start, hold, fields);
        }
        fields.check();
        if (named != null && OrderBy.isGiven(body.orderBy)) {
            requireOrder(named, hold, body);
        }
        var use = keys.use(key, account, "reserve", body);
        var request = new Request(id, origin, account.limits(), wanted, start, hold, preference, leeway, only);
        if (named != null && !isBrokered) {
            return at(named, request, body, use, prefer, account);
        }
        return named == null
                ? anywhere(request, body, use, prefer, account)
                : created(body(granted(broker.reserve(request, use), request, body, account)));
    }

    /** The clusters that may be asked; none, if all may. */
    private Set<String> only(ReserveBody body, Fields fields) {
        var given = body.clusters;
        if (given == null) {
            return body.cluster == null ? Set.of() : Set.of(body.cluster);
        }
        if (body.cluster != null) {
            fields.invalid("clusters", given.size(), "does not go with cluster; send one of them");
        }
        if (given.isEmpty() || given.size() > MOST_CLUSTERS) {
            fields.invalid(
                    "clusters",
                    given.size(),
                    "must name 1 to %d clusters; leave it out to ask all".formatted(MOST_CLUSTERS));
            return Set.of();
        }
        var only = new LinkedHashSet<String>();
        for (int i = 0; i < given.size(); i++) {
            var cluster = given.get(i);
            if (cluster == null) {
                fields.malformed("clusters[%d]".formatted(i), null, "must name a cluster");
            } else if (!clusters.isKnown(cluster)) {
                fields.invalid(
                        "clusters[%d]".formatted(i),
                        cluster,
                        "is no cluster; list the clusters to see which there are");
            } else {
                only.add(cluster);
            }
        }
        return only;
    }

    /** The slots of a cluster are not put in order where it decides in rounds, by its policy. */
    private void requireOrder(String named, OptionalLong hold, ReserveBody body) {
        if (providers.find(named).isEmpty()
                && isCollected(clusters.schedule(named).cluster(), hold)) {
            throw Problem.field(
                    INVALID_TERMS,
                    OrderBy.FIELD,
                    body.orderBy,
                    "does not go with a cluster that collects requests, and decides them by its policy; leave it out");
        }
    }

    /** A hold is a question that wants an answer now. */
    private static boolean isCollected(Cluster cluster, OptionalLong hold) {
        return cluster.intake().order() == IntakeOrder.DPSAR && hold.isEmpty();
    }

    /** On whichever cluster: at once, or in a round where the installation collects such requests. */
    private ResponseEntity<ReservationBody> anywhere(
            Request request, ReserveBody body, Optional<KeyUse> key, @Nullable String prefer, Account account) {
        return switch (intake.take(request, account.priority(), key)) {
            case Reception.AtOnce() -> created(body(granted(broker.reserve(request, key), request, body, account)));
            case Reception.InRounds(var collected) ->
                collected(collected, prefer, code -> Remedies.refused(code, () -> remedies.anywhere(request, account)));
            case Reception.Over(var outcome) -> created(body(granted(outcome, request, body, account)));
        };
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
        var terms = request.terms();
        var start = request.start();
        var origin = request.origin();
        var booking = new Booking(
                origin.owner(),
                request.limits(),
                allowance -> new Reserve(request.id(), origin, terms, start, request.hold(), allowance),
                fallback(request));
        var collect = new Collect(request.id(), origin, account.priority(), terms, start, request.leeway());
        var answer = isCollected(cluster, request.hold())
                ? desks.decide(named, collect, key)
                : desks.decide(named, booking, key);
        // what lies beside a chosen start is an alternative to it, be it in the window or not
        var nearby = terms.at(start, cluster.rating());
        var wanted = new Wanted(account, origin.serviceClass(), named, nearby, Optional.empty());
        var done = remedies.granted(answer, sent(body), wanted);
        return done.request()
                .map(collected ->
                        collected(collected, prefer, code -> Remedies.refused(code, () -> remedies.offered(wanted))))
                .orElseGet(() -> created(bodies.of(done.reservation().orElseThrow())));
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
                        .map(bodies::of)
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

    private Booked granted(Outcome outcome, Request request, ReserveBody body, Account account) {
        return switch (outcome) {
            case Outcome.Granted(var booked) -> booked;
            case Outcome.NeverFits(var reasons) -> throw Refusals.nowhere(reasons, sent(body));
            case Outcome.NoSlot(var tried, var reason) ->
                throw Refusals.problem(reason, sent(body))
                        .offering(remedies.anywhere(request, account))
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
            case Booked.Here(var reservation) -> bodies.of(reservation);
            case Booked.There(var mirror) -> ReservationBody.of(mirror);
        };
    }

    /** What the client would take instead. */
    private static Optional<Booking.Fallback> fallback(Request request) {
        return request.leeway()
                .map(leeway -> (schedule, now) -> new AcceptableAlternatives(
                                request.terms(),
                                request.start(),
                                request.origin().serviceClass(),
                                leeway)
                        .ask(schedule, now).stream()
                                .findFirst()
                                .map(alternative -> allowance -> new Reserve(
                                        request.id(),
                                        request.origin().accepting(alternative.phi()),
                                        alternative.terms(),
                                        OptionalLong.empty(),
                                        request.hold(),
                                        allowance)));
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
    @Refuses(WRONG_STATE)
    ResponseEntity<ReservationBody> fixReservation(
            @PathVariable String id,
            @RequestBody(required = false) @Nullable FixBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        return body != null && Boolean.TRUE.equals(body.dryRun)
                ? fixed(id, body, ifMatch, account)
                : change(id, ifMatch, account, "fix", (target, owner) -> new Fix(target, wish(owner, account)));
    }

    private static Wish wish(String owner, Account account) {
        return owner.equals(account.name()) ? Wish.OWNERS : Wish.PROVIDERS;
    }

    /** As it would be, were it fixed. */
    private ResponseEntity<ReservationBody> fixed(String id, FixBody body, @Nullable String ifMatch, Account account) {
        if (reservations.elsewhere(id, account).isPresent()) {
            throw Problem.field(
                    ProblemCode.MALFORMED, "dryRun", body.dryRun, "is not told by other Berths; leave it out");
        }
        var reservation = reservations.find(id, account);
        var target = reservations.target(reservation, ifMatch);
        ReservationLookup.requireLive(reservation);
        var fix = new Fix(target, wish(reservation.origin().owner(), account));
        var schedule = desks.outlook(reservation.cluster()).orElseThrow();
        var answer = switch (fix.decide(schedule, clock.instant().getEpochSecond())) {
            case Decision.Accepted(var events, var _) -> new Answer.Done(events);
            case Decision.Rejected(var reason) -> new Answer.Refused(reason);
        };
        return ResponseEntity.ok(
                bodies.of(Refusals.granted(answer, Sent.nothing()).reservation().orElse(reservation)));
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
        return change(id, ifMatch, account, action, (target, _) -> command.apply(target));
    }

    /** @param command for its target and the reservation's owner */
    private ResponseEntity<ReservationBody> change(
            String id,
            @Nullable String ifMatch,
            Account account,
            String action,
            BiFunction<Target, String, Command> command) {
        var elsewhere = reservations.elsewhere(id, account);
        if (elsewhere.isPresent()) {
            return act(elsewhere.get(), ifMatch, action);
        }
        var reservation = reservations.find(id, account);
        var target = reservations.target(reservation, ifMatch);
        ReservationLookup.requireLive(reservation);
        clusters.schedule(reservation.cluster());
        var answer = desks.decide(
                reservation.cluster(),
                command.apply(target, reservation.origin().owner()));
        return tagged(
                bodies.of(Refusals.granted(answer, Sent.nothing()).reservation().orElse(reservation)));
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
                    case Found.Reserved(var reservation) -> bodies.of(reservation);
                    case Found.Collected(var request) -> ReservationBody.of(request);
                });
    }

    private static ResponseEntity<ReservationBody> tagged(ReservationBody body) {
        return ResponseEntity.ok().eTag(EntityTag.of(body.version())).body(body);
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
                    .forEach(reservation -> found.put(reservation.id().toString(), bodies.of(reservation)));
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
