package berth.store;

import berth.cluster.Cluster;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/** The row of a cluster in its present state. */
@Entity
@Table(name = "cluster")
@NullUnmarked
final class ClusterRow {

    @Id
    String id;

    String content;
    Instant createdAt;

    static ClusterRow of(Cluster cluster, Instant createdAt) {
        var row = new ClusterRow();
        row.id = cluster.id().value();
        row.content = JournalFormat.json(cluster);
        row.createdAt = createdAt;
        return row;
    }

    Cluster toCluster() {
        return JournalFormat.read(content, Cluster.class);
    }
}
