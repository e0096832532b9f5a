package berth.clusters;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.NEVER_FITS;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.availability.PeSet;
import berth.booking.web.ClusterLookup;
import berth.booking.web.EffectsBody;
import berth.booking.web.IdempotencyKeys;
import berth.booking.web.Refusals;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.engine.Desks;
import berth.engine.Records;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.http.Page;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.Texts;
import berth.outcome.Outcome;
import berth.readings.Readings;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.OutageSlots;
import berth.scheduling.commands.OutageSlots.Candidate;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.ReplaceOutages.ToldOutage;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Outages, for administrators and for the agent of the cluster. */
@RestController
@RequestMapping("/api/v1/clusters/{cluster}/outages")
class OutagesController {

    private static final int FEW_SLOTS = 5;
    private static final int MAX_SLOTS = 16;

    private static final Pattern SOURCE = Pattern.compile("[A-Za-z0-9._-]{1,63}");

    private final Desks desks;
    private final Records records;
    private final ClusterLookup clusters;
    private final IdempotencyKeys keys;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    OutagesController(Desks desks, Records records, ClusterLookup clusters, IdempotencyKeys keys) {
        this.desks = desks;
        this.records = records;
        this.clusters = clusters;
        this.keys = keys;
    }

    /**
     * An outage to record.
     *
     * @param pes the number of PEs that are out of service; may be left out if {@code peIds} is given
     * @param peIds the numbers of these PEs. If the cluster binds PEs late, only an outage that begins now may name them. If left out and
     *     the cluster binds PEs early, Berth takes the PEs that are missed least; otherwise the outage has no particular PEs
     * @param from when the outage begins; now, if left out
     * @param to when the outage ends; if left out, it lasts until it is ended
     * @param reason a note for the operators
     * @param dryRun true to get the effects of the outage without recording it
     */
    @Schema(example = "{\"pes\":16,\"reason\":\"a rack is down\"}")
    record NewOutageBody(
            @Nullable Integer pes,
            @Nullable String peIds,
            @Nullable String from,
            @Nullable String to,
            @Nullable String reason,
            @Nullable Boolean dryRun) {}

    /**
     * Takes PEs out of service. Outages may overlap: a PE is out of service as long as any outage claims it. Berth gives each reservation
     * that has not begun and loses its PEs another place inside its window. If there is none, the reservation fails, and Berth credits its
     * owner. A running reservation keeps its other PEs, and gets free PEs for the lost ones if there are any; it fails only if it has none
     * left. What it loses is not owed and is credited when it ends. A dry run returns these effects and changes nothing.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({INVALID_TERMS, NEVER_FITS})
    ResponseEntity<OutageBody> recordOutage(
            @PathVariable String cluster,
            @RequestBody NewOutageBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var clusterId = clusters.id(cluster);
        var fields = new Fields(body);
        var peIds = fields.peIds("peIds", body.peIds);
        int pes = fields.pes(body.pes, body.peIds, peIds);
        var command = new RecordOutage(
                new OutageId(ids.generate()),
                pes,
                peIds,
                fields.instantDown("from", body.from),
                fields.instantUp("to", body.to),
                fields.label("reason", body.reason));
        fields.check();
        if (Boolean.TRUE.equals(body.dryRun)) {
            return ResponseEntity.ok(tried(clusterId, command, body, account));
        }
        var answer = desks.decide(clusterId, command, keys.use(key, account, "record outage of " + cluster, body));
        var recorded =
                outage(Refusals.granted(answer, RequestFields.fields(body)).events());
        return ResponseEntity.status(HttpStatus.CREATED).body(OutageBody.of(recorded, nodes(clusterId)));
    }

    private OutageBody tried(ClusterId cluster, RecordOutage command, NewOutageBody body, Account account) {
        var trial = desks.trial(cluster, account.name(), command);
        var events =
                Refusals.granted(trial.answer(), RequestFields.fields(body)).events();
        return OutageBody.tried(
                outage(events),
                trial.before().cluster().nodes(),
                EffectsBody.of(events, trial.before(), trial.effects()));
    }

    private Nodes nodes(ClusterId cluster) {
        return desks.schedule(cluster).orElseThrow().cluster().nodes();
    }

    private static Outage outage(List<Event> events) {
        return ((OutageEvent) events.getLast()).outage();
    }

    /**
     * A maintenance whose time is still open.
     *
     * @param pes the number of PEs that will be out of service, no particular ones
     * @param duration how long the maintenance takes
     * @param from the earliest time at which it may begin; now, if left out
     * @param to the latest time at which it may end; a week after {@code from}, if left out
     * @param limit the largest number of times to return; 5, if left out
     */
    @Schema(name = "OutageSlotsRequest", example = "{\"pes\":16,\"duration\":\"PT4H\"}")
    record OutageSlotsRequestBody(
            @Required @Nullable Integer pes,
            @Required @Nullable String duration,
            @Nullable String from,
            @Nullable String to,
            @Nullable Integer limit) {}

