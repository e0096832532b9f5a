package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.cluster.OutageId;
import berth.outcome.Outcome;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.commands.OutageSlots.Candidate;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutageSlotsTest {

    @Test
    void namesTheTimeWithTheFewestFailuresFirst() {
        var cluster = LiveCluster.of(4);
        cluster.grant(Request.of(1, 4, 10).start(0));
        cluster.grant(Request.of(2, 2, 10).atAnyTime().start(10));
        cluster.grant(Request.of(3, 2, 10).atAnyTime().start(10));
        cluster.grant(Request.of(4, 4, 10).atAnyTime().start(20));

        var found = candidates(new OutageSlots(2, 10, new Slot(0, 30), 5), cluster);

        // a reservation that begins at once cannot move
        assertThat(found)
                .extracting(Candidate::slot, OutageSlotsTest::failed)
                .containsExactly(tuple(new Slot(10, 20), 0L), tuple(new Slot(20, 30), 0L), tuple(new Slot(0, 10), 1L));
        assertThat(candidates(new OutageSlots(2, 10, new Slot(0, 45), 1), cluster))
                .extracting(Candidate::slot)
                .containsExactly(new Slot(30, 40));
    }

    @Test
    void aRunThatWouldLosePesIsHarmedToo() {
        var cluster = LiveCluster.of(4);
        cluster.grant(Request.of(1, 4, 20));
        cluster.advance();

        var found = candidates(new OutageSlots(2, 10, new Slot(10, 40), 5), cluster);

        assertThat(found)
                .extracting(Candidate::slot)
                .startsWith(new Slot(20, 30))
                .endsWith(new Slot(10, 20));
        assertThat(found.getLast().effects())
                .extracting(Event::type)
                .containsExactly(Event.Type.LOSING, Event.Type.OUTAGE_RECORDED);
    }

    @Test
    void saysWhyThereIsNoTime() {
        var cluster = LiveCluster.of(4);
        assertThat(new OutageSlots(5, 10, new Slot(0, 30), 5).ask(cluster.schedule(), cluster.now()))
                .isEqualTo(new Outcome.NotDone<>(
                        Rejection.InvalidTerms.of("pes", "exceeds the 4 PEs of the cluster; take 4 or fewer")));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsAHarmlessTimeIfThereIsOne(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            var cluster = LiveCluster.of(1 + random.nextInt(8));
            int all = cluster.schedule().cluster().pes();
            for (int i = 1; i < 10; i++) {
                cluster.tries(Request.of(i, 1 + random.nextInt(all), 1 + random.nextInt(30))
                        .ready(random.nextInt(60))
                        .reserve());
            }
            int pes = 1 + random.nextInt(all);
            long duration = 1 + random.nextInt(20);
            var range = Slot.of(random.nextInt(20), duration + random.nextInt(60));
            var found = candidates(new OutageSlots(pes, duration, range, 16), cluster);

            assertThat(found).isSortedAccordingTo((a, b) -> Long.compare(failed(a), failed(b)));
            for (var one : found) {
                assertThat(one.effects()).isEqualTo(effects(cluster, pes, one.slot()));
                assertThat(found)
                        .filteredOn(other -> other != one)
                        .noneMatch(other -> other.slot().overlaps(one.slot()));
            }
            boolean canBeHarmless = LongStream.rangeClosed(range.start(), range.end() - duration)
                    .anyMatch(start -> isHarmless(effects(cluster, pes, Slot.of(start, duration))));
            assertThat(isHarmless(found.getFirst().effects()))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(canBeHarmless);
        }
    }

    private static List<Candidate> candidates(OutageSlots question, LiveCluster cluster) {
        return ((Outcome.Done<List<OutageSlots.Candidate>, Rejection>) question.ask(cluster.schedule(), cluster.now()))
                .value();
    }

    private static long failed(Candidate candidate) {
        return ((OutageEvent) candidate.effects().getLast()).outage().failed().size();
    }

    private static boolean isHarmless(List<Event> effects) {
        return effects.stream().noneMatch(Event.ReservationEvent.class::isInstance);
    }

    private static List<Event> effects(LiveCluster cluster, int pes, Slot slot) {
        var outage = new RecordOutage(
                new OutageId(new UUID(0, 0)),
                pes,
                Optional.empty(),
                OptionalLong.of(slot.start()),
                OptionalLong.of(slot.end()),
                Optional.empty());
        return ((Decision.Accepted) outage.decideBeforeNearest(cluster.schedule(), cluster.now())).events();
    }
}
