package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import berth.slurm.OutNodes.Found;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OutNodesTest {

    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final NodeList NODES = NodeList.of(1, "n[1-4]");

    private final OutNodes out = new OutNodes();

    private Found look(int second, SlurmNode... nodes) {
        return out.find(Arrays.asList(nodes), NODES, List.of(), NOON.plusSeconds(second));
    }

    private static SlurmNode node(int number, String state) {
        return new SlurmNode("n" + number, state, "n%d is %s: fan".formatted(number, state));
    }

    private static Found.Out out(int node, String state) {
        return new Found.Out(Map.of(
                "n" + node,
                new AgentReport.Out(
                        OptionalLong.empty(), OptionalLong.empty(), "n%d is %s: fan".formatted(node, state))));
    }

    @Test
    void aNodeIsOutAtOnceAndForAMinuteAfterItHasComeBack() {
        assertThat(look(0, node(1, "idle"), node(2, "down"))).isEqualTo(out(2, "down"));
        // reported with the state in which it went down first
        assertThat(look(5, node(2, "down*"))).isEqualTo(out(2, "down"));
        assertThat(look(64, node(2, "idle"))).isEqualTo(out(2, "down"));
        assertThat(look(65, node(2, "idle"))).isEqualTo(new Found.Out(Map.of()));
    }

    @Test
    void anOutageOfMostNodesIsBelievedAMinuteLater() {
        var most = new SlurmNode[] {node(1, "down"), node(2, "down"), node(3, "down")};

        assertThat(look(0, most)).isEqualTo(new Found.TooMany(3));
        assertThat(look(59, most)).isEqualTo(new Found.TooMany(3));
        assertThat(look(60, most))
                .isInstanceOfSatisfying(
                        Found.Out.class, found -> assertThat(found.nodes()).containsOnlyKeys("n1", "n2", "n3"));
    }

    @Test
    void nodesOfOtherClustersDoNotMatter() {
        assertThat(look(0, node(5, "down"), node(6, "down"), node(7, "down"))).isEqualTo(new Found.Out(Map.of()));
    }

    @Test
    void aDrainingNodeIsOutAfterItsRunningReservation() {
        long noon = NOON.getEpochSecond();
        var nodes = new TreeSet<>(List.of("n2"));
        var running = new MachineReservation("berth.tux.a.0", noon - 60, noon + 600, nodes, new TreeSet<>());
        var later = new MachineReservation("berth.tux.b.0", noon + 600, noon + 1200, nodes, new TreeSet<>());
        var draining = List.of(node(1, "draining"), node(2, "draining*"));

        assertThat(out.find(draining, NODES, List.of(running, later), NOON))
                .isEqualTo(new Found.Out(Map.of(
                        "n1", new AgentReport.Out(OptionalLong.empty(), OptionalLong.empty(), "n1 is draining: fan"),
                        "n2",
                                new AgentReport.Out(
                                        OptionalLong.of(noon + 600), OptionalLong.empty(), "n2 is draining*: fan"))));
    }
}
