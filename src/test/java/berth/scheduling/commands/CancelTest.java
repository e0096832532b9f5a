package berth.scheduling.commands;

import static berth.reservation.ReservationState.CANCELLED;
import static org.assertj.core.api.Assertions.assertThat;

import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.sla.Part;
import berth.time.Slot;
import org.junit.jupiter.api.Test;

class CancelTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void freesThePlaceAtOnce() {
        var waiting = cluster.grant(Request.of(1, 8, 10).start(50));

        var cancelled = cluster.at(7).grant(new Cancel(Request.target(1)));

        assertThat(cancelled).isEqualTo(waiting.becomes(CANCELLED, 7));
        assertThat(cluster.schedule()).isEqualTo(LiveCluster.of(8).schedule());
        assertThat(cluster.grant(Request.of(2, 8, 10).start(50)).slot()).isEqualTo(new Slot(50, 60));
    }

    @Test
    void freesTheRestOfARun() {
        cluster.grant(Request.of(1, 8, 100));
        cluster.advance();

        var cancelled = cluster.at(30).grant(new Cancel(Request.target(1)));

        assertThat(cancelled.occupied()).extracting(Part::slot).containsExactly(new Slot(0, 30));
        assertThat(cancelled.price()).isEqualTo(Request.usd("8.00"));
        assertThat(cluster.grant(Request.of(2, 8, 10)).slot()).isEqualTo(new Slot(30, 40));
    }

    @Test
    void endsAHold() {
        var held = cluster.grant(Request.of(1, 8, 10).start(50).hold(20));

        cluster.grant(new Cancel(Request.target(1)));

        assertThat(cluster.schedule().nextDue()).isEmpty();
        assertThat(cluster.at(50).advance()).isEmpty();
    }

    @Test
    void leavesTheOthersWhereTheyAre() {
        cluster.grant(Request.of(1, 8, 10));
        var behind = cluster.grant(Request.of(2, 8, 10));

        cluster.grant(new Cancel(Request.target(1)));

        assertThat(cluster.find(behind.id())).isEqualTo(behind);
        assertThat(cluster.schedule().profile().free(9)).isEqualTo(8);
        assertThat(cluster.schedule().profile().free(10)).isZero();
    }

    @Test
    void isRejectedForReservationsThatAreNotLive() {
        cluster.grant(Request.of(1, 8, 10));
        cluster.grant(new Cancel(Request.target(1)));

        assertThat(cluster.refuse(new Cancel(Request.target(1)))).isEqualTo(new Rejection.NotLive(Request.id(1)));
        assertThat(cluster.refuse(new Cancel(Request.target(2)))).isEqualTo(new Rejection.NotLive(Request.id(2)));
    }
}
