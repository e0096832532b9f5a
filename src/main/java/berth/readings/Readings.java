package berth.readings;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.booking.web.AnyState;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.engine.Desks;
import berth.engine.PlannedStarts;
import berth.engine.QueuePlans;
import berth.engine.Records;
import berth.engine.Records.Whose;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Texts;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.scheduling.ClusterSchedule;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Parameters and results that the readings for dashboards share: times, steps, and the placements that take PEs of a cluster. */
@Component
public class Readings {

    /** The largest number of placements of a cluster, and the largest number of steps. */
    static final int MAX = 10_000;

    private static final Comparator<PlacementBody> BY_START =
            Comparator.comparing(PlacementBody::start).thenComparing(placement -> String.valueOf(placement.id));

    public static final long HOUR = 3600;
    public static final long DAY = 24 * HOUR;
    public static final long WEEK = 7 * DAY;

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
     * Returns the requested time range.
     *
     * @param length its length in seconds if the request has no end
     */
    Slot range(Fields fields, @Nullable String from, @Nullable String to, long length) {
        long start = fields.instantDown("from", from).orElse(now());
        OptionalLong end = fields.instantUp("to", to);
        return slot(fields, start, end.orElse(start + length), to);
    }

    public static Slot slot(Fields fields, long start, long end, @Nullable String to) {
        fields.check();
        if (end <= start) {
            throw Problem.field(ProblemCode.MALFORMED, "to", to, "must lie after from");
        }
        return new Slot(start, end);
    }

    /** Returns the length of a step in seconds; an hour, if none was sent. */
    static long step(Fields fields, @Nullable String step) {
        long length = fields.durationUp("step", step).orElse(HOUR);
        if (length < 1) {
            fields.invalid("step", step, "must be longer than zero");
        }
        return length;
    }

