package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.Records;
import berth.rest.Problem.FieldError;
import berth.scheduling.EndOutage;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.RecordOutage;
import berth.security.Account;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Outages, for administrators. */
@RestController
@RequestMapping("/api/v1/clusters/{cluster}/outages")
class OutagesController {

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
     * An outage to be recorded.
     *
     * @param pes how many PEs are out of service; may be left out beside {@code peIds}
     * @param peIds which, by their numbers; where PEs are bound late, only of an outage that begins now; no particular ones,
     *     or where they are bound early those that are least missed, if left out
     * @param from since when; now, if left out
     * @param to until when; until it is ended, if left out
     * @param reason a note for the operators
     */
    @Schema(example = "{\"pes\":16,\"reason\":\"a rack is down\"}")
    record NewOutageBody(
            @Nullable Integer pes,
            @Nullable String peIds,
            @Nullable String from,
            @Nullable String to,
            @Nullable String reason) {}

    /** Takes PEs out of service. What loses its PEs is placed anew in its window, or fails and is credited. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({INVALID_TERMS, NEVER_FITS})
    OutageBody recordOutage(
            @PathVariable String cluster,
            @RequestBody NewOutageBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var clusterId = clusters.id(cluster);
        var fields = new Fields(body);
        var peIds = fields.peIds("peIds", body.peIds);
        var pes = body.pes == null && body.peIds != null
                ? peIds.map(PeSet::size).orElse(1)
                : fields.required("pes", body.pes, 1);
        var command = new RecordOutage(
                new OutageId(ids.generate()),
                pes,
                peIds,
                fields.instantDown("from", body.from),
                fields.instantUp("to", body.to),
                fields.label("reason", body.reason));
        fields.check();
        var answer = desks.decide(clusterId, command, keys.use(key, account, "record outage of " + cluster, body));
        return OutageBody.of(outage(Refusals.granted(answer, Sent.fields(body))));
    }

    private static Outage outage(Answer.Done done) {
        return ((OutageEvent) done.events().getLast()).outage();
    }

    /** Lists the outages of a cluster, newest first. */
    @GetMapping
    Page<OutageBody> listOutages(
            @PathVariable String cluster, @RequestParam @Nullable String limit, @RequestParam @Nullable String after) {
        var clusterId = clusters.id(cluster);
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new OutageId(Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        var found = records.outages(clusterId, olderThan, most + 1);
        return Page.of(found, most, OutageBody::of, outage -> outage.id().toString());
    }

    /** Ends an outage. Its PEs are back, or will not go out of service. */
    @DeleteMapping("/{outage}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Refuses(WRONG_STATE)
    void endOutage(@PathVariable String cluster, @PathVariable String outage) {
        var clusterId = clusters.id(cluster);
        var id = Texts.uuid(outage)
                .map(OutageId::new)
                .orElseThrow(() -> new Problem(
                        ProblemCode.MALFORMED,
                        "Send the id that the outage was answered with.",
                        List.of(new FieldError("outage", Texts.shown(outage), "is no UUID"))));
        if (records.find(id).filter(found -> found.cluster().equals(clusterId)).isEmpty()) {
            throw Problem.notFound("outage", outage);
        }
        Refusals.granted(desks.decide(clusterId, new EndOutage(id)), Sent.nothing());
    }
}
