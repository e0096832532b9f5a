package berth.clusters;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobState;
import berth.http.Texts;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch job.
 *
 * @param id id of the job, which never changes
 * @param cluster the cluster whose queue it is in
 * @param name the owner's label; for a job of an outside batch system, its name there
 * @param owner owner of the job
 * @param pes number of PEs that it needs at once
 * @param estimate its longest run time, in this cluster's time
 * @param state state of the job
 * @param peIds the numbers of the PEs that it has or had; null if it has not started
 */
record JobBody(
        UUID id,
        String cluster,
        @Nullable String name,
        String owner,
        int pes,
        String estimate,
        JobState state,
        @JsonUnwrapped TimesBody times,
        @Nullable String peIds) {

    /**
     * The times of a batch job.
     *
     * @param submittedAt when it joined the queue
     * @param plannedStart when it would start if all jobs ran as long as estimated and no others came; null if that is not known, or if the
     *     job does not wait
     * @param startedAt when it started; null if it has not
     * @param endedAt when it ended; null if it has not
     */
    record TimesBody(
            Instant submittedAt,
            @Nullable Instant plannedStart,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt) {}

    /** @param plannedStart seconds since the epoch */
    static JobBody of(BatchJob job, OptionalLong plannedStart) {
        return new JobBody(
                job.id().value(),
                job.cluster().value(),
                Texts.orNull(job.name()),
                job.owner().value(),
                job.pes(),
                Texts.duration(job.estimate()),
                job.state(),
                new TimesBody(
                        Texts.instant(job.submittedAt()),
                        job.state() == JobState.QUEUED ? Texts.instant(plannedStart) : null,
                        Texts.orNull(job.run().map(run -> Texts.instant(run.start()))),
                        Texts.instant(job.endedAt())),
                Texts.orNull(job.run().map(Run::peIds).map(PeSet::toString)));
    }
}
