package berth.scheduling.places;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.batch.JobId;
import berth.cluster.AvailabilityMethod;
import berth.outcome.Outcome;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.FreeMap.Cell;
import berth.scheduling.places.FreeMap.Row;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FreeMapTest {

    @Test
    void showsForEachSizeTheFirstRunOfEachStep() {
        var cluster = LiveCluster.of(6);
        cluster.grant(Request.of(1, 4, 15).start(5));

        var rows = new FreeMap(10, new Slot(0, 40), 10, Request.ADA).ask(cluster.schedule(), cluster.now());

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
        assertThat(rows.getLast().cells().getLast()).contains(new Cell(30, usd("0.30"), OptionalDouble.of(1)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void showsTheFirstOfferOfAProbeOfEachStep(long seed) {
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
            var map = new FreeMap(duration, range, step, Request.ADA);
            for (var row : map.ask(cluster.schedule(), cluster.now())) {
                for (int i = 0; i < row.cells().size(); i++) {
                    long first = range.start() + i * step;
                    long last = Math.min(range.end(), first + step) - 1;
                    assertThat(row.cells().get(i))
                            .as("seed %d, round %d, %d PEs from %d to %d", seed, round, row.pes(), first, last)
                            .isEqualTo(probed(cluster, row.pes(), duration, first, last)
                                    .map(start -> new Cell(
                                            start, price(cluster, row.pes(), map, start), OptionalDouble.of(1))));
                }
            }
        }
    }

    private static Optional<Long> probed(LiveCluster cluster, int pes, long duration, long first, long last) {
        var question = Request.of(99, pes, duration).ready(first).deadline(last + duration);
        return cluster.ask(question.probe(1)) instanceof Outcome.Done(Probe.Offers(var offers, var _))
                ? Optional.of(offers.getFirst().slot().start())
                : Optional.empty();
    }

    /** Returns the price of a reservation that begins then and could begin at any time of the map. */
    private static Money price(LiveCluster cluster, int pes, FreeMap map, long start) {
        var request = Request.of(99, pes, map.duration())
                .ready(map.range().start())
                .deadline(map.range().end() - 1 + map.duration())
                .start(start);
        var decision = (Decision.Accepted) request.reserve().decide(new Basis(cluster.schedule(), cluster.now()));
        return ((ReservationEvent) decision.events().getFirst()).reservation().price();
    }

    @ParameterizedTest
    @EnumSource
    void besideJobsARunIsHarmlessFromAnInstantOn(AvailabilityMethod method) {
        var cluster = LiveCluster.of(SampleCluster.of(10).available(method, "0.5", "0", 3, 50));
        for (int i = 1; i <= 3; i++) {
            var job = new JobId(new UUID(7, i));
            cluster.happens(new SubmitJob(job, new AccountName("ada"), Optional.empty(), i == 2 ? 5 : 10, 100));
            cluster.happens(new StartJobs());
        }

        var rows = new FreeMap(10, new Slot(0, 400), 50, Request.ADA).ask(cluster.schedule(), cluster.now());

        // one after another until second 300; by load, half of their work is over at 125
        assertThat(rows.getFirst().cells())
                .extracting(cell ->
                        cell.map(found -> found.availability().orElse(-1)).orElse(0.0))
                .containsExactlyElementsOf(
                        method == AvailabilityMethod.WHAT_IF
                                ? List.of(0.0, 0.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0)
                                : List.of(0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0));
    }
}
