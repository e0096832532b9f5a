package berth.scheduling.commands;

import static berth.scheduling.Request.target;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.cluster.Binding;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reservations move into hours that have become cheaper. Numbers name the reservations. */
class FollowPricesTest {

    private LiveCluster cluster = LiveCluster.of(4);

    /** Hours cost half from 200 to 300, and a tenth from 500 to 600. */
    private static final Signal NIGHTS = new Signal(
            "energy",
            List.of(
                    new SignalStep(0, 1_000_000),
                    new SignalStep(200, 500_000),
                    new SignalStep(300, 1_000_000),
                    new SignalStep(500, 100_000)),
            600);

    private List<ReservationEvent> follow(Command command) {
        var before = cluster.schedule();
        cluster.happens(command);
        return cluster.happens(new FollowPrices(before)).stream()
                .map(event -> (ReservationEvent) event)
                .toList();
    }

    @Test
    void aRunMovesToTheCheapestHoursOfItsWindow() {
        cluster.grant(Request.of(1, 2, 100).ready(50).deadline(650).following());
        cluster.grant(Request.of(2, 2, 100).ready(50).deadline(650));
        var before = cluster.latest(1);

        var events = follow(new ChangeSignal(NIGHTS));

        assertThat(events).hasSize(1);
        var after = events.getFirst().reservation();
        var move = events.getFirst().move().orElseThrow();
        assertThat(after.id()).isEqualTo(before.id());
        assertThat(after.slot().start()).isEqualTo(500);
        assertThat(move.why()).isEqualTo(MoveReason.CHEAPER);
        assertThat(move.price()).contains(before.price());
        assertThat(after.price().amount().doubleValue())
                .isLessThanOrEqualTo(before.price().amount().doubleValue() / 10);
        assertThat(after.status().moves().count()).isZero();
        assertThat(follow(new ChangeSignal(Signal.NONE))).isEmpty();
        assertThat(cluster.latest(1).price()).isEqualTo(after.price());
    }

    @Test
    void itStaysWithinItsTerms() {
        cluster.grant(Request.of(1, 1, 100).ready(50).deadline(400).following());
        cluster.grant(Request.of(2, 1, 100).ready(50).deadline(650).maxShift(50).following());
        cluster.grant(
                Request.of(3, 1, 100).ready(50).deadline(650).fixAfter("0").following());

        follow(new ChangeSignal(NIGHTS));

        assertThat(cluster.slot(1).start()).isEqualTo(200);
        assertThat(cluster.slot(2).start()).isEqualTo(50);
        assertThat(cluster.slot(3).start()).isEqualTo(50);
    }

    @Test
    void itStaysForASmallGain() {
        var signal = new Signal("energy", List.of(new SignalStep(0, 1_000_000), new SignalStep(250, 970_000)), 600);
        cluster = LiveCluster.of(
                SampleCluster.of(4).tariff(SampleCluster.CENT_PER_SECOND.with("latenessDiscount", BigDecimal.ZERO)));
        cluster.grant(Request.of(2, 4, 100).ready(100).deadline(400).following());
        assertThat(follow(new ChangeSignal(signal))).isEmpty();
    }

    @Test
    void itTakesCheapHoursThatBecomeFree() {
        cluster.grant(Request.of(1, 4, 100).start(500));
        cluster.grant(Request.of(2, 4, 100).start(200));
        cluster.grant(Request.of(3, 4, 100).ready(50).deadline(650).following());
        assertThat(follow(new ChangeSignal(NIGHTS))).isEmpty();

        assertThat(follow(new Cancel(target(2)))).hasSize(1);
        assertThat(cluster.slot(3).start()).isEqualTo(200);
        assertThat(follow(new Cancel(target(1)))).hasSize(1);
        assertThat(cluster.slot(3).start()).isEqualTo(500);
    }

    @Test
    void withoutASignalNothingMoves() {
        cluster.grant(Request.of(1, 4, 100).start(0));
        cluster.grant(Request.of(2, 4, 100).deadline(650).following());

        assertThat(follow(new Cancel(target(1)))).isEmpty();
    }

