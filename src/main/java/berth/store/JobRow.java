package berth.store;

import berth.batch.BatchJob;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/**
 * The row of a batch job in its present state. For external batch systems only waiting and running jobs have one; Berth's own jobs keep
 * theirs after they end.
 */
@Entity
@Table(name = "job")
@NullUnmarked
public class JobRow {

    @Id
    UUID id;

    String cluster;

    @Embedded
    JobFields fields;

    static JobRow of(BatchJob job) {
        var row = new JobRow();
        row.id = job.id().value();
        row.cluster = job.cluster().value();
        row.fields = JobFields.of(job);
        return row;
    }

    public BatchJob toJob() {
        return fields.toJob(id, cluster);
    }
}
