package berth.slurm;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** What becomes of a partition of Slurm that Berth is to serve. */
sealed interface Proposal {

    /** A cluster for its nodes. */
    record ForPartition(SlurmPartition partition, NewCluster cluster, TreeSet<String> shapes) implements Proposal {}

    /** None: why is said in a sentence. */
    record LeftOut(SlurmPartition partition, String why) implements Proposal {}

    /** What Berth is asked to create. */
    @JsonInclude(Include.NON_NULL)
    record NewCluster(String id, int pes, String binding, Rules policy) {}

    /** @param jobs whose queue it is */
    record Rules(String jobs, String enforcement) {}

    /**
     * A cluster for each partition, the first of those that share nodes.
     *
     * @param shapes what each node has, by its name
     */
    static List<Proposal> of(Collection<SlurmPartition> partitions, Map<String, String> shapes) {
        var proposals = new ArrayList<Proposal>();
        var takenBy = new HashMap<String, String>();
        for (var partition : partitions) {
            var shared = partition.nodes().stream().filter(takenBy::containsKey).toList();
            if (partition.nodes().isEmpty()) {
                proposals.add(new LeftOut(partition, "it has no nodes"));
            } else if (!shared.isEmpty()) {
                var other = Objects.requireNonNull(takenBy.get(shared.getFirst()));
                proposals.add(new LeftOut(
                        partition,
                        "%s are those of %s, and a node is of one cluster".formatted(HostList.fold(shared), other)));
            } else {
                partition.nodes().forEach(node -> takenBy.put(node, partition.name()));
                var has = new TreeSet<String>();
                partition.nodes().forEach(node -> has.add(shapes.getOrDefault(node, "unknown")));
                proposals.add(new ForPartition(
                        partition,
                        new NewCluster(
                                id(partition.name()),
                                partition.nodes().size(),
                                "EARLY",
                                new Rules("OUTSIDE", "REPORTED")),
                        has));
            }
        }
        return proposals;
    }

    /** A name that a cluster may have. */
    private static String id(String partition) {
        var plain =
                partition.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-").replaceAll("^-+", "");
        return plain.isEmpty() ? "slurm" : plain.substring(0, Math.min(63, plain.length()));
    }
}
