package berth.store;

import static berth.store.Seconds.instant;

import berth.batch.BatchJob;
import berth.batch.JobSource;
import berth.batch.JobState;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/**
 * The row of a batch job in its present state: its content, and the fields for searches and sums. For external batch systems only waiting
 * and running jobs have one; Berth's own jobs keep theirs after they end.
 */
@Entity
@Table(name = "job")
@NullUnmarked
public final class JobRow {

    @Id
    UUID id;

    String cluster;
    String owner;
    int pes;
    Instant submittedAt;

    @Enumerated(EnumType.STRING)
    JobSource source;

    @Enumerated(EnumType.STRING)
    JobState state;

    /** Null, as the next field, before the job has begun. */
    Instant startedAt;

    Instant takenUntil;
    Instant endedAt;
    String content;

    static JobRow of(BatchJob job) {
        var row = new JobRow();
        row.id = job.id().value();
        row.cluster = job.cluster().value();
        row.owner = job.owner().value();
        row.pes = job.pes();
        row.submittedAt = instant(job.submittedAt());
        row.source = job.source();
        row.state = job.state();
        row.startedAt = job.run().map(run -> instant(run.start())).orElse(null);
        row.takenUntil = job.run().map(run -> instant(run.until())).orElse(null);
        row.endedAt = instant(job.endedAt());
        row.content = JournalFormat.json(job);
        return row;
    }

    public BatchJob toJob() {
        return JournalFormat.read(content, BatchJob.class);
    }
}
