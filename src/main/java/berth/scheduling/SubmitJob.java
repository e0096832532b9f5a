package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.Jobs;
import berth.cluster.Admission;
import berth.cluster.Cluster;
import berth.cluster.JobIntake;
import berth.cluster.Policy;
import berth.scheduling.Event.JobEvent;
import berth.sla.AccountName;
import berth.sla.Violation;
import java.util.List;
import java.util.Optional;

/**
 * A batch job joins the end of the queue. It is promised no time; {@link StartJobs} starts it.
 *
 * @param id the new job's name, chosen by the caller so that the decision stays pure
 * @param owner the account
 * @param name the owner's label
 * @param pes PEs it needs at once
 * @param estimate how long it runs at the most, in seconds of this cluster; no longer than its longest job
 * @param allowance how much the account may have waiting and running
 */
public record SubmitJob(JobId id, AccountName owner, Optional<String> name, int pes, long estimate, Allowance allowance)
        implements Command {

    /** Of an account without limits. */
    public SubmitJob(JobId id, AccountName owner, Optional<String> name, int pes, long estimate) {
        this(id, owner, name, pes, estimate, Allowance.UNLIMITED);
    }

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return refused(schedule, now)
                .<Decision>map(Decision.Rejected::new)
                .orElseGet(() -> Decision.Accepted.of(schedule, queued(schedule, now)));
    }

    private Optional<Rejection> refused(ClusterSchedule schedule, long now) {
        var cluster = schedule.cluster();
        var jobs = schedule.jobs();
        return noJob("", pes, estimate, cluster)
                .<Rejection>map(wrong -> new Rejection.InvalidTerms(List.of(wrong)))
                .or(() -> tooLarge("", pes, cluster.pes()).map(Rejection.NeverFits::new))
                .or(() -> tooLong(cluster))
                .or(() -> cluster.admission() == Admission.CLOSED
                                || cluster.policy().jobs() == JobIntake.CLOSED
                        ? Optional.of(new Rejection.Closed())
                        : Optional.empty())
                .or(() -> cluster.policy().jobs() == JobIntake.OUTSIDE || jobs.source() == JobSource.OUTSIDE
                        ? Optional.of(new Rejection.OtherSource(JobSource.OUTSIDE))
                        : Optional.empty())
                .or(() -> jobs.size() >= Jobs.MAX
                        ? Optional.of(new Rejection.LimitExceeded(new Violation(
                                "jobs", "are as many as a cluster keeps, %d; try again later".formatted(Jobs.MAX))))
                        : Optional.empty())
                .or(() ->
                        allowance.exceeded(schedule, owner, pes, estimate, now).map(Rejection.LimitExceeded::new));
    }

    /** Nothing that Berth starts runs longer than a reservation may: it could keep reservations out for as long. */
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

    /** Why a job of that size is none on such a cluster; {@code path} is that of its fields. */
    static Optional<Violation> noJob(String path, int pes, long estimate, Cluster cluster) {
        if (pes < 1) {
            return Optional.of(new Violation(path + "pes", "must be at least 1"));
        }
        return estimate < 1 || estimate > Policy.MAX_HORIZON
                ? Optional.of(new Violation(path + "estimate", "must be longer than zero and at most ten years"))
                : cluster.nodes().broken(pes).map(why -> new Violation(path + "pes", why));
    }

    /** Why a job can never run on a cluster of so many PEs. */
    static Optional<Violation> tooLarge(String path, int pes, int most) {
        return pes > most
                ? Optional.of(new Violation(path + "pes", "exceeds the %d PEs of the cluster".formatted(most)))
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
