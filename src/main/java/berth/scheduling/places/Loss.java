package berth.scheduling.places;

import berth.batch.BatchJob;
import berth.reservation.Reservation;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The effects of PEs going out of service. {@linkplain JobsGiveWay Batch jobs give way} first; then {@linkplain Displacement reservations}
 * that lost PEs get others, or other places. If some find none, running jobs elsewhere give way too, those that began last first, and only
 * as many as necessary, because a job has no promise.
 *
 * @param jobs the events of the jobs that wait again
 * @param displacement the effects on reservations
 */
public record Loss(List<Event> jobs, Displacement displacement) {

    /**
     * Determines the effects.
     *
     * @param jobs the events of the jobs that give way in any case
     * @param loss an event that takes PEs out of service throughout {@code lost}
     */
    public static Loss of(ClusterSchedule schedule, List<Event> jobs, Event loss, Slot lost, long now) {
        return least(schedule, jobs, rest -> Displacement.of(rest, loss, lost, now), now);
    }

    /** Determines how a run goes on when PEs that it lacks, or no longer lacks, change. */
    public static Loss ofRun(ClusterSchedule schedule, Reservation run, long now) {
        return least(schedule, List.of(), rest -> Displacement.ofLacking(rest, List.of(run), now), now);
    }

    private static Loss least(
            ClusterSchedule schedule, List<Event> jobs, Function<ClusterSchedule, Displacement> loss, long now) {
        var least = after(schedule, jobs, loss);
        var others = least.isHarmless() ? List.<BatchJob>of() : JobsGiveWay.latestFirst(schedule.afterJobs(jobs));
        if (others.isEmpty()) {
            return least;
        }
        var most = after(schedule, with(jobs, others, now), loss);
        if (HARM.compare(most, least) >= 0) {
            return least;
        }
        // let the fewest other jobs give way with which no more is lost than if all of them did
        int tooFew = 0;
        int enough = others.size();
        var found = most;
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            var some = after(schedule, with(jobs, others.subList(0, middle), now), loss);
            if (HARM.compare(some, most) > 0) {
                tooFew = middle;
            } else {
                enough = middle;
                found = some;
            }
        }
        return found;
    }

    private static final Comparator<Loss> HARM = Comparator.comparingInt(Loss::failed)
            .thenComparingLong(loss -> loss.displacement().lacking());

    private static List<Event> with(List<Event> jobs, List<BatchJob> more, long now) {
        return Stream.concat(jobs.stream(), more.stream().map(job -> JobsGiveWay.givesWay(job, now)))
                .toList();
    }

    private static Loss after(
            ClusterSchedule schedule, List<Event> jobs, Function<ClusterSchedule, Displacement> loss) {
        return new Loss(jobs, loss.apply(schedule.afterJobs(jobs)));
    }

    private boolean isHarmless() {
        return failed() == 0 && displacement.lacking() == 0;
    }

    private int failed() {
        return displacement.reservations(Event.Type.FAILED).size();
    }

    /** Returns the events of the jobs, followed by those of the reservations. */
    public List<Event> events() {
        var events = new ArrayList<>(jobs);
        events.addAll(displacement.events());
        return events;
    }
}
