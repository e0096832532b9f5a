package berth.rest;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.Whose;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What dashboards read of one cluster or of several: for which time, in which steps, and what takes PEs there. */
@Component
class Readings {

    /** The most placements of a cluster, and the most steps. */
    static final int MAX = 10_000;

    private static final Comparator<PlacementBody> BY_START =
            Comparator.comparing(PlacementBody::start).thenComparing(placement -> String.valueOf(placement.id));

    static final long HOUR = 3600;
    static final long DAY = 24 * HOUR;
    static final long WEEK = 7 * DAY;

    private final Desks desks;
    private final Records records;
    private final QueuePlans plans;
    private final InstantSource clock;

    Readings(Desks desks, Records records, QueuePlans plans, InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.plans = plans;
        this.clock = clock;
    }

    long now() {
        return clock.instant().getEpochSecond();
    }

    /**
     * The time that is asked for.
     *
     * @param length of it in seconds, where no end is given
     */
    Slot range(Fields fields, @Nullable String from, @Nullable String to, long length) {
        long start = fields.instantDown("from", from).orElse(now());
        OptionalLong end = fields.instantUp("to", to);
        return slot(fields, start, end.orElse(start + length), to);
    }

    static Slot slot(Fields fields, long start, long end, @Nullable String to) {
        fields.check();
        if (end <= start) {
            throw Problem.field(ProblemCode.MALFORMED, "to", to, "must lie after from");
        }
        return new Slot(start, end);
    }

    /** The length of a step in seconds, an hour unless it is given. */
    static long step(Fields fields, @Nullable String step) {
        long length = fields.durationUp("step", step).orElse(HOUR);
        if (length < 1) {
            fields.invalid("step", step, "must be longer than zero");
        }
        return length;
    }

