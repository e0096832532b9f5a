package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ReservationState;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.sla.Part;
import berth.time.Slot;
import org.junit.jupiter.api.Test;

class CompleteTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void freesTheRestOfTheRunAndOwesTheWholePrice() {
        cluster.grant(Request.of(1, 8, 100));
        cluster.advance();

        var completed = cluster.at(30).grant(new Complete(Request.target(1)));

        assertThat(completed.state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(completed.status().reason()).isEmpty();
        assertThat(completed.price()).isEqualTo(Request.usd("8.00"));
        assertThat(completed.occupied()).extracting(Part::slot).containsExactly(new Slot(0, 30));
        assertThat(cluster.schedule()).isEqualTo(LiveCluster.of(8).schedule());
        assertThat(cluster.grant(Request.of(2, 8, 10)).slot()).isEqualTo(new Slot(30, 40));
    }

    @Test
    void happensByItselfAtTheEnd() {
        cluster.grant(Request.of(1, 8, 100));

        cluster.at(100).advance();

        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(cluster.refuse(new Complete(Request.target(1)))).isEqualTo(new Rejection.NotLive(Request.id(1)));
    }

    @Test
    void isOnlyForRunningReservations() {
        cluster.grant(Request.of(1, 4, 10).start(50));
        cluster.grant(Request.of(2, 4, 10).start(50).hold(20));

        assertThat(cluster.refuse(new Complete(Request.target(1))))
                .isEqualTo(new Rejection.WrongState(ReservationState.CONFIRMED));
        assertThat(cluster.refuse(new Complete(Request.target(2))))
                .isEqualTo(new Rejection.WrongState(ReservationState.HELD));
    }
}
