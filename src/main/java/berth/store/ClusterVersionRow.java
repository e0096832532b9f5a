package berth.store;

import berth.cluster.Cluster;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import org.jspecify.annotations.NullUnmarked;

/** The row of a cluster's state after a change. Written once. */
@Entity
@Table(name = "cluster_version")
@IdClass(ClusterVersionRow.Key.class)
@NullUnmarked
class ClusterVersionRow {

    record Key(String cluster, int version) {}

    @Id
    String cluster;

    @Id
    int version;

    @Embedded
    ClusterFields fields;

    static ClusterVersionRow of(Cluster cluster) {
        var row = new ClusterVersionRow();
        row.cluster = cluster.id().value();
        row.version = cluster.version();
        row.fields = ClusterFields.of(cluster);
        return row;
    }

    Cluster toCluster() {
        return fields.toCluster(cluster, version);
    }
}
