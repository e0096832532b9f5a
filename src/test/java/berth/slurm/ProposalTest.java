package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import berth.slurm.Proposal.ForPartition;
import berth.slurm.Proposal.LeftOut;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProposalTest {

    @Test
    void eachNodeIsOfOneCluster() {
        var proposals = Proposal.of(
                List.of(
                        partition("Batch_Big", "n[1-4]"),
                        partition("debug", "n[4-5]"),
                        partition("gpu", "g[1-2]"),
                        partition("empty", "")),
                Map.of("n1", "4 CPUs", "n2", "4 CPUs", "n3", "4 CPUs", "n4", "8 CPUs", "g1", "gpu:4", "g2", "gpu:4"));

        assertThat(proposals).hasSize(4);
        assertThat(proposals.getFirst()).isInstanceOfSatisfying(ForPartition.class, proposal -> {
            assertThat(proposal.cluster().id()).isEqualTo("batch-big");
            assertThat(proposal.cluster().pes()).isEqualTo(4);
            assertThat(proposal.cluster().binding()).isEqualTo("EARLY");
            assertThat(proposal.shapes()).containsExactly("4 CPUs", "8 CPUs");
        });
        assertThat(proposals.get(1))
                .isInstanceOfSatisfying(
                        LeftOut.class, proposal -> assertThat(proposal.why()).startsWith("n4 are those of Batch_Big"));
        assertThat(proposals.get(2)).isInstanceOf(ForPartition.class);
        assertThat(proposals.get(3)).isInstanceOf(LeftOut.class);
    }

    private static SlurmPartition partition(String name, String nodes) {
        return new SlurmPartition(name, HostList.expand(nodes), OptionalLong.of(3600));
    }
}
