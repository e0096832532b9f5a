package berth.rest;

import static berth.rest.ProblemCode.FORBIDDEN;
import static berth.rest.ProblemCode.INVALID_TERMS;

import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.JobFigures;
import berth.desk.Records.StartFigures;
import berth.desk.Records.Statistics;
import berth.desk.Records.Whose;
import berth.rest.Readings.Kind;
import berth.rest.Schedules.ScheduleBody;
import berth.rest.Tally.BookedAheadBody;
import berth.security.Account;
import berth.time.Slot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** What dashboards read of a cluster. */
@RestController
@RequestMapping("/api/v1/clusters/{id}")
class ClusterReadingsController {

    private final Desks desks;
    private final Records records;
    private final ClusterLookup lookup;
    private final Readings readings;
    private final Schedules schedules;

    ClusterReadingsController(
            Desks desks, Records records, ClusterLookup lookup, Readings readings, Schedules schedules) {
        this.schedules = schedules;
        this.desks = desks;
        this.records = records;
        this.lookup = lookup;
        this.readings = readings;
    }

    /**
     * How much of a cluster is booked over time.
     *
     * @param pes the cluster's PEs at present, to which the shares refer
     * @param mean the booked share over the whole time
     * @param points the booked share in each step
     */
    record UtilisationBody(int pes, double mean, List<PointBody> points) {}

    /**
     * A step in time.
     *
     * @param start when it begins
     * @param utilisation the share of all PE-seconds in it that was or is booked
     */
    record PointBody(Instant start, double utilisation) {
        static List<PointBody> of(Utilisation utilisation) {
            return utilisation.shares().stream()
                    .map(share -> new PointBody(Texts.instant(share.step().start()), share.booked()))
                    .toList();
        }
    }

    /**
     * Reads how much of a cluster is booked over time. The past as it was, the future as booked: batch jobs that run count
     * until their estimates are over, those that wait do not. A client is told where the cluster's {@code policy.visibility} is
     * {@code BUSY} or {@code NAMES}.
     *
     * @param from since when; now, if left out
     * @param to until when; a day after {@code from}, if left out
     * @param step how long each step is; an hour, if left out; at most 10,000 of them
     */
    @GetMapping("/utilisation")
    @Refuses({FORBIDDEN, INVALID_TERMS})
    UtilisationBody readUtilisation(
            @PathVariable String id,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String step,
            @AuthenticationPrincipal Account account) {
        var cluster = lookup.schedule(id).cluster();
        Schedules.requireShown(cluster, account);
        var fields = new Fields();
        long length = Readings.step(fields, step);
        var range = readings.range(fields, from, to, Readings.DAY);
        Readings.requireAtMost(Readings.MAX, range, length, step);
        var utilisation = new Utilisation(range, length, cluster.pes());
        records.occupied(cluster.id(), range, Whose.ALL, occupied -> utilisation.add(occupied.slot(), occupied.pes()));
        return new UtilisationBody(cluster.pes(), utilisation.mean(), PointBody.of(utilisation));
    }

    /**
     * Reads the schedule of a cluster. It is the data of a Gantt chart: all that takes, took or will take PEs in a time, batch
     * jobs that wait as they are planned. A client is told where the cluster's {@code policy.visibility} is {@code BUSY} or
     * {@code NAMES}; with {@code BUSY} what is others' has neither id nor owner nor project.
     *
     * <p>Where {@code from} and {@code to} are given, the answer has an {@code ETag}, and is 304 if that is in
     * {@code If-None-Match}.
     *
     * @param kind what alone is told; everything, if left out; has no {@code ETag}
     * @param from since when; now, if left out
     * @param to until when; as far after {@code from} as the cluster's horizon, if left out
     * @param since the {@code ETag} of an earlier answer for the same time: only what has changed since then is told, where that
     *     is still known
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
        var tag = schedules.tag(cluster, account);
        if (request.checkNotModified(tag.header())) {
            return ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                    .eTag(tag.header())
                    .build();
        }
        return ResponseEntity.ok()
                .eTag(tag.header())
                .body(earlier.flatMap(known -> schedules.changes(cluster, range, known, account))
                        .orElseGet(() -> schedules.whole(cluster, range, alone, to, account)));
    }

    /**
     * Figures of a cluster in a time.
     *
     * @param from since when
     * @param to until when
     * @param requests for reservations that were decided
     * @param accepted of these
     * @param refused of these, by the code of the problem; counted by whole hours
     * @param moves how often a reservation was moved
     * @param movesPerAccepted the same for each request that was accepted; null if there were none
     * @param revenue what those owe that ended, one amount for each currency
     * @param bookedAhead what live reservations owe now, whatever the time that is asked for
     * @param credits what was credited for failures, one amount for each currency
     * @param slaCompliance the share of those completed among those completed or failed; null if there were none
     * @param meanSlowdown of those completed, the mean of the time from ready time to end, divided by the time in which it
     *     had PEs; null if there were none
     * @param meanPhi how far the alternatives that were accepted lie from what was asked for, in run times; null if there
     *     were none
     * @param starts how the accepted ones were promised to start, and did
     * @param jobs what became of the batch jobs
     */
    record StatisticsBody(
            Instant from,
            Instant to,
            long requests,
            long accepted,
            Map<String, Long> refused,
            long moves,
            @Nullable Double movesPerAccepted,
            List<MoneyBody> revenue,
            BookedAheadBody bookedAhead,
            List<MoneyBody> credits,
            @Nullable Double slaCompliance,
            @Nullable Double meanSlowdown,
            @Nullable Double meanPhi,
            StartsBody starts,
            JobFiguresBody jobs) {}

