package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.scheduling.Event;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Waiting reservations use time that becomes free early. Numbers name the reservations. */
class PullForwardTest {

    private static final SampleCluster TWO = SampleCluster.of(2)
            .juggling(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST)
            .replanning(rules -> rules.pullingForward(true));

    private LiveCluster cluster = LiveCluster.of(TWO);

    private List<Event> cancel(int number) {
        var before = cluster.schedule();
        cluster.grant(new Cancel(Request.target(number)));
        return cluster.happens(new PullForward(before));
    }

    private long start(int number) {
        return cluster.slot(number).start();
    }

    @Test
    void waitingReservationsMoveForward() {
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 2, 20).deadline(200));
        cluster.grant(Request.of(3, 2, 30).deadline(300));

        var events = cancel(1);

        assertThat(start(2)).isZero();
        assertThat(start(3)).isEqualTo(20);
        assertThat(events)
                .extracting(
                        event -> ((ReservationEvent) event).move().orElseThrow().why())
                .containsExactly(MoveReason.PULLED_FORWARD, MoveReason.PULLED_FORWARD);
    }

    @Test
    void theOrderOfTheClusterDecidesWhichReservationMovesFirst() {
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 2, 10).deadline(300));
        cluster.grant(Request.of(3, 2, 10).deadline(200));

        cancel(1);

        assertThat(start(3)).isZero();
        assertThat(start(2)).isEqualTo(10);
    }

    @Test
    void nothingMovesIfTheClusterDoesNotPullForward() {
        cluster = LiveCluster.of(TWO.replanning(rules -> rules.pullingForward(false)));
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 2, 20).deadline(200));

        assertThat(cancel(1)).isEmpty();
        assertThat(start(2)).isEqualTo(10);
    }

    @Test
    void finalReservationsAndThoseThatWouldEndLaterStay() {
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 1, 20).deadline(200).fixAfter("0"));
        cluster.grant(Request.of(3, 1, 20).ready(10).deadline(200));
        cluster.grant(Request.of(4, 2, 10).ready(30).deadline(40));

        assertThat(cancel(1)).isEmpty();
    }

    @Test
    void noMoreMoveThanTheClusterAllows() {
        cluster = LiveCluster.of(
                TWO.replanning(rules -> rules.pullingForward(true).movingAtMost(1)));
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 2, 10).deadline(200));
        cluster.grant(Request.of(3, 2, 10).deadline(300));

        assertThat(cancel(1)).hasSize(1);
        assertThat(start(3)).isEqualTo(20);
    }

    @Test
    void theNoticeIsKept() {
        cluster = LiveCluster.of(TWO.notice(5));
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 2, 10).deadline(200));

        cancel(1);

        assertThat(start(2)).isEqualTo(5);
    }

    @Test
    void aRunMayChangeItsShapeAndItsPriceNeverRises() {
        cluster.grant(Request.of(1, 1, 100).deadline(100));
        var before =
                cluster.grant(Request.of(2, 2, 20).shapes("2:20 1:41").ready(5).deadline(200));
        assertThat(before.parts()).containsExactly(Part.whole(new Slot(5, 46), 1));

        cancel(1);

        var after = cluster.schedule().find(Request.id(2)).orElseThrow();
        assertThat(after.parts()).containsExactly(Part.whole(new Slot(5, 25), 2));
        assertThat(after.price().exceeds(before.price())).isFalse();
    }

    @Test
    void earlyEndsRenegotiationsAndReturnedPesFreeTimeToo() {
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 2, 20).deadline(200));
        cluster.at(4).advance();
        var before = cluster.schedule();
        cluster.grant(new Complete(Request.target(1)));
        cluster.happens(new PullForward(before));
        assertThat(start(2)).isEqualTo(4);

        cluster = LiveCluster.of(TWO);
        cluster.lose(LiveCluster.outage(1, 1, 0, 50));
        cluster.grant(Request.of(3, 2, 20).deadline(200));
        before = cluster.schedule();
        cluster.happens(new EndOutage(LiveCluster.outageId(1)));
        cluster.happens(new PullForward(before));
        assertThat(start(3)).isZero();
    }

    @Test
    void aRunThatEndsAsPlannedFreesNothing() {
        cluster.grant(Request.of(1, 2, 10).deadline(100));
        cluster.grant(Request.of(2, 2, 20).ready(30).deadline(200));
        var before = cluster.schedule();
        cluster.at(10).advance();

        assertThat(cluster.happens(new PullForward(before))).isEmpty();
    }

    /** Three reservations lie in the cheapest hours, after 900 changes of the signal each. */
    @Test
    void reservationsInTheCheapestHoursLeaveTheSearchesToOthers() {
        cluster = LiveCluster.of(TWO.pes(4));
        cluster.tries(new ChangeSignal(signal(900, second -> 2_000_000 - second % 2, 500_000)));
        for (int number = 1; number <= 3; number++) {
            cluster.grant(Request.of(number, 1, 10).deadline(920).start(900));
        }
        cluster.grant(Request.of(4, 4, 10).start(100));
        cluster.grant(Request.of(5, 4, 10).ready(100).deadline(990));

        assertThat(cancel(4)).hasSize(1);
        assertThat(start(5)).isEqualTo(100);
    }

    /** Cheap hours take ten seconds of each twenty; a run that needs both PEs fits into the dear ones, and into those of one night. */
    @Test
    void theSearchesForAReservationAreBounded() {
        for (int night = 8; night <= 9; night++) {
            cluster = LiveCluster.of(TWO);
            cluster.tries(new ChangeSignal(signal(400, second -> second / 10 % 2 == 0 ? 2_000_000 : 500_000, 500_000)));
            cluster.grant(Request.of(1, 2, 10).ready(410).deadline(500));
            cluster.grant(Request.of(2, 1, 10 * 20).start(10).fixAfter("0"));
            for (int other = 1; other <= 10; other++) {
                if (other != night) {
                    cluster.grant(
                            Request.of(10 + other, 1, 10).start(20 * other - 10).fixAfter("0"));
                }
            }
            cluster.grant(Request.of(3, 2, 10).start(430).fixAfter("0"));
            cluster.grant(Request.of(4, 2, 10).deadline(900).start(450));

            assertThat(cancel(2)).hasSize(night == 8 ? 1 : 0);
            assertThat(start(4)).isEqualTo(night == 8 ? 150 : 450);
        }
    }

    /** One reservation can move, among others that cannot. It moves at least as far as a search of all seconds finds. */
    @Test
    void noGainInHoursThatAreNotDearerIsMissed() {
        int moved = 0;
        for (int seed = 0; seed < Seeds.of(2_000); seed++) {
            var random = new Random(seed);
            cluster = LiveCluster.of(SampleCluster.of(4).replanning(rules -> rules.pullingForward(true)));
            var steps = new ArrayList<SignalStep>();
            for (int from = random.nextInt(20); steps.size() < 3; from += 1 + random.nextInt(60)) {
                steps.add(new SignalStep(from, 500_000 * (1 + random.nextInt(3))));
            }
            cluster.tries(
                    new ChangeSignal(new Signal("energy", steps, steps.getLast().from() + 1 + random.nextInt(60))));
            for (int number = 1; number <= 12; number++) {
                cluster.tries(Request.of(number, 1 + random.nextInt(4), 1 + random.nextInt(40))
                        .start(random.nextInt(200))
                        .fixAfter("0")
                        .reserve());
            }
            long duration = 1 + random.nextInt(60);
            int pes = 1 + random.nextInt(4);
            var waiting = Request.of(20, pes, duration).deadline(400).start(random.nextInt(300));
            if (cluster.tries(waiting.reserve()).isEmpty()) {
                continue;
            }
            var before = cluster.schedule();
            cluster.tries(new Cancel(Request.target(1 + random.nextInt(12))));
            var after = cluster.schedule();
            var had = cluster.slot(20);

            cluster.tries(new PullForward(before));

            var signal = after.cluster().tariff().signal();
            var parts = List.of(Part.whole(had, pes));
            var free = after.free().giveBack(parts);
            var expected = LongStream.range(0, had.start())
                    .mapToObj(start -> Slot.of(start, duration))
                    .filter(slot -> LongStream.range(slot.start(), slot.end())
                            .anyMatch(second -> after.profile().free(second)
                                    > before.profile().free(second)))
                    .filter(slot -> signal.compareMeans(List.of(Part.whole(slot, pes)), parts) <= 0)
                    .filter(slot -> free.at(slot, pes, 4).isPresent())
                    .mapToLong(Slot::start)
                    .min()
                    .orElse(had.start());
            assertThat(start(20)).as("seed %d", seed).isLessThanOrEqualTo(expected);
            assertThat(signal.compareMeans(List.of(Part.whole(cluster.slot(20), pes)), parts))
                    .isLessThanOrEqualTo(0);
            moved += start(20) < had.start() ? 1 : 0;
        }
        assertThat(moved).isGreaterThan(Seeds.of(100));
    }

    /** Returns a signal with a factor for each second before {@code end}, and one for the 100 seconds after. */
    private static Signal signal(int end, IntUnaryOperator millionths, int last) {
        var steps = IntStream.range(0, end)
                .mapToObj(second -> new SignalStep(second, millionths.applyAsInt(second)))
                .collect(Collectors.toCollection(ArrayList::new));
        steps.add(new SignalStep(end, last));
        return new Signal("energy", steps, end + 100);
    }
}
