package berth.scheduling.commands;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.Jobs;
import berth.cluster.Admission;
import berth.cluster.Cluster;
import berth.cluster.JobIntake;
import berth.cluster.Policy;
import berth.cluster.Unit;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Rejection;
import berth.sla.AccountName;
import berth.sla.Violation;
import java.util.List;
import java.util.Optional;

/**
 * Adds a batch job to the end of the queue. Berth promises no time; {@link StartJobs} starts the job.
 *
 * @param id the id of the new job, chosen by the caller so that the decision has no side effects
 * @param owner the account
 * @param name the owner's label
 * @param pes the PEs that it needs at once
 * @param estimate the longest run time, in seconds on this cluster, at most the cluster's limit
 */
public record SubmitJob(JobId id, AccountName owner, Optional<String> name, int pes, long estimate) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return refused(basis)
                .<Decision>map(Decision.Rejected::new)
                .orElseGet(() -> Decision.Accepted.of(schedule, queued(schedule, now)));
    }

    private Optional<Rejection> refused(Basis basis) {
        var schedule = basis.schedule();
        var cluster = schedule.cluster();
        var jobs = schedule.jobs();
        return noJob("", pes, estimate, cluster)
                .<Rejection>map(wrong -> new Rejection.InvalidTerms(List.of(wrong)))
                .or(() -> tooLarge("", pes, cluster).map(Rejection.NeverFits::new))
                .or(() -> tooLong(cluster))
                .or(() -> cluster.admission() != Admission.OPEN
                                || cluster.policy().jobs() == JobIntake.CLOSED
                        ? Optional.of(new Rejection.Closed())
                        : Optional.empty())
                .or(() -> cluster.policy().jobs() == JobIntake.OUTSIDE || jobs.source() == JobSource.OUTSIDE
                        ? Optional.of(new Rejection.OtherSource(JobSource.OUTSIDE))
                        : Optional.empty())
                .or(() -> jobs.size() >= Jobs.MAX
                        ? Optional.of(new Rejection.LimitExceeded(new Violation(
                                "jobs",
                                "wait or run in the largest number that a cluster keeps, %d; try again later"
                                        .formatted(Jobs.MAX))))
                        : Optional.empty())
                .or(() -> basis.allowance(owner)
                        .exceeded(schedule, owner, pes, estimate, basis.now())
                        .map(Rejection.LimitExceeded::new));
    }

    /**
     * Checks the estimate. A job that Berth starts may not run longer than a reservation, because it could keep reservations out for that
     * long.
     */
    private Optional<Rejection> tooLong(Cluster cluster) {
        var limits = cluster.policy().limits();
        long most = Math.min(
                limits.maxDuration().orElse(cluster.policy().horizon()),
                limits.maxJobDuration().orElse(Long.MAX_VALUE));
        return estimate <= most
                ? Optional.empty()
                : Optional.of(Rejection.InvalidTerms.of(
                        "estimate", "exceeds the %d s that this cluster allows; shorten it".formatted(most)));
    }

    /** Returns why a job of that size is invalid on the cluster; {@code path} is the path of its fields. */
    static Optional<Violation> noJob(String path, int pes, long estimate, Cluster cluster) {
        if (pes < 1) {
            return Optional.of(new Violation(path + "pes", "must be at least 1"));
        }
        return estimate < 1 || estimate > Policy.MAX_HORIZON
                ? Optional.of(new Violation(path + "estimate", "must be longer than zero and at most ten years"))
                : cluster.nodes().broken(pes).map(why -> new Violation(path + "pes", why));
    }

    /** Returns why a job can never run on a cluster. */
    static Optional<Violation> tooLarge(String path, int pes, Cluster cluster) {
        return pes > cluster.pes()
                ? Optional.of(new Violation(
                        path + "pes",
                        "exceeds the %s of the cluster"
                                .formatted(Unit.of(cluster).counted(cluster.pes()))))
                : Optional.empty();
    }

    private JobEvent queued(ClusterSchedule schedule, long now) {
        var job = BatchJob.queued(
                id,
                schedule.cluster().id(),
                owner,
                name,
                pes,
                estimate,
                now,
                schedule.jobs().nextRank(),
                JobSource.BERTH);
        return new JobEvent(Event.Type.JOB_QUEUED, job, now);
    }
}