    /**
     * When reservations start.
     *
     * @param immediateShare the share of those accepted that were promised to start at once; null if there were none
     * @param futureShare the share of those promised to start later; null if there were none
     * @param meanOffset of those that started: the mean time between the start that was promised when they were accepted and
     *     the actual one, be it earlier or later; null if there were none
     */
    record StartsBody(
            @Nullable Double immediateShare,
            @Nullable Double futureShare,
            @Nullable String meanOffset) {}

    /**
     * What became of batch jobs. Those of an outside batch system are counted among the waiting ones only.
     *
     * @param submitted how many joined the queue
     * @param started how many started
     * @param completed how many were completed, or had their estimate run out
     * @param cancelled how many were given up
     * @param meanWait of those that started: the mean time since their submission; null if there were none
     * @param waiting how many wait now
     */
    record JobFiguresBody(
            long submitted,
            long started,
            long completed,
            long cancelled,
            @Nullable String meanWait,
            int waiting) {}

    /**
     * Reads figures of a cluster in a time.
     *
     * @param from since when; 30 days before {@code to}, if left out
     * @param to until when; now, if left out
     */
    @GetMapping("/statistics")
    StatisticsBody readStatistics(
            @PathVariable String id, @RequestParam @Nullable String from, @RequestParam @Nullable String to) {
        var schedule = lookup.schedule(id);
        var cluster = schedule.cluster().id();
        var waiting = schedule.jobs().waiting().size();
        var fields = new Fields();
        var end = fields.instantUp("to", to);
        long last = end.orElse(readings.now() + 1);
        long first = fields.instantDown("from", from).orElse(Math.max(0, last - 30 * Readings.DAY));
        var range = Readings.slot(fields, first, last, to);
        desks.recordRefusals();
        var ahead = new Tally(range, readings.now());
        records.owed(cluster, Whose.ALL, Optional.empty(), Integer.MAX_VALUE).forEach(ahead::add);
        return body(range, records.statistics(cluster, range), ahead.bookedAhead(), waiting);
    }

    private static StatisticsBody body(Slot range, Statistics figures, BookedAheadBody ahead, int waiting) {
        long refused =
                figures.refused().values().stream().mapToLong(Long::longValue).sum();
        long ended = figures.completed() + figures.failed();
        return new StatisticsBody(
                Texts.instant(range.start()),
                Texts.instant(range.end()),
                figures.accepted() + refused,
                figures.accepted(),
                figures.refused(),
                figures.moved(),
                figures.accepted() == 0 ? null : rounded((double) figures.moved() / figures.accepted()),
                figures.revenue().stream().map(MoneyBody::of).toList(),
                ahead,
                figures.credits().stream().map(MoneyBody::of).toList(),
                ended == 0 ? null : rounded((double) figures.completed() / ended),
                orNull(figures.meanSlowdown()),
                orNull(figures.meanPhi()),
                body(figures.starts()),
                body(figures.jobs(), waiting));
    }

    private static StartsBody body(StartFigures figures) {
        long all = figures.immediate() + figures.future();
        return new StartsBody(
                all == 0 ? null : rounded((double) figures.immediate() / all),
                all == 0 ? null : rounded((double) figures.future() / all),
                seconds(figures.meanOffset()));
    }

    private static JobFiguresBody body(JobFigures figures, int waiting) {
        return new JobFiguresBody(
                figures.submitted(),
                figures.started(),
                figures.completed(),
                figures.cancelled(),
                seconds(figures.meanWait()),
                waiting);
    }

    private static @Nullable String seconds(OptionalDouble figure) {
        return figure.isPresent() ? Texts.duration(Math.round(figure.getAsDouble())) : null;
    }

    private static @Nullable Double orNull(OptionalDouble figure) {
        return figure.isPresent() ? rounded(figure.getAsDouble()) : null;
    }

    private static double rounded(double figure) {
        return BigDecimal.valueOf(figure).setScale(6, RoundingMode.HALF_UP).doubleValue();
    }
}
