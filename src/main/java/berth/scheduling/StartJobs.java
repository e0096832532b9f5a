package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobSource;
import berth.scheduling.Event.JobEvent;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Batch jobs start that can: step 3 of a scheduling event of paper 001, section 2. The first of the queue starts if the
 * place that is kept for it begins now (first come first served), and so on; of the others each starts that finds room now for
 * as long as its estimate says, beside what is kept for the first (EASY backfilling). So none delays the first, nor any
 * reservation. Step 1 is part of every schedule ({@link ClusterSchedule#lock}), so that step 2, the requests for
 * reservations, come between the two: this command is to be decided last at every instant at which anything happens.
 *
 * <p>Jobs of an outside batch system are not Berth's to start. O(waiting jobs), of which those that are not too large for the
 * PEs that are free now are searched a place for.
 */
public record StartJobs() implements Command {

    @Override
    public Decision.Accepted decide(ClusterSchedule schedule, long now) {
        var jobs = schedule.jobs();
        if (jobs.waiting().isEmpty() || jobs.source() == JobSource.OUTSIDE) {
            return Decision.Accepted.unchanged(schedule);
        }
        var events = new ArrayList<Event>();
        var next = backfilling(inTurn(schedule.lockedAt(now), events, now), events, now);
        return new Decision.Accepted(List.copyOf(events), next);
    }

    private static ClusterSchedule inTurn(ClusterSchedule schedule, List<Event> events, long now) {
        var next = schedule;
        for (var lock = next.lock(); lock.isPresent() && begins(lock.get(), now); lock = next.lock()) {
            var started = started(next, next.jobs().head().orElseThrow(), lock.get());
            events.add(started);
            next = next.with(started);
        }
        return next;
    }

    private static boolean begins(Part lock, long now) {
        return lock.slot().start() == now;
    }

    private static ClusterSchedule backfilling(ClusterSchedule schedule, List<Event> events, long now) {
        var next = schedule;
        int free = freeNow(next, now);
        for (var job : schedule.jobs().waiting()) {
            if (free == 0) {
                break;
            }
            var place = job.pes() > free ? Optional.<Part>empty() : place(next, job, now);
            if (place.isPresent()) {
                var started = started(next, job, place.get());
                events.add(started);
                next = next.with(started);
                free = freeNow(next, now);
            }
        }
        return next;
    }

    private static int freeNow(ClusterSchedule schedule, long now) {
        return schedule.profile().fewestFree(new Slot(now, now + 1));
    }

    private static Optional<Part> place(ClusterSchedule schedule, BatchJob job, long now) {
        return schedule.free()
                .at(Slot.of(now, job.estimate()), job.pes(), schedule.cluster().pes());
    }

    private static JobEvent started(ClusterSchedule schedule, BatchJob job, Part place) {
        var peIds = place.peIds().orElseGet(() -> schedule.free().started(place));
        return new JobEvent(
                Event.Type.JOB_STARTED,
                job.running(Run.of(place.slot(), peIds)),
                place.slot().start());
    }
}
