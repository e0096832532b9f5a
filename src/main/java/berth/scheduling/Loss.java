package berth.scheduling;

import berth.batch.BatchJob;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The effects of PEs going out of service. {@linkplain JobsGiveWay Batch jobs give way} first; then {@linkplain Displacement reservations}
 * that lost PEs get other places. If some find none, running jobs elsewhere give way too, those that began last first, and only as many as
 * necessary, because a job has no promise.
 *
 * @param jobs the events of the jobs that wait again
 * @param displacement the effects on reservations
 */
record Loss(List<Event> jobs, Displacement displacement) {

    /**
     * Determines the effects.
     *
     * @param jobs the events of the jobs that give way in any case
     * @param loss an event that takes PEs out of service throughout {@code lost}
     */
    static Loss of(ClusterSchedule schedule, List<Event> jobs, Event loss, Slot lost, long now) {
        var least = after(schedule, jobs, loss, lost, now);
        var others = least.failed() == 0 ? List.<BatchJob>of() : JobsGiveWay.latestFirst(schedule.afterJobs(jobs));
        if (others.isEmpty()) {
            return least;
        }
        var most = after(schedule, with(jobs, others, now), loss, lost, now);
        if (most.failed() >= least.failed()) {
            return least;
        }
        // let the fewest other jobs give way with which no more reservations fail than if all of them did
        int tooFew = 0;
        int enough = others.size();
        var found = most;
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            var some = after(schedule, with(jobs, others.subList(0, middle), now), loss, lost, now);
            if (some.failed() > most.failed()) {
                tooFew = middle;
            } else {
                enough = middle;
                found = some;
            }
        }
        return found;
    }

    private static List<Event> with(List<Event> jobs, List<BatchJob> more, long now) {
        return Stream.concat(jobs.stream(), more.stream().map(job -> JobsGiveWay.givesWay(job, now)))
                .toList();
    }

    private static Loss after(ClusterSchedule schedule, List<Event> jobs, Event loss, Slot lost, long now) {
        return new Loss(jobs, Displacement.of(schedule.afterJobs(jobs), loss, lost, now));
    }

    private int failed() {
        return displacement.reservations(Event.Type.FAILED).size();
    }

    /** Returns the events of the jobs, followed by those of the reservations. */
    List<Event> events() {
        var events = new ArrayList<>(jobs);
        events.addAll(displacement.events());
        return events;
    }
}
