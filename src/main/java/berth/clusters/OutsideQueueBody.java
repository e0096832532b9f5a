package berth.clusters;

import berth.accounts.Account;
import berth.availability.PeSet;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.Required;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.sla.AccountName;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current queue of an outside batch system.
 *
 * @param jobs all jobs that run or wait, in the order of the queue; at most 10,000
 */
@Schema(
        example =
                "{\"jobs\":[{\"name\":\"4711\",\"pes\":32,\"estimate\":\"PT4H\",\"submittedAt\":\"2027-01-31T12:00:00Z\"}]}")
record OutsideQueueBody(@Required @Nullable List<@Nullable OutsideJobBody> jobs) {

    /**
     * A job of an outside batch system.
     *
     * @param name the job's name there, unique among its jobs
     * @param owner the name of the account that owns the job; the caller's, if left out
     * @param pes the number of PEs that the job needs at once; may be left out if {@code peIds} is given
     * @param estimate the longest time that the job runs, in this cluster's run time
     * @param submittedAt when the job joined the queue
     * @param startedAt when the job started; left out if it waits
     * @param peIds the numbers of the PEs on which the job runs, if the cluster binds PEs early. If left out, Berth assumes that the job
     *     has PEs that are free
     */
    record OutsideJobBody(
            @Required @Nullable String name,
            @Nullable String owner,
            @Nullable Integer pes,
            @Required @Nullable String estimate,
            @Required @Nullable String submittedAt,
            @Nullable String startedAt,
            @Nullable String peIds) {

        private OutsideJob read(String path, Account caller, Fields fields) {
            var label = fields.label(path + "name", fields.required(path + "name", name, "x"));
            var whose = owner == null ? caller.name() : new AccountName(owner);
            var named = fields.peIds(path + "peIds", peIds);
            int size = pes == null && peIds != null
                    ? named.map(PeSet::size).orElse(1)
                    : fields.required(path + "pes", pes, 1);
            return new OutsideJob(
                    label.orElse(""),
                    whose,
                    size,
                    fields.durationUp(path + "estimate", fields.required(path + "estimate", estimate, "PT1S"))
                            .orElse(1),
                    fields.instantDown(
                                    path + "submittedAt",
                                    fields.required(path + "submittedAt", submittedAt, "1970-01-01T00:00:00Z"))
                            .orElse(0),
                    fields.instantDown(path + "startedAt", startedAt),
                    named);
        }
    }

    /**
     * Reads the queue.
     *
     * @throws Problem naming the mistakes of the first job that is not well-formed
     */
    ReplaceJobs read(Account caller) {
        var fields = new Fields(this);
        return new ReplaceJobs(fields.each("jobs", jobs, (job, path) -> job.read(path, caller, fields)));
    }
}
