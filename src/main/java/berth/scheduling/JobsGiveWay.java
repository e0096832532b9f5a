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
 * Which batch jobs lose their PEs when some go out of service: they give way before any reservation does, since they were
 * never promised anything. A job that has one of the very PEs that are lost loses all. Of the others those that began last, as
 * long as too few PEs are left in their time for the loss and all else. They wait again, where they were in the queue.
 */
final class JobsGiveWay {

    private static final Comparator<BatchJob> LATEST_FIRST = Comparator.<BatchJob>comparingLong(
                    job -> job.run().orElseThrow().start())
            .thenComparing(BatchJob::rank)
            .reversed();

    private JobsGiveWay() {}

    /** To an outage. */
    static List<Event> to(ClusterSchedule schedule, Outage outage, Slot lost, long now) {
        int pes = schedule.cluster().pes();
        return to(schedule, outage.pesBelow(pes), outage.peIdsBelow(pes).orElse(PeSet.NONE), lost, now);
    }

    /** To a cluster of fewer PEs. */
    static List<Event> to(ClusterSchedule schedule, Cluster smaller, Slot lost, long now) {
        int pes = schedule.cluster().pes();
        var gone = PeSet.range(smaller.pes(), pes);
        return switch (smaller.binding()) {
            case EARLY -> to(schedule, pes - smaller.pes(), gone, lost, now);
            // their numbers mean nothing where any PE can be lost
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

    /** The jobs that run, those that began last first. */
    static List<BatchJob> latestFirst(ClusterSchedule schedule) {
        return schedule.jobs().running().stream().sorted(LATEST_FIRST).toList();
    }

    /** A reservation that runs on the very PEs that are lost fails, whoever gives way: what it has is no job's to make up for. */
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

    /** Where each PE is told apart nobody is in the way of the loss of others. */
    private static boolean isInTheWay(ClusterSchedule schedule, BatchJob job, int pes, Slot lost) {
        var there = job.part().slot();
        var both = new Slot(Math.max(there.start(), lost.start()), Math.min(there.end(), lost.end()));
        return schedule.cluster().binding() == Binding.LATE
                && schedule.profile().fewestFree(both) < pes;
    }
}