    /**
     * Times for a maintenance.
     *
     * @param slots the times, the least harmful first
     */
    @Schema(name = "OutageSlots")
    record OutageSlotsBody(List<OutageSlotBody> slots) {}

    /**
     * A time for a maintenance.
     *
     * @param from when the maintenance would begin
     * @param to when it would end
     * @param moved how many reservations would be moved
     * @param failed how many reservations would find no place
     * @param losing how many running reservations would lose PEs
     * @param credits the credits for the failed reservations, one amount for each currency
     */
    @Schema(name = "OutageSlot")
    record OutageSlotBody(Instant from, Instant to, int moved, int failed, int losing, List<MoneyBody> credits) {

        static OutageSlotBody of(Candidate candidate) {
            var outage = outage(candidate.effects());
            return new OutageSlotBody(
                    Texts.instant(candidate.slot().start()),
                    Texts.instant(candidate.slot().end()),
                    outage.moved().size(),
                    outage.failed().size(),
                    EffectsBody.losing(candidate.effects()),
                    EffectsBody.credits(candidate.effects()));
        }
    }

    /**
     * Finds the times at which a maintenance would do the least harm. Berth prefers the times at which the fewest reservations fail or lose
     * PEs while they run, and among these the times at which the fewest are moved. The times do not overlap. This call changes nothing.
     */
    @PostMapping("/slots")
    @Refuses({INVALID_TERMS, NEVER_FITS})
    OutageSlotsBody findOutageSlots(
            @PathVariable String cluster,
            @RequestBody OutageSlotsRequestBody body,
            @AuthenticationPrincipal Account account) {
        var clusterId = clusters.id(cluster);
        var outlook = desks.outlook(clusterId).orElseThrow();
        var fields = new Fields(body);
        int pes = fields.required("pes", body.pes, 1);
        if (pes < 1) {
            fields.invalid("pes", pes, "must be at least 1");
        }
        long duration = fields.durationUp("duration", fields.required("duration", body.duration, "PT1H"))
                .orElse(Readings.HOUR);
        if (duration < 1) {
            fields.invalid("duration", body.duration, "must be longer than zero");
        }
        int limit = body.limit == null ? FEW_SLOTS : body.limit;
        if (limit < 1 || limit > MAX_SLOTS) {
            fields.invalid("limit", limit, "must be 1 to %d".formatted(MAX_SLOTS));
        }
        long from = fields.instantUp("from", body.from).orElse(0);
        long start = Math.max(outlook.now(), from);
        long end = fields.instantUp("to", body.to).orElse(start + Readings.WEEK);
        var range = Readings.slot(fields, start, end, body.to);
        if (range.duration() < duration) {
            throw Problem.field(
                    INVALID_TERMS, "duration", body.duration, "is longer than the time between from (or now) and to");
        }
        var question = new OutageSlots(pes, duration, range, limit);
        return switch (desks.searches()
                .compute(account.name(), () -> question.ask(outlook.schedule(), outlook.now()))) {
            case Outcome.Done(var candidates) ->
                new OutageSlotsBody(candidates.stream().map(OutageSlotBody::of).toList());
            case Outcome.NotDone(var reason) -> throw Refusals.problem(reason, RequestFields.fields(body));
        };
    }

