package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MarginsTest {

    private static final long NOW = 10_000;
    private static final long MARGIN = 60;

    private static MachineReservation reservation(String name, long start, long end, String... nodes) {
        return new MachineReservation(
                name, NOW + start, NOW + end, new TreeSet<>(Arrays.asList(nodes)), new TreeSet<>(List.of("ada")));
    }

    private static List<MachineReservation> widened(
            List<MachineReservation> promised, List<MachineReservation> foreign, SlurmJob... jobs) {
        return Margins.widened(promised, foreign, List.of(jobs), MARGIN, NOW);
    }

    private static SlurmJob job(long end, String reservation, String node) {
        return new SlurmJob(
                "7",
                "bob",
                "RUNNING",
                Set.of("batch"),
                List.of(node),
                1,
                OptionalLong.of(end),
                NOW,
                OptionalLong.of(NOW),
                reservation.isEmpty() ? Set.of() : Set.of(reservation),
                "normal",
                "None");
    }

    @Test
    void aReservationWithFreeNodesAroundItGetsTheWholeMargin() {
        assertThat(widened(List.of(reservation("a", 600, 900, "n1", "n2")), List.of()))
                .containsExactly(reservation("a", 540, 960, "n1", "n2"));
    }

    @Test
    void aMarginDoesNotBeginBeforeNow() {
        assertThat(widened(List.of(reservation("a", 10, 900, "n1"), reservation("b", -10, 900, "n2")), List.of()))
                .containsExactly(reservation("a", 0, 960, "n1"), reservation("b", -10, 960, "n2"));
    }

    @Test
    void theLaterOfTwoReservationsGetsTheGapBetweenThemFirst() {
        var first = reservation("a", 600, 900, "n1", "n2");

        assertThat(widened(List.of(first, reservation("b", 900, 1200, "n2")), List.of()))
                .containsExactly(reservation("a", 540, 900, "n1", "n2"), reservation("b", 900, 1260, "n2"));
        assertThat(widened(List.of(first, reservation("b", 980, 1200, "n2")), List.of()))
                .containsExactly(reservation("a", 540, 920, "n1", "n2"), reservation("b", 920, 1260, "n2"));
    }

    @Test
    void reservationsOfOthersAndJobsOutsideKeepTheirTime() {
        var promised = List.of(reservation("a", 600, 900, "n1"));

        assertThat(widened(promised, List.of(reservation("class", 300, 590, "n1"), reservation("x", 970, 990, "n1"))))
                .containsExactly(reservation("a", 590, 910, "n1"));
        assertThat(widened(promised, List.of(), job(580, "", "n1"), job(595, "", "n2")))
                .containsExactly(reservation("a", 580, 960, "n1"));
        assertThat(widened(promised, List.of(), job(9_000, "", "n1")))
                .containsExactly(reservation("a", 600, 960, "n1"));
        assertThat(widened(promised, List.of(), job(595, "b", "n1"))).containsExactly(reservation("a", 540, 960, "n1"));
    }

    @Test
    void noMarginsOverlap() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var promised = new ArrayList<MachineReservation>();
            for (int number = 0; number < 40; number++) {
                long start = random.nextInt(2_000) - 200;
                var each = reservation(
                        "r" + number,
                        start,
                        start + 1 + random.nextInt(300),
                        "n" + random.nextInt(4),
                        "n" + random.nextInt(4));
                if (promised.stream().noneMatch(each::isInTheWayOf)) {
                    promised.add(each);
                }
            }
            var wide = widened(promised, List.of());
            for (int one = 0; one < wide.size(); one++) {
                var each = wide.get(one);
                assertThat(wide)
                        .filteredOn(each::isInTheWayOf)
                        .as("seed %d", seed)
                        .containsExactly(each);
                assertThat(each.covers(promised.get(one), NOW)).isTrue();
                assertThat(promised.get(one).start() - each.start()).isBetween(0L, MARGIN);
                assertThat(each.end() - promised.get(one).end()).isBetween(0L, MARGIN);
            }
        }
    }
}
