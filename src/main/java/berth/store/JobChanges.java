package berth.store;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.reservation.ClusterId;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.StatelessSession;

/**
 * Collects the effects of a batch's events on a cluster's jobs, so that each job's row is written once. The queue of an external batch
 * system is rewritten as a whole; only changes to its jobs between two reports write single rows.
 */
final class JobChanges {

    private final ClusterId cluster;
    private final Map<JobId, BatchJob> after = new LinkedHashMap<>();
    private boolean isReplaced;

    JobChanges(ClusterId cluster) {
        this.cluster = cluster;
    }

    void add(JobEvent event) {
        after.put(event.job().id(), event.job());
    }

    void add(JobsEvent event) {
        isReplaced = true;
        after.values().removeIf(JobChanges::isOutside);
        event.jobs().forEach(job -> after.put(job.id(), job));
    }

    private static boolean isOutside(BatchJob job) {
        return job.source() == JobSource.OUTSIDE;
    }

    void write(StatelessSession session) {
        if (isReplaced) {
            session.createMutationQuery("delete from JobRow where cluster = :cluster and source = OUTSIDE")
                    .setParameter("cluster", cluster.value())
                    .executeUpdate();
        }
        var kept = new LinkedHashMap<UUID, JobRow>();
        var gone = new ArrayList<UUID>();
        for (var job : after.values()) {
            if (job.state().isLive() || !isOutside(job)) {
                kept.put(job.id().value(), JobRow.of(job));
            } else {
                gone.add(job.id().value());
            }
        }
        Projection.replace(session, JobRow.class, kept);
        if (!gone.isEmpty()) {
            Projection.delete(session, JobRow.class, gone);
        }
    }

    /** Returns the waiting and running jobs of a cluster. */
    static List<BatchJob> live(StatelessSession session, ClusterId cluster) {
        return session.createNativeQuery(
                        "select * from job where cluster = :cluster and state in ('QUEUED', 'RUNNING')", JobRow.class)
                .setParameter("cluster", cluster.value())
                .getResultStream()
                .map(JobRow::toJob)
                .toList();
    }
}
