package berth.scheduling.places;

import berth.availability.PeSet;
import berth.availability.Step;
import berth.batch.BatchJob;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Determines which batch jobs lose their PEs when PEs go out of service. Jobs give way before any reservation, because they have no
 * promise. A job that has one of the lost PEs loses all of its PEs. If too few PEs remain, the jobs that began last lose theirs too. All of
 * these jobs return to their positions in the queue.
 */
public final class JobsGiveWay {

    private static final Comparator<BatchJob> LATEST_FIRST = Comparator.<BatchJob>comparingLong(
                    job -> job.run().orElseThrow().start())
            .thenComparing(BatchJob::rank)
            .reversed();

    private JobsGiveWay() {}

    /** Returns the events of jobs that give way to an outage. */
    public static List<Event> to(ClusterSchedule schedule, Outage outage, long now) {
        int pes = schedule.cluster().pes();
        var lost = schedule.occupancy().claims(pes).left(outage);
        return to(schedule, lost, outage.peIds().orElse(PeSet.NONE), outage.slot(), now);
    }

    /** Returns the events of jobs that give way because the cluster shrinks. */
    public static List<Event> to(ClusterSchedule schedule, Cluster smaller, Slot lost, long now) {
        int pes = schedule.cluster().pes();
        var gone = PeSet.range(smaller.pes(), pes);
        return switch (smaller.binding()) {
            case EARLY -> to(schedule, List.of(), gone, lost, now);
            // with late binding any PE can be lost, so numbers do not matter
            case LATE -> to(schedule, fewer(schedule, smaller, lost), PeSet.NONE, lost, now);
        };
    }

    /** Returns how many PEs fewer are in service if the cluster is smaller. */
    private static List<Part> fewer(ClusterSchedule schedule, Cluster smaller, Slot lost) {
        var before = schedule.inService();
        var after = schedule.occupancy().claims(smaller.pes()).inService();
        var parts = new ArrayList<Part>();
        var changes = LongStream.concat(
                        before.steps(lost).stream().mapToLong(Step::start),
                        after.steps(lost).stream().mapToLong(Step::start))
                .distinct()
                .sorted()
                .toArray();
        for (int i = 0; i < changes.length; i++) {
            int pes = before.free(changes[i]) - after.free(changes[i]);
            if (pes > 0) {
                parts.add(Part.whole(new Slot(changes[i], i + 1 < changes.length ? changes[i + 1] : lost.end()), pes));
            }
        }
        return parts;
    }

    private static List<Event> to(ClusterSchedule schedule, List<Part> less, PeSet gone, Slot lost, long now) {
        var events = new ArrayList<Event>();
        var next = withoutLost(gone, schedule.withoutKeptPlaces());
        var running = new ArrayList<>(schedule.jobs().running());
        running.sort(
                Comparator.<BatchJob, Boolean>comparing(job -> !isOn(job, gone)).thenComparing(LATEST_FIRST));
        for (var job : running) {
            if (job.part().slot().overlaps(lost) && (isOn(job, gone) || isInTheWay(next, job, less))) {
                var requeued = givesWay(job, now);
                events.add(requeued);
                next = next.applying(requeued);
            }
        }
        return events;
    }

    static JobEvent givesWay(BatchJob job, long now) {
        return new JobEvent(Event.Type.JOB_REQUEUED, job.requeued(), now);
    }

    /** Returns the running jobs, those that began last first. */
    static List<BatchJob> latestFirst(ClusterSchedule schedule) {
        return schedule.jobs().running().stream().sorted(LATEST_FIRST).toList();
    }

    /**
     * Returns the schedule in which runs no longer take the lost PEs that they have. No job in particular has to make up for those. Only
     * with late binding does this matter.
     */
    private static ClusterSchedule withoutLost(PeSet gone, ClusterSchedule schedule) {
        if (gone.isEmpty() || schedule.cluster().binding() == Binding.EARLY) {
            return schedule;
        }
        var occupancy = schedule.occupancy();
        for (var reservation : schedule.reservations()) {
            var placement = reservation.placement();
            for (int part = placement.over(); part < placement.begun(); part++) {
                int lost = placement
                        .parts()
                        .get(part)
                        .peIds()
                        .orElseThrow()
                        .and(gone)
                        .size();
                for (var piece : placement.has(part)) {
                    occupancy = occupancy.givingBack(piece, Math.min(lost, piece.pes()));
                }
            }
        }
        return schedule.with(occupancy);
    }

    private static boolean isOn(BatchJob job, PeSet gone) {
        return job.run().orElseThrow().peIds().intersects(gone);
    }

    /**
     * Whether the loss needs PEs of a job that has none of the lost PEs. With early binding it never does.
     *
     * @param less how many PEs are lost over time
     */
    private static boolean isInTheWay(ClusterSchedule schedule, BatchJob job, List<Part> less) {
        var there = job.part().slot();
        return schedule.cluster().binding() == Binding.LATE
                && less.stream()
                        .filter(part -> part.slot().overlaps(there))
                        .anyMatch(part ->
                                schedule.profile().fewestFree(part.slot().and(there)) < part.pes());
    }
}
