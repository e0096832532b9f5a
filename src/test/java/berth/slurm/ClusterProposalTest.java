package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.HostList;
import berth.slurm.ClusterProposal.ForPartition;
import berth.slurm.ClusterProposal.LeftOut;
import berth.slurm.Slurm.Shape;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClusterProposalTest {

    private static final Map<String, Shape> SHAPES = Map.of(
            "n1", cpus(4), "n2", cpus(4), "n3", cpus(4), "n4", cpus(8), "n5", cpus(8), "g1", cpus(32), "g2", cpus(32));

    private static Shape cpus(int count) {
        return new Shape(count, count + " CPUs");
    }

    @Test
    void eachNodeBelongsToOneProposedCluster() {
        var proposals = ClusterProposal.of(
                List.of(
                        partition("Batch_Big", "n[1-4]"),
                        partition("debug", "n[4-5]"),
                        partition("gpu", "g[1-2]"),
                        partition("empty", "")),
                SHAPES,
                false);

        assertThat(proposals).hasSize(4);
        assertThat(proposals.getFirst()).isInstanceOfSatisfying(ForPartition.class, proposal -> {
            assertThat(proposal.cluster().id()).isEqualTo("batch-big");
            assertThat(proposal.cluster().pes()).isEqualTo(4);
            assertThat(proposal.cluster().granule()).isNull();
            assertThat(proposal.cluster().peNames()).isEqualTo("n[1-4]");
            assertThat(proposal.cluster().binding()).isEqualTo("EARLY");
            assertThat(proposal.cluster().policy().enforcement()).isEqualTo("REQUIRED");
            assertThat(proposal.shapes()).containsExactly("4 CPUs", "8 CPUs");
        });
        assertThat(proposals.get(1))
                .isInstanceOfSatisfying(
                        LeftOut.class,
                        proposal ->
                                assertThat(proposal.why()).startsWith("partition Batch_Big has the nodes n4 already"));
        assertThat(proposals.get(2)).isInstanceOf(ForPartition.class);
        assertThat(proposals.get(3)).isInstanceOf(LeftOut.class);
    }

    @Test
    void aNodeCountsItsCpusIfAllNodesAreAlike() {
        var proposals = ClusterProposal.of(
                List.of(partition("mixed", "n[3-4]"), partition("gpu", "g[2,1]"), partition("unknown", "x1")),
                SHAPES,
                true);

        assertThat(proposals.getFirst())
                .isInstanceOfSatisfying(
                        LeftOut.class,
                        proposal -> assertThat(proposal.why())
                                .startsWith("its nodes have different numbers of CPUs, [4, 8]"));
        assertThat(proposals.get(1)).isInstanceOfSatisfying(ForPartition.class, proposal -> {
            assertThat(proposal.cluster().pes()).isEqualTo(64);
            assertThat(proposal.cluster().granule()).isEqualTo(32);
            assertThat(proposal.cluster().peNames()).isEqualTo("g[2,1]");
        });
        assertThat(proposals.get(2)).isInstanceOf(LeftOut.class);
    }

    @Test
    void aPartitionOverSeveralOthersSaysWhichNodesEachOfThemHas() {
        var proposals = ClusterProposal.of(
                List.of(partition("batch", "n[1-2]"), partition("gpu", "n[3-4]"), partition("all", "n[1-4]")),
                SHAPES,
                false);

        assertThat(proposals.getLast())
                .isInstanceOfSatisfying(
                        LeftOut.class,
                        proposal -> assertThat(proposal.why())
                                .isEqualTo(
                                        "partition batch has the nodes n[1-2] and partition gpu has the nodes n[3-4] already; a node can belong to only one cluster"));
    }

    private static SlurmPartition partition(String name, String nodes) {
        return new SlurmPartition(name, HostList.expand(nodes), OptionalLong.of(3600), false, 1, false, true);
    }
}
