package berth.store;

import static berth.store.Seconds.instant;
import static berth.store.Seconds.optional;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import berth.time.Slot;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** All fields of a batch job except its id and cluster. */
@Embeddable
@NullUnmarked
class JobFields {

    String owner;
    String name;
    int pes;
    long estimate;
    Instant submittedAt;
    long rank;

    @Enumerated(EnumType.STRING)
    JobSource source;

    @Enumerated(EnumType.STRING)
    JobState state;

    /** Null, as all fields below, before the job has begun. */
    Instant startedAt;

    Instant takenFrom;
    Instant takenUntil;

    @Convert(converter = PeSetConverter.class)
    PeSet peIds;

    Instant endedAt;

    static JobFields of(BatchJob job) {
        var fields = new JobFields();
        fields.owner = job.owner().value();
        fields.name = job.name().orElse(null);
        fields.pes = job.pes();
        fields.estimate = job.estimate();
        fields.submittedAt = instant(job.submittedAt());
        fields.rank = job.rank();
        fields.source = job.source();
        fields.state = job.state();
        job.run().ifPresent(fields::run);
        fields.endedAt = instant(job.endedAt());
        return fields;
    }

    private void run(Run run) {
        startedAt = instant(run.start());
        takenFrom = instant(run.taken().start());
        takenUntil = instant(run.taken().end());
        peIds = run.peIds();
    }

    BatchJob toJob(UUID id, String cluster) {
        return new BatchJob(
                new JobId(id),
                new ClusterId(cluster),
                new AccountName(owner),
                Optional.ofNullable(name),
                pes,
                estimate,
                submittedAt.getEpochSecond(),
                rank,
                source,
                state,
                Optional.ofNullable(startedAt).map(this::run),
                optional(endedAt));
    }

    private Run run(Instant start) {
        return new Run(
                start.getEpochSecond(), new Slot(takenFrom.getEpochSecond(), takenUntil.getEpochSecond()), peIds);
    }
}