    /** @throws Problem if a time has more than so many steps */
    static void requireAtMost(int most, Slot range, long length, @Nullable String step) {
        if ((range.duration() - 1) / length >= most) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "step",
                    step,
                    "divides the time into more than %d steps; ask for longer ones, or less time".formatted(most));
        }
    }

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
     * @param part which of a reservation's parts, from 0; null for all else
     * @param state of a reservation or a job; null for an outage
     * @param owner whose it is; null for an outage, and where that is not shown
     * @param project what a reservation is filed under; null for all else, and where that is not shown
     * @param users who may run jobs in a reservation, by their names on the machine; left out if that is the owner alone
     * @param id of the reservation, the job or the outage; null where only that it takes PEs is shown
     * @param start since when; of a job that waits, as it is planned
     * @param end until when; null: without end
     * @param pes how many PEs it takes
     * @param peIds which, by their numbers; null: that is not settled, or of an outage, that it takes no particular ones
     * @param nodes of these PEs, as Slurm writes them; left out where they have no names
     */
    @Schema(name = "ScheduledPlacement")
    record PlacementBody(
            // in this order what repeats stands together, so that it is compressed best
            Kind kind,
            @Nullable Integer part,
            @Nullable AnyState state,
            @Nullable String owner,
            @Nullable String project,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<String> users,

            @Nullable UUID id,
            Instant start,
            @Nullable Instant end,
            int pes,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes) {

        /** Without whose it is. */
        PlacementBody unnamed() {
            return new PlacementBody(kind, null, state, null, null, null, null, start, end, pes, peIds, nodes);
        }

        /** With the names of its nodes. */
        PlacementBody naming(Nodes names) {
            return peIds == null || names.names().isEmpty()
                    ? this
                    : new PlacementBody(
                            kind,
                            part,
                            state,
                            owner,
                            project,
                            users,
                            id,
                            start,
                            end,
                            pes,
                            peIds,
                            Texts.orNull(names.list(PeSet.parse(peIds))));
        }
    }

    /**
     * What takes PEs of a cluster in a time, by start; outages only where everybody's is asked for.
     *
     * @param kind what alone is told; empty: everything
     * @param to as it was given
     * @throws Problem if it is more than {@link #MAX}
     */
    List<PlacementBody> placements(
            ClusterId cluster, Slot range, Whose whose, Optional<Kind> kind, @Nullable String to, AccountName asker) {
        var placements = new ArrayList<PlacementBody>();
        if (whose.equals(Whose.ALL) && kind.orElse(Kind.OUTAGE) == Kind.OUTAGE) {
            records.outages(cluster, range).forEach(outage -> placements.add(placement(outage)));
        }
        if (kind.orElse(Kind.RESERVATION) == Kind.RESERVATION) {
            records.occupying(cluster, range, whose, MAX + 1)
                    .forEach(reservation -> placements.addAll(placements(reservation, range)));
        }
        if (kind.orElse(Kind.JOB) == Kind.JOB) {
            placements.addAll(jobs(cluster, range, whose, asker));
        }
        requireAtMost(MAX, placements.size(), to);
        placements.sort(BY_START);
        return placements;
    }

    /** What a reservation takes in a time, took or will take. */
    static List<PlacementBody> placements(Reservation reservation, Slot range) {
        var parts = reservation.occupied();
        return IntStream.range(0, parts.size())
                .filter(part -> parts.get(part).slot().overlaps(range))
                .mapToObj(part -> placement(reservation, part, parts.get(part)))
                .toList();
    }

    /** The same of a batch job that has begun; nothing of one that waits. */
    static List<PlacementBody> placements(BatchJob job, Slot range) {
        return job.run().stream()
                .map(run -> new Slot(run.start(), job.endedAt().orElse(run.until())))
                .filter(slot -> slot.overlaps(range))
                .map(slot -> placement(job, slot))
                .toList();
    }

    /** The same of an outage; nothing of one that was ended before it began. */
    static List<PlacementBody> placements(Outage outage, Slot range) {
        boolean hasBegun = outage.endedAt().isEmpty() || outage.endedAt().getAsLong() > outage.from();
        return hasBegun && outage.slot().overlaps(range) ? List.of(placement(outage)) : List.of();
    }

    /** @throws Problem if there are more placements than so many */
    static void requireAtMost(int most, int placements, @Nullable String to) {
        if (placements > most) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "to",
                    to,
                    "leaves room for more than %d placements; ask for less time".formatted(most));
        }
    }

    private static PlacementBody placement(Reservation reservation, int number, Part part) {
        var origin = reservation.origin();
        return new PlacementBody(
                Kind.RESERVATION,
                number,
                AnyState.of(reservation.state()),
                origin.owner().value(),
                Texts.orNull(origin.project()),
                origin.users().isEmpty() ? null : origin.users(),
                reservation.id().value(),
                Texts.instant(part.slot().start()),
                Texts.instant(part.slot().end()),
                part.pes(),
                Texts.orNull(part.peIds().map(PeSet::toString)),
                null);
    }

    /** Those that ran or run there, and those that are planned to. */
    private List<PlacementBody> jobs(ClusterId cluster, Slot range, Whose whose, AccountName asker) {
        if (whose.project().isPresent()) {
            return List.of();
        }
        var placements = new ArrayList<PlacementBody>();
        records.running(cluster, range, whose, MAX + 1).forEach(job -> placements.addAll(placements(job, range)));
        var planned = plans.of(cluster, asker);
        for (var job : desks.schedule(cluster).orElseThrow().jobs().waiting()) {
            if (whose.owner().filter(owner -> !owner.equals(job.owner())).isEmpty()) {
                placements.addAll(planned(job, planned, range));
            }
        }
        return placements;
    }

    /** What a job that waits will take, as it is planned. */
    static List<PlacementBody> planned(BatchJob job, PlannedStarts planned, Slot range) {
        return planned.start(job.id()).stream()
                .mapToObj(start -> Slot.of(start, job.estimate()))
                .filter(slot -> slot.overlaps(range))
                .map(slot -> placement(job, slot))
                .toList();
    }

    private static PlacementBody placement(BatchJob job, Slot slot) {
        return new PlacementBody(
                Kind.JOB,
                null,
                AnyState.of(job.state()),
                job.owner().value(),
                null,
                null,
                job.id().value(),
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                job.pes(),
                Texts.orNull(job.run().map(Run::peIds).map(PeSet::toString)),
                null);
    }

    private static PlacementBody placement(Outage outage) {
        var end = outage.endedAt().isPresent() ? outage.endedAt() : outage.to();
        return new PlacementBody(
                Kind.OUTAGE,
                null,
                null,
                null,
                null,
                null,
                outage.id().value(),
                Texts.instant(outage.from()),
                Texts.instant(end),
                outage.pes(),
                Texts.orNull(outage.peIds().map(PeSet::toString)),
                null);
    }
}
