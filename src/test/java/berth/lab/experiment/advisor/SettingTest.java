package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.RunEnds;
import berth.lab.simulation.Figures;
import berth.lab.simulation.Simulation;
import berth.lab.workload.JobWindows;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingTest {

    @Test
    void settingsLeaveOutOrdersThatChangeNothing() {
        var all = Setting.crossing(
                List.of(PlacementPolicy.values()),
                List.of(Juggling.values()),
                List.of(ReplanOrder.values()),
                List.of(Binding.values()));

        assertThat(all).hasSize(7 * (1 + 3 * 6) * 2).doesNotHaveDuplicates().contains(Setting.STANDARD);
        assertThat(all.stream().filter(setting -> setting.juggling() == Juggling.NEVER))
                .hasSize(7 * 2)
                .allMatch(setting -> setting.order() == ReplanOrder.EARLIEST_DEADLINE_FIRST);
    }

    @Test
    void settingsWithoutJugglingHaveEqualResultsInEveryOrder() {
        var workload = new LogWorkload(
                JobWindows.modelled(3, 1, 2 * 86_400),
                128,
                0.5,
                100,
                1.5,
                new RunEnds.AsReserved(),
                BigDecimal.ZERO,
                0);
        var requests = workload.requests(1, 3);

        for (Binding binding : Binding.values()) {
            var cluster = workload.cluster(
                    new Setting(PlacementPolicy.PE_WORST_FIT, Juggling.NEVER, ReplanOrder.FIFO, binding));
            var outcomes = Stream.of(ReplanOrder.values())
                    .map(order -> cluster.under(cluster.policy().withReplanning(Juggling.NEVER, order)))
                    .map(ordered -> Simulation.run(ordered, requests, 3).outcomes())
                    .distinct();
            assertThat(outcomes).hasSize(1);
        }
        assertThat(Arrays.stream(ReplanOrder.values())
                        .map(order -> new Setting(PlacementPolicy.PE_WORST_FIT, Juggling.ALWAYS, order, Binding.LATE))
                        .map(setting -> Figures.of(Simulation.run(workload.cluster(setting), requests, 3)))
                        .distinct())
                .as("where it is placed anew they do not")
                .hasSizeGreaterThan(1);
    }

    @Test
    void settingsApplyToACluster() {
        var workload = new LogWorkload(
                JobWindows.modelled(3, 1, 86_400), 128, 0.5, 100, 1, new RunEnds.AsReserved(), BigDecimal.ZERO, 60);
        var setting = new Setting(
                PlacementPolicy.PE_BEST_FIT, Juggling.ALWAYS, ReplanOrder.LEAST_FLEXIBLE_FIRST, Binding.EARLY);
        var cluster = workload.cluster(setting);

        assertThat(cluster.pes()).isEqualTo(128);
        assertThat(cluster.binding()).isEqualTo(Binding.EARLY);
        assertThat(cluster.policy().notice()).isEqualTo(60);
        assertThat(cluster.policy().placement()).isEqualTo(PlacementPolicy.PE_BEST_FIT);
        assertThat(cluster.policy().juggling()).isEqualTo(Juggling.ALWAYS);
        assertThat(cluster.policy().replanning().order()).isEqualTo(ReplanOrder.LEAST_FLEXIBLE_FIRST);
    }

    @Test
    void settingsUseTheWordsOfTheContract() {
        var never = new Setting(PlacementPolicy.PE_BEST_FIT, Juggling.NEVER, ReplanOrder.FIFO, Binding.EARLY);
        var always = new Setting(PlacementPolicy.FIRST_FIT, Juggling.ALWAYS, ReplanOrder.FIFO, Binding.LATE);

        assertThat(never.words()).isEqualTo("PE_BEST_FIT, NEVER, EARLY");
        assertThat(always.words()).isEqualTo("FIRST_FIT, ALWAYS FIFO, LATE");
        assertThat(never.change()).isEqualTo("{\"policy\":{\"placement\":\"PE_BEST_FIT\",\"juggling\":\"NEVER\"}}");
        assertThat(always.change())
                .isEqualTo(
                        "{\"policy\":{\"placement\":\"FIRST_FIT\",\"replanOrder\":\"FIFO\",\"juggling\":\"ALWAYS\"}}");
    }

    @Test
    void changesOfAClusterNameOnlyWhatDiffers() {
        var never = new Setting(PlacementPolicy.FIRST_FIT, Juggling.NEVER, ReplanOrder.FIFO, Binding.EARLY);
        var fifo = new Setting(PlacementPolicy.FIRST_FIT, Juggling.ALWAYS, ReplanOrder.FIFO, Binding.LATE);
        var standard = new Setting(PlacementPolicy.FIRST_FIT, Juggling.ALWAYS, never.order(), Binding.LATE);
        var worst = new Setting(PlacementPolicy.PE_WORST_FIT, Juggling.ALWAYS, ReplanOrder.FIFO, Binding.LATE);

        assertThat(fifo.changeOf(fifo)).isEmpty();
        assertThat(never.changeOf(fifo)).contains("{\"policy\":{\"juggling\":\"NEVER\"}}");
        assertThat(worst.changeOf(fifo)).contains("{\"policy\":{\"placement\":\"PE_WORST_FIT\"}}");
        assertThat(standard.changeOf(fifo)).contains("{\"policy\":{\"replanOrder\":\"EARLIEST_DEADLINE_FIRST\"}}");
        assertThat(standard.changeOf(never))
                .as("the order in force is not known without juggling")
                .contains("{\"policy\":{\"replanOrder\":\"EARLIEST_DEADLINE_FIRST\",\"juggling\":\"ALWAYS\"}}");
    }
}
