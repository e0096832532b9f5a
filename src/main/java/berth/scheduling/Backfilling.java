package berth.scheduling;

import berth.availability.Demand;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.Jobs;
import berth.scheduling.Event.JobEvent;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The rule by which batch jobs get PEs: first come, first served with EASY backfilling (paper 001, section 2; EASY is its reference 10). It
 * determines the places that are kept for waiting jobs (step 1 of a scheduling event) and the jobs that start now (step 3).
 *
 * <p>{@link berth.batch.EasyBackfilling} plans ahead by the same rule, counting PEs. This class applies it to the actual PEs. No other type
 * contains the rule.
 */
public final class Backfilling {

    private Backfilling() {}

    /**
     * Returns the places kept for waiting jobs: the earliest place of the head that conflicts with nothing; none if no job waits, or if the
     * head fits nowhere during the present outages.
     *
     * @param free the free PEs, without kept places
     * @param pes the PEs of the cluster
     * @param now seconds since the epoch
     */
    static List<Part> keeps(Jobs jobs, FreePes free, int pes, long now) {
        return jobs.head()
                .flatMap(head -> free.find(
                        new Demand(new Window(now, Long.MAX_VALUE), head.estimate(), head.pes(), now),
                        pes,
                        PlacementPolicy.FIRST_FIT))
                .map(List::of)
                .orElse(List.of());
    }

    /**
     * Starts the jobs that can start now: the head if its kept place begins now, then the next head, and so on; then every other job that
     * has room now for its estimate without touching a kept place. O(n log p) for n waiting jobs and p points of the profile within the
     * longest estimate, plus O(p) for each job that starts.
     *
     * @param schedule a schedule in which no kept place begins in the past
     */
    public static Decision.Accepted starts(ClusterSchedule schedule, long now) {
        var events = new ArrayList<Event>();
        var next = backfilled(inTurn(schedule, events, now), events, now);
        return new Decision.Accepted(List.copyOf(events), next);
    }

    private static ClusterSchedule inTurn(ClusterSchedule schedule, List<Event> events, long now) {
        var next = schedule;
        for (var kept = next.keptPlaces(); beginsNow(kept, now); kept = next.keptPlaces()) {
            var started = started(next, next.jobs().head().orElseThrow(), kept.getFirst());
            events.add(started);
            next = next.with(started);
        }
        return next;
    }

    private static boolean beginsNow(List<Part> kept, long now) {
        return !kept.isEmpty() && kept.getFirst().slot().start() == now;
    }

    private static ClusterSchedule backfilled(ClusterSchedule schedule, List<Event> events, long now) {
        if (!isAnyFree(schedule, now)) {
            return schedule;
        }
        var next = schedule;
        long longest = longest(schedule.jobs().waiting());
        var ahead = Ahead.of(next, longest, now);
        for (var job : schedule.jobs().waiting()) {
            if (ahead.leastFree(1) == 0) {
                break;
            }
            var part = ahead.leastFree(job.estimate()) < job.pes() ? Optional.<Part>empty() : part(next, job, now);
            if (part.isPresent()) {
                var started = started(next, job, part.get());
                events.add(started);
                next = next.with(started);
                ahead = Ahead.of(next, longest, now);
            }
        }
        return next;
    }

    private static long longest(Collection<BatchJob> jobs) {
        return jobs.stream().mapToLong(BatchJob::estimate).max().orElse(1);
    }

    private static boolean isAnyFree(ClusterSchedule schedule, long now) {
        return schedule.profile().fewestFree(new Slot(now, now + 1)) > 0;
    }

    /**
     * The fewest free PEs from now on.
     *
     * @param ends the ends of periods, in seconds from now, ascending
     * @param least the fewest free PEs until each end
     */
    private record Ahead(long[] ends, int[] least) {

        static Ahead of(ClusterSchedule schedule, long longest, long now) {
            var steps = schedule.profile().steps(Slot.of(now, longest));
            var ends = new long[steps.size()];
            var least = new int[steps.size()];
            for (int i = 0; i < ends.length; i++) {
                ends[i] = i + 1 < ends.length ? steps.get(i + 1).start() - now : longest;
                int free = steps.get(i).free();
                least[i] = i == 0 ? free : Math.min(least[i - 1], free);
            }
            return new Ahead(ends, least);
        }

        /** Returns the fewest PEs that are free throughout the next {@code seconds}, which must not exceed the longest estimate. */
        int leastFree(long seconds) {
            int at = Arrays.binarySearch(ends, seconds);
            return least[at < 0 ? -at - 1 : at];
        }
    }

    private static Optional<Part> part(ClusterSchedule schedule, BatchJob job, long now) {
        return schedule.freeForJobs()
                .at(Slot.of(now, job.estimate()), job.pes(), schedule.cluster().pes());
    }

    private static JobEvent started(ClusterSchedule schedule, BatchJob job, Part part) {
        var peIds = part.peIds().orElseGet(() -> schedule.freeForJobs().started(part));
        return new JobEvent(
                Event.Type.JOB_STARTED,
                job.running(Run.of(part.slot(), peIds)),
                part.slot().start());
    }
}
