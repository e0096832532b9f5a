package berth.scheduling.commands;

import berth.batch.JobSource;
import berth.scheduling.Backfilling;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;

/**
 * Starts the batch jobs that can start, by {@link Backfilling}: step 3 of a scheduling event of paper 001, section 2. None of them delays
 * the head of the queue or a reservation. Step 1 is part of every schedule ({@link ClusterSchedule#keptPlaces}), and step 2, the requests
 * for reservations, comes between the two. This command must therefore be the last one at every instant at which anything happens.
 *
 * <p>Berth does not start the jobs of an external batch system.
 */
public record StartJobs() implements Command {

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var jobs = schedule.jobs();
        return jobs.waiting().isEmpty() || jobs.source() == JobSource.OUTSIDE
                ? Decision.Accepted.unchanged(schedule)
                : Backfilling.starts(schedule.keepingPlacesFrom(now), now);
    }
}
