package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.cluster.Outage;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.JobFigures;
import berth.desk.Records.StartFigures;
import berth.desk.Records.Statistics;
import berth.reservation.Reservation;
import berth.sla.Part;
import berth.time.Slot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What dashboards read of a cluster. */
@RestController
@RequestMapping("/api/v1/clusters/{id}")
class ClusterReadingsController {

    private static final int MOST_PLACEMENTS = 10_000;
    private static final int MOST_POINTS = 10_000;
    private static final long HOUR = 3600;
    private static final long DAY = 24 * HOUR;

    private final Desks desks;
    private final Records records;
    private final ClusterLookup lookup;
    private final InstantSource clock;

    ClusterReadingsController(Desks desks, Records records, ClusterLookup lookup, InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.lookup = lookup;
        this.clock = clock;
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
    record PointBody(Instant start, double utilisation) {}

    /**
     * Reads how much of a cluster is booked over time. The past as it was, the future as booked: batch jobs that run count
     * until their estimates are over, those that wait do not.
     *
     * @param from since when; now, if left out
     * @param to until when; a day after {@code from}, if left out
     * @param step how long each step is; an hour, if left out; at most 10,000 of them
     */
    @GetMapping("/utilisation")
    @Refuses(INVALID_TERMS)
    UtilisationBody readUtilisation(
            @PathVariable String id,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String step) {
        var cluster = lookup.schedule(id).cluster();
        var fields = new Fields();
        long length = fields.durationUp("step", step).orElse(HOUR);
        if (length < 1) {
            fields.invalid("step", step, "must be longer than zero");
        }
        var range = range(fields, from, to, DAY);
        if ((range.duration() - 1) / length >= MOST_POINTS) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "step",
                    step,
                    "divides the time into more than %d steps; ask for longer ones, or less time"
                            .formatted(MOST_POINTS));
        }
        var utilisation = new Utilisation(range, length, cluster.pes());
        records.occupied(id, range, occupied -> utilisation.add(occupied.slot(), occupied.pes()));
        var points = utilisation.shares().stream()
                .map(share -> new PointBody(Texts.instant(share.step().start()), share.booked()))
                .toList();
        return new UtilisationBody(cluster.pes(), utilisation.mean(), points);
    }

    /**
     * What takes the PEs of a cluster in a time.
     *
     * @param placements by their starts
     */
    record ScheduleBody(List<PlacementBody> placements) {}

    /** What takes PEs. */
    @Schema(name = "PlacementKind")
    enum Kind {
        /** A reservation. */
        RESERVATION,
        /** A batch job. */
        JOB,
        /** PEs that are out of service. */
        OUTAGE
    }

    /**
     * A bar of a Gantt chart.
     *
     * @param kind what it is
     * @param id of the reservation, the job or the outage
     * @param owner whose it is; null for an outage
     * @param state of a reservation or a job; null for an outage
     * @param start since when; of a job that waits, as it is planned
     * @param end until when; null: without end
     * @param pes how many PEs it takes
     * @param peIds which, by their numbers; null: that is not settled, or of an outage, that it takes no particular ones
     */
    @Schema(name = "ScheduledPlacement")
    record PlacementBody(
            Kind kind,
            UUID id,
            @Nullable String owner,
            @Nullable AnyState state,
            Instant start,
            @Nullable Instant end,
            int pes,
            @Nullable String peIds) {}

    /**
     * Reads the schedule of a cluster. It is the data of a Gantt chart: all that takes, took or will take PEs in a time, batch
     * jobs that wait as they are planned.
     *
     * @param from since when; now, if left out
     * @param to until when; as far after {@code from} as the cluster's horizon, if left out
     */
    @GetMapping("/schedule")
    ScheduleBody readSchedule(
            @PathVariable String id, @RequestParam @Nullable String from, @RequestParam @Nullable String to) {
        var cluster = lookup.schedule(id).cluster();
        var range = range(new Fields(), from, to, cluster.policy().horizon());
        var placements = new ArrayList<PlacementBody>();
        records.outages(id, range).forEach(outage -> placements.add(placement(outage)));
        records.occupying(id, range, MOST_PLACEMENTS + 1)
                .forEach(reservation -> reservation.occupied().stream()
                        .filter(part -> part.slot().overlaps(range))
                        .forEach(part -> placements.add(placement(reservation, part))));
        placements.addAll(jobs(id, range));
        if (placements.size() > MOST_PLACEMENTS) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "to",
                    to,
                    "leaves room for more than %d placements; ask for less time".formatted(MOST_PLACEMENTS));
        }
        placements.sort(Comparator.comparing(PlacementBody::start).thenComparing(PlacementBody::id));
        return new ScheduleBody(placements);
    }

    private static PlacementBody placement(Reservation reservation, Part part) {
        return new PlacementBody(
                Kind.RESERVATION,
                reservation.id().value(),
                reservation.origin().owner(),
                AnyState.of(reservation.state()),
                Texts.instant(part.slot().start()),
                Texts.instant(part.slot().end()),
                part.pes(),
                Texts.orNull(part.peIds().map(PeSet::toString)));
    }

    /** Those that ran or run there, and those that are planned to. */
    private List<PlacementBody> jobs(String cluster, Slot range) {
        var placements = new ArrayList<PlacementBody>();
        records.running(cluster, range, MOST_PLACEMENTS + 1).forEach(job -> {
            var run = job.run().orElseThrow();
            placements.add(placement(job, new Slot(run.start(), job.endedAt().orElse(run.until()))));
        });
        var schedule = desks.outlook(cluster).orElseThrow();
        var planned = PlannedStarts.of(schedule, now());
        for (var job : schedule.jobs().waiting()) {
            planned.start(job.id()).ifPresent(start -> {
                var slot = Slot.of(start, job.estimate());
                if (slot.overlaps(range)) {
                    placements.add(placement(job, slot));
                }
            });
        }
        return placements;
    }

    private static PlacementBody placement(BatchJob job, Slot slot) {
        return new PlacementBody(
                Kind.JOB,
                job.id().value(),
                job.owner(),
                AnyState.of(job.state()),
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                job.pes(),
                Texts.orNull(job.run().map(Run::peIds).map(PeSet::toString)));
    }

    private static PlacementBody placement(Outage outage) {
        var end = outage.endedAt().isPresent() ? outage.endedAt() : outage.to();
        return new PlacementBody(
                Kind.OUTAGE,
                outage.id().value(),
                null,
                null,
                Texts.instant(outage.from()),
                Texts.instant(end),
                outage.pes(),
                Texts.orNull(outage.peIds().map(PeSet::toString)));
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
        var waiting = lookup.schedule(id).jobs().waiting().size();
        var fields = new Fields();
        var end = fields.instantUp("to", to);
        long last = end.orElse(now() + 1);
        long first = fields.instantDown("from", from).orElse(Math.max(0, last - 30 * DAY));
        var range = slot(fields, first, last, to);
        desks.recordRefusals();
        return body(range, records.statistics(id, range), waiting);
    }

    private static StatisticsBody body(Slot range, Statistics figures, int waiting) {
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

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private Slot range(Fields fields, @Nullable String from, @Nullable String to, long length) {
        long start = fields.instantDown("from", from).orElse(now());
        OptionalLong end = fields.instantUp("to", to);
        return slot(fields, start, end.orElse(start + length), to);
    }

    private static Slot slot(Fields fields, long start, long end, @Nullable String to) {
        fields.check();
        if (end <= start) {
            throw Problem.field(ProblemCode.MALFORMED, "to", to, "must lie after from");
        }
        return new Slot(start, end);
    }
}
