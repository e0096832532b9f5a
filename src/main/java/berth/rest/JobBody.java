package berth.rest;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobState;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch job.
 *
 * @param id names it for good
 * @param cluster where
 * @param name the owner's label; of a job of an outside batch system, its name there
 * @param owner whose it is
 * @param pes PEs it needs at once
 * @param estimate how long it runs at the most, in this cluster's time
 * @param state where it stands
 * @param submittedAt when it joined the queue
 * @param plannedStart when it starts, if all jobs run as long as estimated and nothing else comes; null if that cannot be
 *     foreseen, or it does not wait
 * @param startedAt when it began; null if it has not
 * @param endedAt when it ended; null if it has not
 * @param peIds which PEs it has or had, by their numbers; null if it has not begun
 */
record JobBody(
        UUID id,
        String cluster,
        @Nullable String name,
        String owner,
        int pes,
        String estimate,
        JobState state,
        Instant submittedAt,
        @Nullable Instant plannedStart,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String peIds) {

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
                Texts.instant(job.submittedAt()),
                job.state() == JobState.QUEUED ? Texts.instant(plannedStart) : null,
                Texts.orNull(job.run().map(run -> Texts.instant(run.start()))),
                Texts.instant(job.endedAt()),
                Texts.orNull(job.run().map(Run::peIds).map(PeSet::toString)));
    }
}
