package berth.scheduling;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.scheduling.FreeMap.Cell;
import berth.scheduling.FreeMap.Row;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeMapTest {

    @Test
    void showsForEachSizeTheFirstRunOfEachStep() {
        var cluster = LiveCluster.of(6);
        cluster.grant(Request.of(1, 4, 15).start(5));

        var rows = new FreeMap(10, new Slot(0, 40), 10, ServiceClass.STANDARD).ask(cluster.schedule(), cluster.now());

        assertThat(rows)
                .extracting(
                        Row::pes,
                        row -> row.cells().stream()
                                .map(cell -> cell.map(Cell::start).orElse(-1L))
                                .toList())
                .containsExactly(
                        tuple(1, List.of(0L, 10L, 20L, 30L)),
                        tuple(2, List.of(0L, 10L, 20L, 30L)),
                        tuple(4, List.of(-1L, -1L, 20L, 30L)),
                        tuple(6, List.of(-1L, -1L, 20L, 30L)));
        assertThat(rows.getLast().cells().getLast()).contains(new Cell(30, usd("0.60"), OptionalDouble.of(1)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void showsWhatAProbeOfEachStepWouldOfferFirst(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            var cluster = LiveCluster.of(1 + random.nextInt(10)).at(random.nextInt(50));
            for (int i = 1; i < 12; i++) {
                cluster.tries(Request.of(
                                i,
                                1 + random.nextInt(cluster.schedule().cluster().pes()),
                                1 + random.nextInt(40))
                        .ready(cluster.now() + random.nextInt(200))
                        .reserve());
            }
            long duration = 1 + random.nextInt(30);
            long step = 1 + random.nextInt(40);
            var range = Slot.of(cluster.now(), 1 + random.nextInt(300));
            var map = new FreeMap(duration, range, step, ServiceClass.STANDARD);
            for (var row : map.ask(cluster.schedule(), cluster.now())) {
                for (int i = 0; i < row.cells().size(); i++) {
                    long first = range.start() + i * step;
                    long last = Math.min(range.end(), first + step) - 1;
                    assertThat(row.cells().get(i))
                            .as("seed %d, round %d, %d PEs from %d to %d", seed, round, row.pes(), first, last)
                            .isEqualTo(probed(cluster, row.pes(), duration, first, last));
                }
            }
        }
    }

    private static Optional<Cell> probed(LiveCluster cluster, int pes, long duration, long first, long last) {
        var question = Request.of(99, pes, duration).ready(first).deadline(last + duration);
        return cluster.ask(question.probe(1)) instanceof Probe.Answer.Offers(var offers, var _)
                ? Optional.of(new Cell(
                        offers.getFirst().slot().start(), offers.getFirst().fixedPrice(), OptionalDouble.of(1)))
                : Optional.empty();
    }
}
