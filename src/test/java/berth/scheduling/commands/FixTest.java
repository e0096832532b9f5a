package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.Placement;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.Fix.Wish;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;

class FixTest {

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).notice(15));

    @Test
    void happensByItselfWhenTheNoticeBegins() {
        var waiting = cluster.grant(Request.of(1, 8, 10).start(50));

        assertThat(waiting.placement()).isEqualTo(Placement.of(List.of(Part.whole(new Slot(50, 60), 8)), 35));
        assertThat(waiting.isMovable(34)).isTrue();
        assertThat(waiting.isMovable(35)).isFalse();
    }

    @Test
    void happensAtOnceIfTheStartIsNearerThanTheNotice() {
        assertThat(cluster.grant(Request.of(1, 8, 10).start(14)).placement().fixesAt())
                .isZero();
    }

    @Test
    void happensEarlierIfTheTermsSaySo() {
        assertThat(fixesAt(Request.of(1, 1, 10).start(50).fixBefore(20))).isEqualTo(30);
        assertThat(fixesAt(Request.of(2, 1, 10).start(50).fixAfter("0.5"))).isEqualTo(25);
        assertThat(fixesAt(Request.of(3, 1, 10).start(50).fixAfter("0"))).isZero();
    }

    @Test
    void isNeverLaterThanTheNotice() {
        assertThat(fixesAt(Request.of(1, 1, 10).start(50).fixBefore(5))).isEqualTo(35);
        assertThat(fixesAt(Request.of(2, 1, 10).start(50).fixAfter("1"))).isEqualTo(35);
    }

    @Test
    void happensOnRequest() {
        var waiting = cluster.grant(Request.of(1, 8, 10).atAnyTime().start(50));

        var fixed = cluster.at(20).grant(new Fix(Request.target(1), Wish.OWNERS));

        // a dollar for ten seconds on eight PEs without lateness discount, plus a tenth
        assertThat(fixed).isEqualTo(waiting.fixed(Request.usd("0.88"), 20));
        assertThat(fixed.isMovable(20)).isFalse();
        assertThat(cluster.find(fixed.id())).isEqualTo(fixed);
    }

    @Test
    void isRecordedAsAnEvent() {
        cluster.grant(Request.of(1, 8, 10).start(50));

        var events = cluster.at(20).happens(new Fix(Request.target(1), Wish.OWNERS));

        assertThat(events).containsExactly(new ReservationEvent(Event.Type.FIXED, cluster.find(Request.id(1)), 20));
    }

    @Test
    void changesNothingIfTheReservationIsFixed() {
        cluster.grant(Request.of(1, 8, 10).start(50));
        cluster.grant(new Fix(Request.target(1), Wish.OWNERS));
        cluster.grant(Request.of(2, 8, 10).start(70));
        var before = cluster.schedule();

        assertThat(cluster.at(40).happens(new Fix(Request.target(1), Wish.OWNERS)))
                .isEmpty();
        assertThat(cluster.at(55).happens(new Fix(Request.target(2), Wish.OWNERS)))
                .isEmpty();
        assertThat(cluster.schedule()).isEqualTo(before);
    }

    @Test
    void isOnlyForConfirmedReservations() {
        cluster.grant(Request.of(1, 4, 10).start(50).hold(20));
        cluster.grant(Request.of(2, 4, 10));
        cluster.advance();

        assertThat(cluster.refuse(new Fix(Request.target(1), Wish.OWNERS)))
                .isEqualTo(new Rejection.WrongState(ReservationState.HELD));
        assertThat(cluster.refuse(new Fix(Request.target(2), Wish.OWNERS)))
                .isEqualTo(new Rejection.WrongState(ReservationState.RUNNING));
        assertThat(cluster.refuse(new Fix(Request.target(3), Wish.OWNERS)))
                .isEqualTo(new Rejection.NotLive(Request.id(3)));
    }

    private long fixesAt(Request request) {
        return cluster.grant(request).placement().fixesAt();
    }
}
