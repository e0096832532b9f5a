package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.LiveCluster.outageId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.cluster.Outage;
import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.ClusterId;
import berth.scheduling.Event.OutageEvent;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OutageTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void isRecordedOnceHoweverOftenItIsTold() {
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
    void isToldAsAnEvent() {
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
                .hasValue(new AgendaItem(100, What.OUTAGE_ENDS, outageId(1).value()));
        assertThat(cluster.at(99).advance()).isEmpty();
        assertThat(cluster.at(100).advance()).containsExactly(OutageEvent.ended(recorded, 100));
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
                .containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.STARTED);
    }

    @Test
    void canBeEndedBeforeItsTimeAndMovesNothingBack() {
        cluster.grant(Request.of(1, 8, 10).ready(60).start(60));
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

        assertThat(cluster.schedule().nextDue()).isEmpty();
        assertThat(cluster.at(900).advance()).isEmpty();
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
    void takesNoMoreThanIsInService() {
        cluster.lose(outage(1, 3, 50, 100));

        assertThat(cluster.refusedField(outage(2, 6, 99, 120))).isEqualTo("pes");
        assertThat(cluster.refusedField(outage(2, 9, 100, 120))).isEqualTo("pes");
        assertThat(cluster.lose(outage(2, 8, 100, 120)).pes()).isEqualTo(8);
    }

    @Test
    void takesAwayWhatIsTaken() {
        cluster.grant(Request.of(1, 8, 10).ready(50).deadline(60));

        assertThat(cluster.lose(outage(1, 8, 50, 60)).failed()).containsExactly(Request.id(1));
    }

    @Test
    void saysWhatIsWrong() {
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
