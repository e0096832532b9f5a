package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.scheduling.Event;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
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
}
