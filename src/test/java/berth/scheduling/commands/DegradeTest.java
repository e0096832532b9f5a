package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.Status.Flag;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import org.junit.jupiter.api.Test;

class DegradeTest {

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).notice(0));

    @Test
    void marksALiveReservationOnce() {
        var waiting = cluster.grant(Request.of(1, 8, 10).start(50));

        var events = cluster.at(20).happens(new Degrade(Request.target(1)));

        var marked = cluster.find(waiting.id());
        assertThat(events).containsExactly(new ReservationEvent(Event.Type.DEGRADED, marked, 20));
        assertThat(marked.status().flags()).containsExactly(Flag.DEGRADED);
        assertThat(marked.status().version()).isEqualTo(waiting.status().version() + 1);
        assertThat(marked.placement()).isEqualTo(waiting.placement());
        assertThat(cluster.at(21).happens(new Degrade(Request.target(1)))).isEmpty();
    }

    @Test
    void isRejectedForEndedReservations() {
        var cancelled = cluster.grant(Request.of(1, 8, 10).start(50));
        cluster.grant(new Cancel(Request.target(1)));

        assertThat(cluster.refuse(new Degrade(Request.target(1)))).isEqualTo(new Rejection.NotLive(cancelled.id()));
    }

    @Test
    void staysWithAReservationThatIsMovedLater() {
        var marked = cluster.grant(Request.of(1, 8, 10).start(50)).degraded(5);

        var moved = marked.moved(marked.placement(), marked.price(), 6);

        assertThat(moved.status().flags()).containsExactlyInAnyOrder(Flag.DEGRADED, Flag.MOVED);
    }
}
