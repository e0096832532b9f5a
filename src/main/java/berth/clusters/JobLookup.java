package berth.clusters;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobState;
import berth.engine.PlannedStarts;
import berth.engine.QueuePlans;
import berth.engine.Records;
import berth.engine.Records.JobFilter;
import berth.engine.Records.JobPosition;
import berth.http.Problem;
import berth.http.Texts;
import berth.reservation.ClusterId;
import berth.runtime.Gate;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds the batch jobs that an account may see, and their planned starts. */
@Component
public class JobLookup {

    private final Records records;
    private final QueuePlans plans;

    JobLookup(Records records, QueuePlans plans) {
        this.records = records;
        this.plans = plans;
    }

    /** Returns a job as recorded. A job that the account may not see is reported as not found. */
    BatchJob find(ClusterId cluster, String job, Account account) {
        var id = Texts.uuid(job).map(JobId::new).orElseThrow(() -> Problem.noId("job", "job", job));
        return records.find(id)
                .filter(found -> found.cluster().equals(cluster) && account.mayAccess(found.owner()))
                .orElseThrow(() -> Problem.notFound("job", job));
    }

    /** Returns the job as recorded now: it may have started or ended since it was submitted. */
    BatchJob asRecorded(BatchJob job) {
        return records.find(job.id()).orElse(job);
    }

    /**
     * Returns the jobs of a cluster that the account may see, last submitted first.
     *
     * @param whose only jobs of this account
     * @param state only jobs in this state
     */
    List<BatchJob> list(
            ClusterId cluster,
            Account account,
            Optional<AccountName> whose,
            Optional<JobState> state,
            Optional<JobPosition> after,
            int limit) {
        if (whose.filter(name -> !account.mayAccess(name)).isPresent()) {
            return List.of();
        }
        var seen = account.role() == Role.ADMIN ? whose : Optional.of(account.name());
        return records.jobs(cluster, new JobFilter(seen, state), after, limit);
    }

    /**
     * Returns the planned starts of jobs.
     *
     * @throws Gate.Overloaded if too many computations of the account are under way
     * @throws Gate.Unanswered if the plan is not ready in time
     */
    PlannedStarts starts(ClusterId cluster, List<BatchJob> jobs, Account account) {
        return jobs.stream().anyMatch(job -> job.state() == JobState.QUEUED)
                ? plans.of(cluster, account.name())
                : PlannedStarts.NONE;
    }

    /** Returns the planned starts of jobs for the response to a recorded change; none if the plan is not ready in time. */
    PlannedStarts startsAfterChange(ClusterId cluster, List<BatchJob> jobs, Account account) {
        try {
            return starts(cluster, jobs, account);
        } catch (Gate.Overloaded | Gate.Unanswered e) {
            return PlannedStarts.NONE;
        }
    }
}
