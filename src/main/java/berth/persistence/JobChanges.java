package berth.persistence;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.StatelessSession;

/**
 * What the events of a batch leave of a cluster's jobs: however much happens to a job, its row is written once. A queue of
 * an outside batch system is written anew as a whole; only changes to its jobs between two such reports touch single rows.
 */
final class JobChanges {

    private final ClusterId cluster;
    private final Map<JobId, BatchJob> after = new LinkedHashMap<>();
    private final Set<JobId> created = new HashSet<>();
    private boolean isReplaced;

    JobChanges(ClusterId cluster) {
        this.cluster = cluster;
    }

    void add(JobEvent event) {
        var job = event.job();
        if (event.type() == Event.Type.JOB_QUEUED) {
            created.add(job.id());
        }
        after.put(job.id(), job);
    }

    void add(JobsEvent event) {
        isReplaced = true;
        after.values().removeIf(JobChanges::isOutside);
        event.jobs().forEach(job -> {
            created.add(job.id());
            after.put(job.id(), job);
        });
    }

    private static boolean isOutside(BatchJob job) {
        return job.source() == JobSource.OUTSIDE;
    }

    void write(StatelessSession session) {
        if (isReplaced) {
            session.createMutationQuery("delete from JobRow where cluster = :cluster and fields.source = OUTSIDE")
                    .setParameter("cluster", cluster.value())
                    .executeUpdate();
        }
        var inserts = new ArrayList<JobRow>();
        var updates = new ArrayList<JobRow>();
        var deletes = new ArrayList<JobRow>();
        for (var job : after.values()) {
            boolean isKept = job.state().isLive() || !isOutside(job);
            boolean isNew = created.contains(job.id());
            if (isKept) {
                (isNew ? inserts : updates).add(JobRow.of(job));
            } else if (!isNew) {
                deletes.add(JobRow.of(job));
            }
        }
        session.insertMultiple(inserts);
        session.updateMultiple(updates);
        session.deleteMultiple(deletes);
    }

    /** The jobs of a cluster that wait or run. */
    static List<BatchJob> live(StatelessSession session, ClusterId cluster) {
        return session.createSelectionQuery(
                        "from JobRow where cluster = :cluster and fields.state in (QUEUED, RUNNING)", JobRow.class)
                .setParameter("cluster", cluster.value())
                .getResultStream()
                .map(JobRow::toJob)
                .toList();
    }
}
