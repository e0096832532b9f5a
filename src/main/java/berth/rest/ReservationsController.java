package berth.rest;

import berth.desk.Desks;
import berth.desk.Records;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.rest.Problem.FieldError;
import berth.rest.Refusals.SentField;
import berth.scheduling.Cancel;
import berth.scheduling.Command;
import berth.scheduling.Confirm;
import berth.scheduling.Reserve;
import berth.security.Account;
import berth.security.Role;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
    private final ClusterLookup lookup;
    private final IdempotencyKeys keys;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    ReservationsController(Desks desks, Records records, ClusterLookup lookup, IdempotencyKeys keys) {
        this.desks = desks;
        this.records = records;
        this.lookup = lookup;
        this.keys = keys;
    }

    record ReserveBody(
            @Nullable TermsBody terms,
            @Nullable String cluster,
            @Nullable String start,
            @Nullable String hold,
            @Nullable String name,
            @Nullable String project) {

        private SentField sent(String field) {
            return switch (field) {
                case "start" -> new SentField(field, Optional.ofNullable(start));
                case "hold" -> new SentField(field, Optional.ofNullable(hold));
                default -> new SentField("terms." + field, terms == null ? Optional.empty() : terms.value(field));
            };
        }
    }

    @PostMapping
    ResponseEntity<ReservationBody> reserve(
            @RequestBody ReserveBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        if (body.cluster == null) {
            throw Problem.notBuilt("cluster", null, "name one: a choice among clusters is still to come");
        }
        var fields = new Fields();
        var command = new Reserve(
                new ReservationId(ids.generate()),
                new Origin(account.name(), fields.label("name", body.name), fields.label("project", body.project)),
                account.serviceClass(),
                TermsBody.read(body.terms, fields),
                fields.instantUp("start", body.start),
                fields.durationUp("hold", body.hold));
        fields.check();
        lookup.schedule(body.cluster);
        var use = keys.use(key, account, "reserve", body);
        var answer =
                use.isPresent() ? desks.decide(body.cluster, command, use.get()) : desks.decide(body.cluster, command);
        var reservation = Refusals.granted(answer, body::sent);
        return ResponseEntity.created(URI.create("/api/v1/reservations/" + reservation.id()))
                .body(ReservationBody.of(reservation));
    }

    @PostMapping("/{id}/confirm")
    ReservationBody confirm(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return change(find(id, account), Confirm::new);
    }

    @PostMapping("/{id}/cancel")
    ReservationBody cancel(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return change(find(id, account), Cancel::new);
    }

    private ReservationBody change(Reservation reservation, Function<ReservationId, Command> command) {
        if (!reservation.state().isLive()) {
            throw Refusals.wrongState(reservation.state().name());
        }
        lookup.schedule(reservation.cluster());
        var answer = desks.decide(reservation.cluster(), command.apply(reservation.id()));
        return ReservationBody.of(Refusals.granted(answer, SentField::none));
    }

    @GetMapping("/{id}")
    ReservationBody read(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return ReservationBody.of(find(id, account));
    }

    @GetMapping
    Page<ReservationBody> list(
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @RequestParam Map<String, String> parameters,
            @AuthenticationPrincipal Account account) {
        NotBuilt.requireNone(parameters.keySet());
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new ReservationId(uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        var owner = account.role() == Role.ADMIN ? Optional.<String>empty() : Optional.of(account.name());
        var found = records.list(owner, olderThan, most + 1);
        return Page.of(
                found,
                most,
                ReservationBody::of,
                reservation -> reservation.id().toString());
    }

    @GetMapping("/{id}/events")
    Page<EventBody> events(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var reservation = find(id, account);
        var found = records.events(reservation.id(), after == null ? 0 : position(after), most + 1);
        return Page.of(found, most, EventBody::of, event -> Long.toString(event.sequence()));
    }

    private static long position(String after) {
        try {
            long position = Long.parseLong(after);
            if (position >= 0) {
                return position;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw Page.badCursor(after);
    }

    /** What is not the account's answers as if it did not exist. */
    private Reservation find(String id, Account account) {
        var value = uuid(id).orElseThrow(() -> new Problem(
                ProblemCode.MALFORMED,
                "Send the id that the reservation was answered with.",
                List.of(new FieldError("id", Texts.shown(id), "is no UUID"))));
        return records.find(new ReservationId(value))
                .filter(reservation -> account.mayAccess(reservation.origin().owner()))
                .orElseThrow(() -> Problem.notFound("reservation", id));
    }

    private static Optional<UUID> uuid(String text) {
        try {
            var uuid = UUID.fromString(text);
            return uuid.toString().equalsIgnoreCase(text) ? Optional.of(uuid) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
