package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.LiveCluster.outageId;
import static berth.scheduling.LiveCluster.outageOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.Seeds;
import berth.availability.PeSet;
import berth.availability.Step;
import berth.cluster.Binding;
import berth.cluster.Outage;
import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.ClusterId;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.RecordOutage;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutageTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void isRecordedOnceHoweverOftenItIsReported() {
        var live = LiveCluster.of(8);
        var outage = LiveCluster.outage(1, 5, 10, 20);
        live.happens(outage);

        assertThat(live.happens(outage)).isEmpty();
        assertThat(live.schedule().inService().fewestFree(new Slot(10, 20))).isEqualTo(3);
    }

    @Test
    void takesPesAwayForItsTime() {
        cluster.lose(outage(1, 3, 50, 100));

        var profile = cluster.schedule().profile();
        assertThat(profile.steps(new Slot(0, 200))).extracting("free").containsExactly(8, 5, 8);
        assertThat(cluster.refuse(Request.of(1, 6, 10).start(95))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.grant(Request.of(1, 6, 60)).slot()).isEqualTo(new Slot(100, 160));
    }

    @Test
    void isRecordedAsAnEvent() {
        var command = new RecordOutage(
                outageId(1), 3, Optional.empty(), OptionalLong.of(50), OptionalLong.of(100), Optional.of("new disks"));

        assertThat(cluster.at(5).happens(command))
                .containsExactly(OutageEvent.recorded(
                        new Outage(
                                outageId(1),
                                new ClusterId("sp2"),
                                3,
                                Optional.empty(),
                                50,
                                OptionalLong.of(100),
                                Optional.of("new disks"),
                                Optional.empty(),
                                List.of(),
                                List.of(),
                                OptionalLong.of(50),
                                OptionalLong.empty()),
                        5));
    }

    @Test
    void beginsNowIfNothingElseIsSaid() {
        var now = new RecordOutage(
                outageId(1), 3, Optional.empty(), OptionalLong.empty(), OptionalLong.of(100), Optional.empty());

        assertThat(cluster.at(5).lose(now).from()).isEqualTo(5);
        assertThat(cluster.lose(outage(2, 3, -55, 100)).from()).isEqualTo(5);
    }

    @Test
    void endsByTheClock() {
        var recorded = cluster.lose(outage(1, 3, 50, 100));

        assertThat(cluster.schedule().nextDue())
                .hasValue(new AgendaItem(50, What.OUTAGE_BEGINS, outageId(1).value()));
        assertThat(cluster.at(99).advance()).containsExactly(OutageEvent.began(recorded, 50));
        assertThat(cluster.schedule().nextDue())
                .hasValue(new AgendaItem(100, What.OUTAGE_ENDS, outageId(1).value()));
        assertThat(cluster.at(100).advance()).containsExactly(OutageEvent.ended(recorded.begun(), 100));
        assertThat(cluster.schedule()).isEqualTo(LiveCluster.of(8).schedule());
        assertThat(cluster.schedule().profile())
                .isEqualTo(LiveCluster.of(8).schedule().profile());
    }

    @Test
    void endsBeforeAnythingStartsAtThatInstant() {
        cluster.lose(outage(1, 8, 50, 100));
        cluster.grant(Request.of(1, 8, 10).start(100));

        assertThat(cluster.at(100).advance())
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_BEGAN, Event.Type.OUTAGE_ENDED, Event.Type.STARTED);
    }

    @Test
    void canBeEndedBeforeItsTimeAndMovesNothingBack() {
        cluster.grant(Request.of(1, 8, 10).ready(60).atAnyTime().start(60));
        cluster.lose(outage(1, 1, 50, 100));

        var events = cluster.at(70).happens(new EndOutage(outageId(1)));

        assertThat(events).extracting(Event::type).containsExactly(Event.Type.OUTAGE_ENDED);
        assertThat(((OutageEvent) events.getFirst()).outage().endedAt()).hasValue(70);
        assertThat(cluster.find(Request.id(1)).slot()).isEqualTo(new Slot(100, 110));
        assertThat(cluster.schedule().profile().free(70)).isEqualTo(8);
        assertThat(cluster.schedule().nextDue().orElseThrow().what()).isEqualTo(What.RUN_STARTS);
    }

    @Test
    void canBeEndedBeforeItBegins() {
        cluster.lose(outage(1, 8, 50, 100));

        cluster.at(20).happens(new EndOutage(outageId(1)));

        assertThat(cluster.schedule()).isEqualTo(LiveCluster.of(8).schedule());
    }

    @Test
    void endsOnce() {
        cluster.lose(outage(1, 3, 50, 100));
        cluster.happens(new EndOutage(outageId(1)));

        assertThat(cluster.refuse(new EndOutage(outageId(1)))).isEqualTo(new Rejection.OutageOver(outageId(1)));
        assertThat(cluster.refuse(new EndOutage(outageId(2)))).isEqualTo(new Rejection.OutageOver(outageId(2)));
    }

    @Test
    void goesOnUntilItIsEndedIfItHasNoEnd() {
        cluster.lose(outage(1, 3, 50));

        assertThat(cluster.at(900).advance()).extracting(Event::type).containsExactly(Event.Type.OUTAGE_BEGAN);
        assertThat(cluster.schedule().nextDue()).isEmpty();
        assertThat(cluster.schedule().profile().free(1_000_000_000)).isEqualTo(5);

        cluster.happens(new EndOutage(outageId(1)));
        assertThat(cluster.schedule()).isEqualTo(LiveCluster.of(8).schedule());
    }

    @Test
    void addsUpWithOthers() {
        cluster.lose(outage(1, 3, 50, 100));
        cluster.lose(outage(2, 5, 80, 120));

        var profile = cluster.schedule().profile();
        assertThat(profile.steps(new Slot(0, 200))).extracting("free").containsExactly(8, 5, 0, 3, 8);

        cluster.happens(new EndOutage(outageId(1)));
        assertThat(cluster.schedule().profile().free(90)).isEqualTo(3);
        assertThat(cluster.schedule().find(outageId(2))).isPresent();
    }

    @Test
    void takesNoMoreThanTheClusterHas() {
        cluster.lose(outage(1, 3, 50, 100));

        assertThat(cluster.refusedField(outage(2, 9, 100, 120))).isEqualTo("pes");
        assertThat(cluster.lose(outage(2, 6, 99, 120)).pes()).isEqualTo(6);
        assertThat(free(0, 200)).containsExactly(8, 5, 0, 2, 8);
    }

    @Test
    void anOutageOfTheWholeClusterKeepsThePesOfOutagesThatEndEarlier() {
        cluster.lose(outage(1, 1, 0));

        cluster.lose(outage(2, 8, 50, 100));

        assertThat(free(0, 200)).containsExactly(7, 0, 7);
        assertThat(cluster.refuse(Request.of(1, 7, 10).start(60))).isEqualTo(new Rejection.NoSlot());
        cluster.at(70).advance();
        cluster.happens(new EndOutage(outageId(1)));
        assertThat(free(70, 200)).containsExactly(0, 8);
    }

    @Test
    void pesNamedByTwoOutagesReturnWhenBothHaveEnded() {
        for (var binding : Binding.values()) {
            var live = LiveCluster.of(SampleCluster.of(8).bound(binding));
            live.lose(outageOf(1, "0-3"));
            live.lose(outageOf(2, "2-5"));
            assertThat(live.schedule().profile().free(0)).isEqualTo(2);

            live.happens(new EndOutage(outageId(1)));

            assertThat(live.schedule().profile().free(0)).isEqualTo(4);
            live.grant(Request.of(1, 4, 10));
            live.advance();
            assertThat(live.find(Request.id(1)).placement().peIds()).contains(PeSet.of(0, 1, 6, 7));
            live.happens(new EndOutage(outageId(2)));
            assertThat(live.schedule().profile().free(0)).isEqualTo(4);
        }
    }

    @Test
    void isAnnouncedBeginsAndEndsEachOnce() {
        assertThat(cluster.happens(outage(1, 3, 50, 100)))
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_RECORDED);
        assertThat(cluster.at(50).advance()).extracting(Event::type).containsExactly(Event.Type.OUTAGE_BEGAN);
        assertThat(cluster.advance()).isEmpty();
        assertThat(cluster.happens(outage(2, 3, 50, 60)))
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_RECORDED);
        assertThat(cluster.schedule().find(outageId(2)).orElseThrow().begunAt()).hasValue(50);
        assertThat(cluster.at(100).advance())
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.OUTAGE_ENDED);
    }

    @Test
    void aPlannedOutageTakesThePesThatTheClusterHasThen() {
        cluster.happens(RecordOutage.planned(outageId(1), 12, Optional.empty(), 50, 100, Optional.empty()));
        assertThat(free(0, 200)).containsExactly(8, 0, 8);

        cluster.change(SampleCluster.of(14));

        assertThat(free(0, 200)).containsExactly(14, 2, 14);
    }

    @Test
    void leavesPesFreeThatNoOutageClaims() {
        for (int seed = 0; seed < Seeds.of(1_000); seed++) {
            var random = new Random(seed);
            var binding = random.nextBoolean() ? Binding.EARLY : Binding.LATE;
            var live = LiveCluster.of(SampleCluster.of(8).bound(binding));
            for (int number = 1; number < 8; number++) {
                long now = number * 5L;
                live.at(now).advance();
                boolean isNamed = random.nextBoolean();
                int pes = 1 + random.nextInt(8);
                int first = random.nextInt(9 - pes);
                live.tries(
                        random.nextInt(4) == 0
                                ? new EndOutage(outageId(1 + random.nextInt(number)))
                                : new RecordOutage(
                                        outageId(number),
                                        pes,
                                        isNamed ? Optional.of(PeSet.range(first, first + pes)) : Optional.empty(),
                                        isNamed ? OptionalLong.empty() : OptionalLong.of(now + random.nextInt(30)),
                                        random.nextInt(3) == 0
                                                ? OptionalLong.empty()
                                                : OptionalLong.of(now + 30 + random.nextInt(40)),
                                        Optional.empty()));
                var schedule = live.schedule();
                for (int second = (int) now; second < 120; second++) {
                    assertThat(schedule.profile().free(second))
                            .as("seed %d, %s, at %d: %s", seed, binding, second, schedule.outages())
                            .isEqualTo(8 - PlainRoom.outOfService(schedule.outages(), second, 8));
                }
                assertThat(ClusterSchedule.of(schedule.cluster(), List.of(), schedule.outages())
                                .profile())
                        .isEqualTo(schedule.profile());
            }
        }
    }

    private List<Integer> free(long from, long to) {
        return cluster.schedule().profile().steps(new Slot(from, to)).stream()
                .map(Step::free)
                .toList();
    }

    @Test
    void takesPesThatAreReserved() {
        cluster.grant(Request.of(1, 8, 10).ready(50).deadline(60));

        assertThat(cluster.lose(outage(1, 8, 50, 60)).failed()).containsExactly(Request.id(1));
    }

    @Test
    void namesTheWrongField() {
        cluster.at(100);

        assertThat(cluster.refusedField(outage(1, 0, 100, 120))).isEqualTo("pes");
        assertThat(cluster.refusedField(outage(1, 3, 39, 120))).isEqualTo("from");
        assertThat(cluster.refusedField(outage(1, 3, 120, 120))).isEqualTo("to");
        assertThat(cluster.refusedField(outage(1, 3, 50, 100))).isEqualTo("to");
    }

    @Test
    void keepsSpeedAndCurrencyFreeToChange() {
        cluster.lose(outage(1, 3, 50));

        assertThat(cluster.change(SampleCluster.of(8).rating("2"))).hasSize(1);
        assertThat(cluster.schedule().profile().free(50)).isEqualTo(5);
    }

    @Test
    void isPartOfTheScheduleThatIsRebuilt() {
        var lost = cluster.lose(outage(1, 3, 50, 100));
        var reservation = cluster.grant(Request.of(1, 5, 10).start(50));

        var rebuilt = ClusterSchedule.of(cluster.schedule().cluster(), List.of(reservation), List.of(lost));

        assertThat(rebuilt).isEqualTo(cluster.schedule());
        assertThat(rebuilt.profile()).isEqualTo(cluster.schedule().profile());
        assertThat(rebuilt.nextDue()).isEqualTo(cluster.schedule().nextDue());
    }

    @Test
    void isNotPartOfARebuiltScheduleOnceItIsOverNorTwice() {
        var lost = cluster.lose(outage(1, 3, 50, 100));
        var of = cluster.schedule().cluster();

        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(of, List.of(), List.of(lost.ended(60))))
                .withMessageContaining("has ended, or appears twice");
        assertThatIllegalStateException().isThrownBy(() -> ClusterSchedule.of(of, List.of(), List.of(lost, lost)));
    }
}