    /** Lists the outages of a cluster, newest first. */
    @GetMapping
    Page<OutageBody> listOutages(
            @PathVariable String cluster, @RequestParam @Nullable String limit, @RequestParam @Nullable String after) {
        var clusterId = clusters.id(cluster);
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new OutageId(Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        var nodes = nodes(clusterId);
        Page.Source<Outage> outages =
                Page.Source.of(olderThan, Outage::id, (last, some) -> records.outages(clusterId, last, some));
        return Page.read(most, outages, outage -> OutageBody.of(outage, nodes))
                .page(outage -> outage.id().toString());
    }

    /** Reads an outage, even one that has ended. */
    @GetMapping("/{outage}")
    OutageBody readOutage(@PathVariable String cluster, @PathVariable String outage) {
        var clusterId = clusters.id(cluster);
        return OutageBody.of(recorded(clusterId, outage), nodes(clusterId));
    }

    /** Returns an outage of a cluster. */
    private Outage recorded(ClusterId cluster, String outage) {
        var id = Texts.uuid(outage).map(OutageId::new).orElseThrow(() -> Problem.noId("outage", "outage", outage));
        return records.find(id)
                .filter(found -> found.cluster().equals(cluster))
                .orElseThrow(() -> Problem.notFound("outage", outage));
    }

    /**
     * All current outages that a source reports.
     *
     * @param outages the outages, at most 1,000
     */
    @Schema(name = "ToldOutages", example = "{\"outages\":[{\"peIds\":\"7\",\"reason\":\"n7 is drained: fan\"}]}")
    record ToldOutagesBody(@Required @Nullable List<@Nullable ToldOutageBody> outages) {

        private ReplaceOutages read(String source, TimeBasedEpochGenerator ids) {
            var fields = new Fields(this);
            if (!SOURCE.matcher(source).matches()) {
                fields.invalid("outage", source, "must have 1 to 63 letters, digits, dots, hyphens and underscores");
            }
            return new ReplaceOutages(
                    source,
                    fields.each(
                            "outages",
                            outages,
                            (outage, path) -> outage.read(path, new OutageId(ids.generate()), fields)));
        }
    }

    /**
     * An outage that a source reports. It continues an outage of the source's previous report if both have the same PEs and the same end,
     * and if both have begun or both begin at the same time.
     *
     * @param peIds the numbers of the PEs that are out of service
     * @param from when the outage begins; now, if left out or past
     * @param to when the outage ends; if left out, it lasts until the source no longer reports it
     * @param reason a note for the operators
     */
    @Schema(name = "ToldOutage")
    record ToldOutageBody(
            @Required @Nullable String peIds,
            @Nullable String from,
            @Nullable String to,
            @Nullable String reason) {

        private ToldOutage read(String path, OutageId id, Fields fields) {
            return new ToldOutage(
                    id,
                    fields.peIds(path + "peIds", fields.required(path + "peIds", peIds, "0"))
                            .orElse(PeSet.NONE),
                    fields.instantDown(path + "from", from),
                    fields.instantUp(path + "to", to),
                    fields.label(path + "reason", reason));
        }
    }

    /**
     * The outages of a source after Berth has taken its report.
     *
     * @param outages the outages that have not ended, in no particular order
     * @param leftOut the outages in the report that are not possible, and that Berth left out
     */
    @Schema(name = "TakenOutages")
    record TakenOutagesBody(List<OutageBody> outages, List<LeftOutBody> leftOut) {}

    /**
     * An outage in a report that is not possible, and that Berth left out.
     *
     * @param peIds the PEs that the outage names
     * @param field the wrong field, with the outage's position in the list
     * @param message what is wrong with the field
     */
    @Schema(name = "OutageLeftOut")
    record LeftOutBody(String peIds, String field, String message) {}

    /**
     * Reports all current outages of a source, such as a program that watches the PEs of the cluster. The report replaces the previous
     * report of the same source: Berth records new outages, keeps those that are reported again, and ends those that are missing. Outages
     * of other sources and of operators stay. The same PEs may be in several outages, and are back in service when all of these have ended.
     * Berth leaves out an outage that is not possible, such as one of PEs that the cluster does not have, and lists it in {@code leftOut}.
     *
     * @param outage the name that the source has chosen for itself
     */
    @PutMapping("/{outage}")
    @Refuses(INVALID_TERMS)
    TakenOutagesBody replaceOutages(
            @PathVariable String cluster, @PathVariable String outage, @RequestBody ToldOutagesBody body) {
        var clusterId = clusters.id(cluster);
        var command = body.read(outage, ids);
        Refusals.granted(desks.decide(clusterId, command), RequestFields.fields(body));
        var outlook = desks.outlook(clusterId).orElseThrow();
        return new TakenOutagesBody(
                command.present(outlook.schedule()).stream()
                        .map(present -> OutageBody.of(
                                present, outlook.schedule().cluster().nodes()))
                        .toList(),
                command.leftOut(outlook.schedule(), outlook.now()).stream()
                        .map(out -> new LeftOutBody(
                                command.outages().get(out.index()).peIds().toString(),
                                out.why().field(),
                                out.why().message()))
                        .toList());
    }

    /**
     * Ends an outage, or cancels it if it has not begun. Its PEs are back in service unless another outage claims them.
     */
    @DeleteMapping("/{outage}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Refuses(WRONG_STATE)
    void endOutage(@PathVariable String cluster, @PathVariable String outage) {
        var clusterId = clusters.id(cluster);
        var id = recorded(clusterId, outage).id();
        Refusals.granted(desks.decide(clusterId, new EndOutage(id)), RequestFields.nothing());
    }
}