    /**
     * Checks the number of steps in a time range.
     *
     * @throws Problem if the range has more than {@code most} steps
     */
    static void requireAtMost(int most, Slot range, long length, @Nullable String step) {
        if ((range.duration() - 1) / length >= most) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "step",
                    step,
                    "divides the time into more than %d steps; ask for longer steps or a shorter time".formatted(most));
        }
    }

    /** The kinds of placements. */
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
     * A bar of a Gantt chart: a reservation, batch job or outage that takes PEs.
     *
     * @param kind the kind of placement
     * @param part the number of the reservation's part, from 0; null for jobs and outages
     * @param state the state of a reservation or job; null for an outage
     * @param source the program that reports an outage; left out if an operator recorded it, and for reservations and jobs
     * @param id the id of the reservation, job or outage; null if the caller may see only that PEs are taken
     * @param start when it starts; for a waiting job, its planned start
     * @param end when it ends; null if it has no end
     */
    @Schema(name = "ScheduledPlacement")
    record PlacementBody(
            // this order puts repeated values next to each other, which compresses best
            Kind kind,
            @Nullable Integer part,
            @Nullable AnyState state,
            @JsonUnwrapped HolderBody holder,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String source,

            @Nullable UUID id,
            Instant start,
            @Nullable Instant end,
            @JsonUnwrapped PesBody taken) {

        boolean isOf(AccountName account) {
            return account.value().equals(holder.owner);
        }

        /** Returns the placement without its holder and id. */
        PlacementBody unnamed() {
            return new PlacementBody(kind, null, state, HolderBody.UNNAMED, source, null, start, end, taken);
        }

        /** Returns the placement with the names of its nodes. */
        PlacementBody naming(Nodes names) {
            return new PlacementBody(kind, part, state, holder, source, id, start, end, taken.naming(names));
        }
    }

    /**
     * The holder of a place.
     *
     * @param owner the owner's account name; null for an outage, and if the caller may not see it
     * @param project the project of a reservation; null if it has none, for jobs and outages, and if the caller may not see it
     * @param users the users who may run jobs in a reservation, by their names on the machine; left out if only the owner may
     */
    record HolderBody(
            @Nullable String owner,
            @Nullable String project,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<String> users) {

        private static final HolderBody UNNAMED = new HolderBody(null, null, null);
    }

    /**
     * The PEs of a place.
     *
     * @param pes the number of PEs it takes
     * @param peIds the numbers of these PEs; null if they are not settled yet, or if an outage takes no particular PEs
     * @param nodes the nodes of these PEs, in Slurm's notation; left out if the PEs have no names
     */
    record PesBody(
            int pes,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes) {

        private static PesBody of(int pes, Optional<PeSet> peIds) {
            return new PesBody(pes, Texts.orNull(peIds.map(PeSet::toString)), null);
        }

        private PesBody naming(Nodes names) {
            return peIds == null || names.names().isEmpty()
                    ? this
                    : new PesBody(pes, peIds, Texts.orNull(names.list(PeSet.parse(peIds))));
        }
    }

    /** Passes on the PEs that are out of service in a time range, and for how long; past outages count until they ended. */
    void outOfService(ClusterSchedule schedule, Slot range, ObjIntConsumer<Slot> found) {
        var outages = records.outages(schedule.cluster().id(), range);
        schedule.outOfService(outages).stream()
                .filter(part -> part.slot().overlaps(range))
                .forEach(part -> found.accept(part.slot(), part.pes()));
    }

    /**
     * Returns the placements of a cluster in a time range, by start. Outages are left out if the list is restricted to an owner or a
     * project.
     *
     * @param kind the only kind to return; empty for all kinds
     * @param to the end as the client sent it, for the problem
     * @throws Problem if there are more than {@link #MAX} placements
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

    /** Returns what a reservation takes, took or will take in a time range. */
    static List<PlacementBody> placements(Reservation reservation, Slot range) {
        var parts = reservation.occupied();
        return IntStream.range(0, parts.size())
                .filter(part -> parts.get(part).slot().overlaps(range))
                .filter(reservation::hasSomeOf)
                .mapToObj(part -> placement(reservation, part, parts.get(part)))
                .toList();
    }

    /** Returns what a batch job takes or took in a time range; nothing for a waiting job. */
    static List<PlacementBody> placements(BatchJob job, Slot range) {
        return job.run().stream()
                .map(run -> new Slot(run.start(), job.endedAt().orElse(run.until())))
                .filter(slot -> slot.overlaps(range))
                .map(slot -> placement(job, slot))
                .toList();
    }

    /** Returns what an outage takes or took in a time range; nothing for an outage that was ended before it began. */
    static List<PlacementBody> placements(Outage outage, Slot range) {
        boolean hasBegun = outage.endedAt().isEmpty() || outage.endedAt().getAsLong() > outage.from();
        return hasBegun && outage.slot().overlaps(range) ? List.of(placement(outage)) : List.of();
    }

    /**
     * Checks the number of placements in a response.
     *
     * @throws Problem if there are more than {@code most} placements
     */
    static void requireAtMost(int most, int placements, @Nullable String to) {
        if (placements > most) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "to",
                    to,
                    "makes the time contain more than %d placements; ask for a shorter time".formatted(most));
        }
    }

    private static PlacementBody placement(Reservation reservation, int number, Part part) {
        var origin = reservation.origin();
        return new PlacementBody(
                Kind.RESERVATION,
                number,
                AnyState.of(reservation.state()),
                new HolderBody(
                        origin.owner().value(),
                        Texts.orNull(origin.project()),
                        origin.users().isEmpty() ? null : origin.users()),
                null,
                reservation.id().value(),
                Texts.instant(part.slot().start()),
                Texts.instant(part.slot().end()),
                PesBody.of(part.pes(), part.peIds()));
    }

    /** Returns the jobs that ran, run or are planned to run in a time range. */
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

    /** Returns what a waiting job will take in a time range, by its planned start. */
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
                new HolderBody(job.owner().value(), null, null),
                null,
                job.id().value(),
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                PesBody.of(job.pes(), job.run().map(Run::peIds)));
    }

    private static PlacementBody placement(Outage outage) {
        var end = outage.endedAt().isPresent() ? outage.endedAt() : outage.to();
        return new PlacementBody(
                Kind.OUTAGE,
                null,
                null,
                HolderBody.UNNAMED,
                Texts.orNull(outage.source()),
                outage.id().value(),
                Texts.instant(outage.from()),
                Texts.instant(end),
                PesBody.of(outage.pes(), outage.peIds()));
    }
}
