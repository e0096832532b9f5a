package berth.scheduling;

import berth.batch.JobSource;

/**
 * Batch jobs start that can, by {@link Backfilling}: step 3 of a scheduling event of paper 001, section 2. So none delays the
 * first, nor any reservation. Step 1 is part of every schedule ({@link ClusterSchedule#keptPlaces}), so that step 2, the
 * requests for reservations, come between the two: this command is to be decided last at every instant at which anything happens.
 *
 * <p>Jobs of an outside batch system are not Berth's to start.
 */
public record StartJobs() implements Command {

    @Override
    public Decision.Accepted decide(ClusterSchedule schedule, long now) {
        var jobs = schedule.jobs();
        return jobs.waiting().isEmpty() || jobs.source() == JobSource.OUTSIDE
                ? Decision.Accepted.unchanged(schedule)
                : Backfilling.starts(schedule.keepingPlacesFrom(now), now);
    }
}
