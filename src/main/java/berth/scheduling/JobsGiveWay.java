package berth.scheduling;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.reservation.Placement;
import berth.scheduling.Event.JobEvent;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Determines which batch jobs lose their PEs when PEs go out of service. Jobs give way before any reservation, because they have no
 * promise. A job that has one of the lost PEs loses all of its PEs. If too few PEs remain, the jobs that began last lose theirs too. All of
 * these jobs return to their positions in the queue.
 */
final class JobsGiveWay {

    private static final Comparator<BatchJob> LATEST_FIRST = Comparator.<BatchJob>comparingLong(
                    job -> job.run().orElseThrow().start())
            .thenComparing(BatchJob::rank)
            .reversed();

    private JobsGiveWay() {}

    /** Returns the events of jobs that give way to an outage. */
    static List<Event> to(ClusterSchedule schedule, Outage outage, Slot lost, long now) {
        int pes = schedule.cluster().pes();
        return to(schedule, outage.pesBelow(pes), outage.peIdsBelow(pes).orElse(PeSet.NONE), lost, now);
    }

    /** Returns the events of jobs that give way because the cluster shrinks. */
    static List<Event> to(ClusterSchedule schedule, Cluster smaller, Slot lost, long now) {
        int pes = schedule.cluster().pes();
        var gone = PeSet.range(smaller.pes(), pes);
        return switch (smaller.binding()) {
            case EARLY -> to(schedule, pes - smaller.pes(), gone, lost, now);
            // with late binding any PE can be lost, so numbers do not matter
            case LATE -> to(schedule, pes - smaller.pes(), PeSet.NONE, lost, now);
        };
    }

    private static List<Event> to(ClusterSchedule schedule, int pes, PeSet gone, Slot lost, long now) {
        var events = new ArrayList<Event>();
        var next = withoutThoseOn(gone, schedule.withoutKeptPlaces());
        var running = new ArrayList<>(schedule.jobs().running());
        running.sort(
                Comparator.<BatchJob, Boolean>comparing(job -> !isOn(job, gone)).thenComparing(LATEST_FIRST));
        for (var job : running) {
            if (job.part().slot().overlaps(lost) && (isOn(job, gone) || isInTheWay(next, job, pes, lost))) {
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
     * Returns the schedule without the reservations that run on the lost PEs. They fail whatever else gives way, so no job has to make up
     * for them.
     */
    private static ClusterSchedule withoutThoseOn(PeSet gone, ClusterSchedule schedule) {
        var rest = schedule;
        for (var reservation : schedule.reservations()) {
            rest = isOn(reservation.placement(), gone) ? rest.without(reservation.id()) : rest;
        }
        return rest;
    }

    private static boolean isOn(Placement placement, PeSet gone) {
        return IntStream.range(placement.over(), placement.begun())
                .anyMatch(part -> placement
                        .parts()
                        .get(part)
                        .peIds()
                        .filter(gone::intersects)
                        .isPresent());
    }

    private static boolean isOn(BatchJob job, PeSet gone) {
        return job.run().orElseThrow().peIds().intersects(gone);
    }

    /** Whether the loss needs PEs of a job that has none of the lost PEs. With early binding it never does. */
    private static boolean isInTheWay(ClusterSchedule schedule, BatchJob job, int pes, Slot lost) {
        var there = job.part().slot();
        var both = new Slot(Math.max(there.start(), lost.start()), Math.min(there.end(), lost.end()));
        return schedule.cluster().binding() == Binding.LATE
                && schedule.profile().fewestFree(both) < pes;
    }
}