    @Test
    void aClusterBoundsTheMovesOfOneInstant() {
        cluster = LiveCluster.of(SampleCluster.of(4).movingAtMost(2));
        for (int number = 1; number <= 4; number++) {
            cluster.grant(Request.of(number, 1, 100).ready(50).deadline(650).following());
        }

        assertThat(follow(new ChangeSignal(NIGHTS))).hasSize(2);
    }

    /** All reservations but the last compare 400 starts each, of which none is cheaper. */
    @Test
    void theMeanFactorsOfOneInstantAreBounded() {
        for (int others = 499; others <= 500; others++) {
            cluster = LiveCluster.of(1_000);
            for (int number = 1; number <= others; number++) {
                cluster.grant(Request.of(number, 1, 10)
                        .ready(10)
                        .deadline(900)
                        .start(10)
                        .following());
            }
            cluster.grant(
                    Request.of(501, 1, 10).ready(500).deadline(900).start(500).following());
            var rising = IntStream.range(0, 500).mapToObj(second -> new SignalStep(second, 1_000_000 + second));
            var falling = Stream.of(new SignalStep(500, 1_000_000), new SignalStep(600, 500_000));

            var moved = follow(new ChangeSignal(
                    new Signal("energy", Stream.concat(rising, falling).toList(), 900)));

            assertThat(moved).hasSize(others == 499 ? 1 : 0);
        }
    }

    /** Plays signals and cancellations: each move is within the terms, costs less, and concerns nobody else. */
    @Test
    void everyMoveIsAGainForItsOwnerAndConcernsNobodyElse() {
        int moved = 0;
        for (int seed = 0; seed < Seeds.of(1_000); seed++) {
            var random = new Random(seed);
            cluster = LiveCluster.of(SampleCluster.of(4)
                    .bound(random.nextBoolean() ? Binding.EARLY : Binding.LATE)
                    .notice(random.nextInt(5)));
            for (int number = 1; number <= 8; number++) {
                long ready = random.nextInt(200);
                long duration = 10 + random.nextInt(80);
                var request = Request.of(number, 1 + random.nextInt(4), duration)
                        .ready(ready)
                        .deadline(ready + duration + random.nextInt(400));
                cluster.tries((random.nextInt(4) == 0 ? request : request.following()).reserve());
            }
            for (int step = 0; step < 4; step++) {
                cluster.at(cluster.now() + random.nextInt(20)).advance();
                var before = cluster.schedule();
                cluster.tries(random.nextBoolean() ? signal(random) : new Cancel(target(1 + random.nextInt(8))));
                var others = List.copyOf(cluster.schedule().reservations());
                var events = cluster.tries(new FollowPrices(before));
                moved += events.size();

                for (var event : events) {
                    var after = ((ReservationEvent) event).reservation();
                    var was = others.stream()
                            .filter(each -> each.id().equals(after.id()))
                            .findFirst()
                            .orElseThrow();
                    assertThat(was.terms().mobility().follow()).isPresent();
                    assertThat(after.terms()).isEqualTo(was.terms());
                    assertThat(after.terms().allow(after.parts())).isTrue();
                    assertThat(after.slot().start()).isGreaterThanOrEqualTo(cluster.now());
                    assertThat(was.price().exceeds(after.price())).isTrue();
                    assertThat(after.status().moves().count())
                            .isEqualTo(was.status().moves().count());
                }
                var changed = events.stream()
                        .map(event -> ((ReservationEvent) event).reservation().id())
                        .toList();
                assertThat(others)
                        .allSatisfy(each -> assertThat(changed.contains(each.id())
                                        || cluster.schedule().find(each.id()).equals(Optional.of(each)))
                                .isTrue());
            }
        }
        assertThat(moved).isGreaterThan(Seeds.of(500));
    }

    private static ChangeSignal signal(Random random) {
        var steps = new ArrayList<SignalStep>();
        long from = random.nextInt(50);
        for (int step = 0; step < 1 + random.nextInt(10); step++) {
            steps.add(new SignalStep(from, 100_000 + random.nextInt(3_000_000)));
            from += 1 + random.nextInt(80);
        }
        return new ChangeSignal(new Signal("energy", steps, from));
    }
}
