package berth.slurm;

import berth.cluster.HostList;
import berth.cluster.Nodes;
import berth.sla.InvalidFigure;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The proposal for a partition of Slurm. */
sealed interface ClusterProposal {

    /** The shape of a node about which Slurm says nothing. */
    Slurm.Shape UNKNOWN = new Slurm.Shape(0, "unknown");

    /** A cluster with the nodes of the partition. */
    record ForPartition(SlurmPartition partition, NewCluster cluster, TreeSet<String> shapes)
            implements ClusterProposal {}

    /** No cluster, with the reason as a clause. */
    record LeftOut(SlurmPartition partition, String why) implements ClusterProposal {}

    /**
     * The request body that creates the cluster.
     *
     * @param granule the number of PEs per node; null for one
     * @param peNames the nodes
     */
    @JsonInclude(Include.NON_NULL)
    record NewCluster(String id, int pes, @Nullable Integer granule, String peNames, String binding, Rules policy) {}

    /**
     * The rules of the cluster.
     *
     * @param jobs which batch system has the queue
     * @param enforcement whether an agent reports reservations that are in place
     */
    record Rules(String jobs, String enforcement) {}

    /**
     * Returns a proposal for each partition. If partitions share nodes, only the first of them gets a cluster.
     *
     * @param shapes the shape of each node, by name
     * @param byCores whether a PE is a CPU rather than a node
     */
    static List<ClusterProposal> of(
            Collection<SlurmPartition> partitions, Map<String, Slurm.Shape> shapes, boolean byCores) {
        var proposals = new ArrayList<ClusterProposal>();
        var takenBy = new HashMap<String, String>();
        for (var partition : partitions) {
            var shared = partition.nodes().stream().filter(takenBy::containsKey).toList();
            if (partition.nodes().isEmpty()) {
                proposals.add(new LeftOut(partition, "it has no nodes"));
            } else if (!shared.isEmpty()) {
                var byOther = shared.stream()
                        .collect(Collectors.groupingBy(
                                node -> Objects.requireNonNull(takenBy.get(node)),
                                LinkedHashMap::new,
                                Collectors.toList()));
                proposals.add(new LeftOut(
                        partition,
                        byOther.entrySet().stream()
                                .map(other -> "partition %s has the nodes %s"
                                        .formatted(other.getKey(), HostList.fold(other.getValue())))
                                .collect(Collectors.joining(
                                        " and ", "", " already; a node can belong to only one cluster"))));
            } else {
                partition.nodes().forEach(node -> takenBy.put(node, partition.name()));
                proposals.add(ofItsOwn(partition, shapes, byCores));
            }
        }
        return proposals;
    }

    private static ClusterProposal ofItsOwn(
            SlurmPartition partition, Map<String, Slurm.Shape> shapes, boolean byCores) {
        var has = new TreeSet<String>();
        var cpus = new TreeSet<Integer>();
        for (var node : partition.nodes()) {
            var shape = shapes.getOrDefault(node, UNKNOWN);
            has.add(shape.said());
            cpus.add(shape.cpus());
        }
        if (byCores && (cpus.size() > 1 || cpus.first() < 1)) {
            return new LeftOut(
                    partition,
                    "its nodes have different numbers of CPUs, %s, and --cores needs equal nodes; leave out --cores"
                            .formatted(cpus));
        }
        try {
            int granule = byCores ? cpus.first() : 1;
            var nodes = new Nodes(granule, partition.nodes());
            return new ForPartition(
                    partition,
                    new NewCluster(
                            id(partition.name()),
                            Math.multiplyExact(granule, partition.nodes().size()),
                            byCores ? granule : null,
                            nodes.list().orElseThrow(),
                            "EARLY",
                            new Rules("OUTSIDE", "REQUIRED")),
                    has);
        } catch (InvalidFigure e) {
            return new LeftOut(partition, "Berth does not accept its nodes: %s %s".formatted(e.field(), e.rule()));
        }
    }

    /** Returns a valid cluster id made from the partition's name. */
    private static String id(String partition) {
        var plain =
                partition.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-").replaceAll("^-+", "");
        return plain.isEmpty() ? "slurm" : plain.substring(0, Math.min(63, plain.length()));
    }
}
