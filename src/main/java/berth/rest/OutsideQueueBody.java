package berth.rest;

import berth.availability.PeSet;
import berth.scheduling.ReplaceJobs;
import berth.scheduling.ReplaceJobs.OutsideJob;
import berth.security.Account;
import berth.sla.AccountName;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue of an outside batch system as it stands.
 *
 * @param jobs all that run or wait, the first of the queue first; at most 10,000
 */
@Schema(
        example =
                "{\"jobs\":[{\"name\":\"4711\",\"pes\":32,\"estimate\":\"PT4H\",\"submittedAt\":\"2027-01-31T12:00:00Z\"}]}")
record OutsideQueueBody(@Required @Nullable List<@Nullable OutsideJobBody> jobs) {

    /**
     * A job of an outside batch system.
     *
     * @param name its name there, which no other of its jobs has
     * @param owner whose it is, as an account is named; the caller's, if left out
     * @param pes PEs it needs at once; may be left out beside {@code peIds}
     * @param estimate how long it runs at the most, in this cluster's time
     * @param submittedAt when it joined the queue
     * @param startedAt since when it runs; it waits, if left out
     * @param peIds which PEs it has, by their numbers, of a job that runs where PEs are bound early; if left out, Berth takes it
     *     to have some that are free
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

    /** @throws Problem naming what is wrong with the first job that is not well-formed */
    ReplaceJobs read(Account caller) {
        var fields = new Fields(this);
        return new ReplaceJobs(fields.each("jobs", jobs, (job, path) -> job.read(path, caller, fields)));
    }
}
