package berth.store;

import berth.cluster.Cluster;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/** The row of a cluster in its present state. */
@Entity
@Table(name = "cluster")
@NullUnmarked
class ClusterRow {

    @Id
    String id;

    int version;

    @Embedded
    ClusterFields fields;

    Instant createdAt;

    static ClusterRow of(Cluster cluster, Instant createdAt) {
        var row = new ClusterRow();
        row.id = cluster.id().value();
        row.createdAt = createdAt;
        row.become(cluster);
        return row;
    }

    void become(Cluster cluster) {
        version = cluster.version();
        fields = ClusterFields.of(cluster);
    }

    Cluster toCluster() {
        return fields.toCluster(id, version);
    }
}
