package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;

import berth.cluster.Policy;
import berth.desk.Desks;
import berth.reservation.ClusterId;
import berth.security.Account;
import berth.series.Maintenance;
import berth.series.Maintenances;
import berth.series.Maintenances.Outcome;
import berth.series.Maintenances.Preview;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Maintenances of a cluster: outages that recur, known long ahead. */
@RestController
@RequestMapping("/api/v1/clusters/{cluster}/maintenances")
class MaintenanceController {

    /** The most windows within the horizon. */
    private static final int MAX_AT_ONCE = 400;

    private final Maintenances maintenances;
    private final Desks desks;
    private final ClusterLookup clusters;
    private final IdempotencyKeys keys;
    private final MaintenanceBodies bodies;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    MaintenanceController(
            Maintenances maintenances,
            Desks desks,
            ClusterLookup clusters,
            IdempotencyKeys keys,
            MaintenanceBodies bodies) {
        this.maintenances = maintenances;
        this.desks = desks;
        this.clusters = clusters;
        this.keys = keys;
        this.bodies = bodies;
    }

    /**
     * A maintenance that is to recur.
     *
     * @param pes how many PEs are out of service; may be left out beside {@code peIds}
     * @param peIds which, by their numbers, where PEs are bound early; no particular ones, or where they are bound early those that are least
     *     missed, if left out
     * @param duration for how long each time
     * @param recurrence on which days, and since when
     * @param count how often, unless the rule says where it ends
     * @param until the last day, unless the rule says where it ends
     * @param reason a note that clients can read
     * @param dryRun whether only to say what it would do; if left out, it is recorded
     */
    @Schema(
            name = "NewMaintenance",
            example =
                    "{\"pes\":64,\"duration\":\"PT8H\",\"reason\":\"patch day\",\"count\":12,"
                            + "\"recurrence\":{\"rrule\":\"FREQ=MONTHLY;BYDAY=1TU\",\"dtstart\":\"2027-01-05T08:00\",\"zone\":\"Europe/Berlin\"}}")
    record NewMaintenanceBody(
            @Nullable Integer pes,
            @Nullable String peIds,
            @Required @Nullable String duration,
            @Required @Nullable RecurrenceBody recurrence,
            @Nullable Integer count,
            @Nullable String until,
            @Nullable String reason,
            @Nullable Boolean dryRun) {}

    /**
     * Takes PEs out of service again and again. Each window is an outage, recorded a day before the cluster's horizon reaches it: so nothing is
     * reserved there that would have to be moved. What lies in the way of those that are recorded now is placed anew, or fails and is credited, as
     * for any outage; each is recorded by itself. A dry run tells what would become of whom, and changes nothing.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({INVALID_TERMS, LIMIT_EXCEEDED})
    ResponseEntity<MaintenanceBody> createMaintenance(
            @PathVariable String cluster,
            @RequestBody NewMaintenanceBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var maintenance = read(clusters.id(cluster), body);
        if (Boolean.TRUE.equals(body.dryRun())) {
            return ResponseEntity.ok(bodies.tried(maintenance, effects(maintenance, body, account)));
        }
        var use = keys.use(key, account, "maintenance of " + cluster, body);
        return switch (maintenances.create(maintenance, account.name(), use)) {
            case Outcome.Done(var taken) ->
                ResponseEntity.status(HttpStatus.CREATED).body(bodies.of(taken));
            case Outcome.TooMany() ->
                throw new Problem(
                        LIMIT_EXCEEDED,
                        "The cluster has %d maintenances, which is the most; use one rule for several days."
                                .formatted(Maintenances.MAX_PER_CLUSTER));
            case Outcome.NotDone(var answer) -> throw Refusals.refused(answer, RequestFields.fields(body));
        };
    }

    private Maintenance read(ClusterId cluster, NewMaintenanceBody body) {
        var fields = new Fields(body);
        var peIds = fields.peIds("peIds", body.peIds());
        int pes = fields.pes(body.pes(), body.peIds(), peIds);
        long duration = fields.durationUp("duration", fields.required("duration", body.duration(), "PT1H"))
                .orElse(Readings.HOUR);
        if (duration < 1 || duration > Policy.MAX_HORIZON) {
            fields.invalid("duration", body.duration(), "must be longer than zero, and at most ten years");
        }
        var recurrence = RecurrenceBody.read(body.recurrence(), fields);
        var reason = fields.label("reason", body.reason());
        var until =
                body.until() == null ? Optional.<LocalDate>empty() : RecurrenceBody.day("until", body.until(), fields);
        var count = body.count() == null ? OptionalInt.empty() : OptionalInt.of(body.count());
        RecurrenceBody.checkEnd(count, until, fields);
        fields.check();
        var outlook = desks.outlook(cluster).orElseThrow();
        var planned = RecurrenceBody.occurrences(recurrence, count, until, outlook.now(), fields);
        fields.check();
        var maintenance = new Maintenance(
                ids.generate(),
                cluster,
                pes,
                peIds,
                duration,
                reason,
                recurrence,
                planned,
                0,
                List.of(),
                outlook.now());
        int first = maintenances.within(maintenance);
        if (first > MAX_AT_ONCE) {
            fields.invalid(
                    "recurrence.rrule",
                    recurrence.rrule(),
                    "has %d windows within the cluster's horizon; %d are the most".formatted(first, MAX_AT_ONCE));
        }
        RecurrenceBody.checkGap("duration", duration, planned, fields);
        fields.check();
        return maintenance;
    }

    private EffectsBody effects(Maintenance maintenance, NewMaintenanceBody body, Account account) {
        return switch (maintenances.preview(maintenance, account.name())) {
            case Preview.Happens(var events, var before) -> EffectsBody.of(events, before);
            case Preview.Refused(var reason) -> throw Refusals.problem(reason, RequestFields.fields(body));
        };
    }

    /**
     * The maintenances of a cluster.
     *
     * @param items newest first
     */
    @Schema(name = "Maintenances")
    record MaintenancesBody(List<MaintenanceBody> items) {}

    /** Lists the maintenances of a cluster with their windows, newest first, so that clients know how long a run fits before the next. */
    @GetMapping
    MaintenancesBody listMaintenances(@PathVariable String cluster) {
        return new MaintenancesBody(
                maintenances.of(clusters.id(cluster)).stream().map(bodies::of).toList());
    }

    /** Calls a maintenance off: its windows that have not begun will not take place. */
    @DeleteMapping("/{maintenance}")
    MaintenanceBody callOffMaintenance(@PathVariable String cluster, @PathVariable String maintenance) {
        var clusterId = clusters.id(cluster);
        UUID id = Texts.uuid(maintenance).orElseThrow(() -> Problem.noId("maintenance", "maintenance", maintenance));
        if (maintenances.find(id).filter(one -> one.cluster().equals(clusterId)).isEmpty()) {
            throw Problem.notFound("maintenance", maintenance);
        }
        return switch (maintenances.callOff(id)) {
            case Outcome.Done(var off) -> bodies.of(off);
            case Outcome.NotDone(var answer) -> throw Refusals.refused(answer, RequestFields.nothing());
            case Outcome.TooMany() -> throw new IllegalStateException("Nothing is new where something is called off.");
        };
    }
}
