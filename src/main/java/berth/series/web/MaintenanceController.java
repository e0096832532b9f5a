package berth.series.web;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;

import berth.accounts.Account;
import berth.booking.web.ClusterLookup;
import berth.booking.web.EffectsBody;
import berth.booking.web.IdempotencyKeys;
import berth.booking.web.Refusals;
import berth.cluster.Policy;
import berth.engine.Desks;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.Texts;
import berth.outcome.Outcome;
import berth.readings.Readings;
import berth.reservation.ClusterId;
import berth.series.Maintenance;
import berth.series.Maintenance.Downtime;
import berth.series.Maintenances;
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

/** Calls that concern the maintenances of a cluster: outages that recur and are known long ahead. */
@RestController
@RequestMapping("/api/v1/clusters/{cluster}/maintenances")
class MaintenanceController {

    /** The most windows of a new maintenance that may lie within the horizon. */
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
     * A maintenance to create.
     *
     * @param pes number of PEs out of service; may be left out if {@code peIds} is given
     * @param peIds numbers of the PEs out of service, on a cluster with early binding. If left out, the maintenance names no particular
     *     PEs, or, with early binding, Berth chooses those whose outage affects the least
     * @param duration length of each window
     * @param recurrence the days on which it recurs, and the first start
     * @param count number of windows, unless the rule says where it ends
     * @param until the last day, unless the rule says where it ends
     * @param reason a note that clients can read
     * @param dryRun true to only return the effects; false if left out
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
     * Takes PEs out of service repeatedly. Each window is an outage that Berth records a day before the cluster's horizon reaches it, so
     * that no reservation is there yet. Windows within the horizon are recorded at once, each by itself: as with any outage, the
     * reservations in the way are moved, or they fail and are credited, and running ones lose PEs. A dry run returns the effects on
     * reservations and jobs, and changes nothing.
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
        var made = Refusals.done(maintenances.create(maintenance, account.name(), use), RequestFields.fields(body));
        return ResponseEntity.status(HttpStatus.CREATED).body(bodies.of(made));
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
        var planned = RecurrenceBody.occurrences(recurrence, count, until, duration, outlook.now(), fields);
        fields.check();
        var maintenance = new Maintenance(
                ids.generate(),
                cluster,
                new Downtime(pes, peIds, duration, reason),
                recurrence,
                planned,
                0,
                outlook.now());
        int first = maintenances.within(maintenance);
        if (first > MAX_AT_ONCE) {
            fields.invalid(
                    "recurrence.rrule",
                    recurrence.rrule(),
                    "has %d windows within the cluster's horizon, but at most %d are allowed"
                            .formatted(first, MAX_AT_ONCE));
        }
        RecurrenceBody.checkGap("duration", duration, planned, fields);
        fields.check();
        return maintenance;
    }

    private EffectsBody effects(Maintenance maintenance, NewMaintenanceBody body, Account account) {
        return switch (maintenances.preview(maintenance, account.name())) {
            case Outcome.Done(Preview(var events, var before, var effects)) -> EffectsBody.of(events, before, effects);
            case Outcome.NotDone(var reason) -> throw Refusals.problem(reason, RequestFields.fields(body));
        };
    }

    /**
     * The maintenances of a cluster.
     *
     * @param items the maintenances, newest first
     */
    @Schema(name = "Maintenances")
    record MaintenancesBody(List<MaintenanceBody> items) {}

    /**
     * Lists the maintenances of a cluster with their windows, newest first. The windows show clients how long a run can be before the next
     * one.
     */
    @GetMapping
    MaintenancesBody listMaintenances(@PathVariable String cluster) {
        return new MaintenancesBody(
                maintenances.of(clusters.id(cluster)).stream().map(bodies::of).toList());
    }

    /** Calls off a maintenance: its windows that have not begun do not take place. */
    @DeleteMapping("/{maintenance}")
    MaintenanceBody callOffMaintenance(@PathVariable String cluster, @PathVariable String maintenance) {
        var clusterId = clusters.id(cluster);
        UUID id = Texts.uuid(maintenance).orElseThrow(() -> Problem.noId("maintenance", "maintenance", maintenance));
        if (maintenances.find(id).filter(one -> one.cluster().equals(clusterId)).isEmpty()) {
            throw Problem.notFound("maintenance", maintenance);
        }
        return bodies.of(Refusals.done(maintenances.callOff(id), RequestFields.nothing()));
    }
}
