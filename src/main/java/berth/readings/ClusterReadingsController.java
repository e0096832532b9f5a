package berth.readings;

import static berth.http.ProblemCode.FORBIDDEN;
import static berth.http.ProblemCode.INVALID_TERMS;

import berth.accounts.Account;
import berth.booking.web.ClusterLookup;
import berth.engine.Records;
import berth.engine.Records.Whose;
import berth.http.Fields;
import berth.http.Refuses;
import berth.http.Texts;
import berth.readings.Readings.Kind;
import berth.readings.Schedules.ScheduleBody;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** Calls that read the load of a cluster for dashboards. */
@RestController
@RequestMapping("/api/v1/clusters/{id}")
class ClusterReadingsController {

    private final Records records;
    private final ClusterLookup lookup;
    private final Readings readings;
    private final Schedules schedules;

    ClusterReadingsController(Records records, ClusterLookup lookup, Readings readings, Schedules schedules) {
        this.schedules = schedules;
        this.records = records;
        this.lookup = lookup;
        this.readings = readings;
    }

    /**
     * Utilisation of a cluster: the share that is booked over time.
     *
     * @param pes the cluster's present number of PEs, which the shares refer to
     * @param mean the booked share over the whole period
     * @param meanInService the booked share of the PE-seconds in service over the whole period; null if no PE was in service
     * @param points the booked share in each step
     */
    record UtilisationBody(int pes, double mean, @Nullable Double meanInService, List<PointBody> points) {}

    /**
     * A step in time.
     *
     * @param start when the step begins
     * @param utilisation the share of all PE-seconds in the step that was or is booked
     * @param utilisationInService the booked share of the PE-seconds in service; null if no PE is in service
     */
    record PointBody(
            Instant start, double utilisation, @Nullable Double utilisationInService) {
        static List<PointBody> of(Utilisation utilisation) {
            return utilisation.shares().stream()
                    .map(share -> new PointBody(Texts.instant(share.step().start()), share.booked(), inService(share)))
                    .toList();
        }
    }

    static @Nullable Double inService(Utilisation.Share share) {
        return share.ofThoseInService().isPresent() ? share.ofThoseInService().getAsDouble() : null;
    }

    /**
     * Reads how much of a cluster is booked over time: the past as it was, the future as it is booked now. Running batch jobs count until
     * their estimates end; waiting jobs do not count. Two shares are given: of all PEs, and of those that no outage takes. A client may read this only if the cluster's {@code policy.visibility} is {@code
     * BUSY} or {@code NAMES}.
     *
     * @param from start of the period; now if left out
     * @param to end of the period; a day after {@code from} if left out
     * @param step length of each step; an hour if left out. The period may have at most 10,000 steps
     */
    @GetMapping("/utilisation")
    @Refuses({FORBIDDEN, INVALID_TERMS})
    UtilisationBody readUtilisation(
            @PathVariable String id,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String step,
            @AuthenticationPrincipal Account account) {
        var schedule = lookup.schedule(id);
        var cluster = schedule.cluster();
        Schedules.requireShown(cluster, account);
        var fields = new Fields();
        long length = Readings.step(fields, step);
        var range = readings.range(fields, from, to, Readings.DAY);
        Readings.requireAtMost(Readings.MAX, range, length, step);
        var utilisation = new Utilisation(range, length, cluster.pes());
        records.occupied(cluster.id(), range, Whose.ALL, occupied -> utilisation.add(occupied.slot(), occupied.pes()));
        readings.outOfService(schedule, range, utilisation::lose);
        var mean = utilisation.mean();
        return new UtilisationBody(cluster.pes(), mean.booked(), inService(mean), PointBody.of(utilisation));
    }

    /**
     * Reads the schedule of a cluster, for example to draw a Gantt chart. It contains everything that took, takes or will take PEs in a
     * period, and the waiting batch jobs as planned. A client may read this only if the cluster's {@code policy.visibility} is {@code
     * BUSY} or {@code NAMES}. With {@code BUSY}, entries of other accounts have no id, owner or project.
     *
     * <p>If {@code from} and {@code to} are given, the response has an {@code ETag}. Send it in {@code If-None-Match} to get status 304 if
     * nothing has changed.
     *
     * @param kind the only kind of entries to return; all kinds if left out. With {@code kind} the response has no {@code ETag}
     * @param from start of the period; now if left out
     * @param to end of the period; if left out, as long after {@code from} as the cluster's horizon
     * @param since the {@code ETag} of an earlier response for the same period, to get only the changes since then; if they are no longer
     *     known, the whole schedule is returned
     */
    @GetMapping("/schedule")
    @Refuses(FORBIDDEN)
    ResponseEntity<ScheduleBody> readSchedule(
            @PathVariable String id,
            @RequestParam @Nullable String kind,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String since,
            WebRequest request,
            @AuthenticationPrincipal Account account) {
        var cluster = lookup.schedule(id).cluster();
        Schedules.requireShown(cluster, account);
        var fields = new Fields();
        var alone = fields.word("kind", kind, Kind.class);
        var range = readings.range(fields, from, to, cluster.policy().horizon());
        if (from == null || to == null || alone.isPresent()) {
            return ResponseEntity.ok(schedules.whole(cluster, range, alone, to, account));
        }
        var earlier = Optional.ofNullable(since).map(ScheduleTag::read);
        var state = schedules.state(cluster, account);
        var same = state.among(ifNoneMatch(request));
        if (same.isPresent()) {
            return ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                    .eTag(same.get().header())
                    .build();
        }
        var body = earlier.flatMap(known -> schedules.changes(cluster, range, known, account))
                .orElseGet(() -> schedules.whole(cluster, range, alone, to, account));
        return ResponseEntity.ok().eTag(state.tag(body).header()).body(body);
    }

    private static List<String> ifNoneMatch(WebRequest request) {
        var sent = request.getHeaderValues(HttpHeaders.IF_NONE_MATCH);
        return sent == null ? List.of() : List.of(sent);
    }
}
