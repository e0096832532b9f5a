package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobSource;
import berth.scheduling.Event.JobEvent;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Batch jobs start that can: step 3 of a scheduling event of paper 001, section 2. The first of the queue starts if the
 * place that is kept for it begins now (first come first served), and so on; of the others each starts that finds room now for
 * as long as its estimate says, beside what is kept for the first (EASY backfilling). So none delays the first, nor any
 * reservation. Step 1 is part of every schedule ({@link ClusterSchedule#keptPlace}), so that step 2, the requests for
 * reservations, come between the two: this command is to be decided last at every instant at which anything happens.
 *
 * <p>Jobs of an outside batch system are not Berth's to start. O(n log p) for n jobs that wait and p points of the profile
 * within the longest estimate, and again O(p) for each that starts.
 */
public record StartJobs() implements Command {

    @Override
    public Decision.Accepted decide(ClusterSchedule schedule, long now) {
        var jobs = schedule.jobs();
        if (jobs.waiting().isEmpty() || jobs.source() == JobSource.OUTSIDE) {
            return Decision.Accepted.unchanged(schedule);
        }
        var events = new ArrayList<Event>();
        var next = backfilling(inTurn(schedule.keepingPlaceAt(now), events, now), events, now);
        return new Decision.Accepted(List.copyOf(events), next);
    }

    private static ClusterSchedule inTurn(ClusterSchedule schedule, List<Event> events, long now) {
        var next = schedule;
        for (var kept = next.keptPlace(); kept.isPresent() && begins(kept.get(), now); kept = next.keptPlace()) {
            var started = started(next, next.jobs().head().orElseThrow(), kept.get());
            events.add(started);
            next = next.with(started);
        }
        return next;
    }

    private static boolean begins(Part kept, long now) {
        return kept.slot().start() == now;
    }

    private static ClusterSchedule backfilling(ClusterSchedule schedule, List<Event> events, long now) {
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
     * The fewest PEs that are free from now on.
     *
     * @param ends until when, in seconds from now, ascending
     * @param least how many are free until then
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

        /** The fewest that are free throughout so many seconds, at most the longest estimate. */
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
