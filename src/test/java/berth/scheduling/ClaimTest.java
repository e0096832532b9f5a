package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.EndReason;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.time.Slot;
import org.junit.jupiter.api.Test;

/** Whoever does not show up within five seconds of the start loses what is left. */
class ClaimTest {

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).claimWithin(5));

    ClaimTest() {
        cluster.grant(Request.of(1, 8, 10));
        cluster.advance();
    }

    @Test
    void keepsARunGoing() {
        var claimed = cluster.at(4).grant(new Claim(Request.target(1)));

        assertThat(claimed.status().claimBy()).isEmpty();
        assertThat(cluster.at(9).advance()).isEmpty();
        assertThat(cluster.at(10).advance())
                .containsExactly(ReservationEvent.became(claimed, ReservationState.COMPLETED, 10));
    }

    @Test
    void isReleasedWithoutOne() {
        assertThat(cluster.at(4).advance()).isEmpty();

        var events = cluster.at(5).advance();

        var released = cluster.latest(1);
        assertThat(events).containsExactly(new ReservationEvent(Event.Type.RELEASED, released, 5));
        assertThat(released.state()).isEqualTo(ReservationState.CANCELLED);
        assertThat(released.status().reason()).hasValue(EndReason.NOT_CLAIMED);
        assertThat(released.occupied()).hasValue(new Slot(0, 5));
        assertThat(released.price()).isEqualTo(Request.usd("0.80"));
        assertThat(cluster.grant(Request.of(2, 8, 10)).slot()).isEqualTo(new Slot(5, 15));
    }

    @Test
    void comesTooLateAfterThat() {
        cluster.at(5).advance();

        assertThat(cluster.refuse(new Claim(Request.target(1)))).isEqualTo(new Rejection.NotLive(Request.id(1)));
    }

    @Test
    void changesNothingIfItIsRepeated() {
        cluster.grant(new Claim(Request.target(1)));
        var before = cluster.schedule();

        assertThat(cluster.at(3).happens(new Claim(Request.target(1)))).isEmpty();
        assertThat(cluster.schedule()).isEqualTo(before);
    }

    @Test
    void changesNothingIfNobodyAsksForIt() {
        var easygoing = LiveCluster.of(8);
        easygoing.grant(Request.of(1, 8, 10));
        easygoing.advance();

        assertThat(easygoing.happens(new Claim(Request.target(1)))).isEmpty();
    }

    @Test
    void isNotNeededByARunThatEndsBefore() {
        cluster.at(5).advance();
        cluster.grant(Request.of(2, 8, 5));
        cluster.advance();

        cluster.at(10).advance();

        assertThat(cluster.latest(2).state()).isEqualTo(ReservationState.COMPLETED);
    }

    @Test
    void isOnlyForWhatRuns() {
        cluster.grant(Request.of(2, 8, 10).start(20));
        cluster.grant(Request.of(3, 8, 10).start(30).hold(20));

        assertThat(cluster.refuse(new Claim(Request.target(2))))
                .isEqualTo(new Rejection.WrongState(ReservationState.CONFIRMED));
        assertThat(cluster.refuse(new Claim(Request.target(3))))
                .isEqualTo(new Rejection.WrongState(ReservationState.HELD));
    }

    @Test
    void isAskedForAccordingToTheRulesWhenTheRunBegins() {
        cluster.grant(Request.of(2, 8, 10).start(20));
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).claimWithin(7));

        cluster.at(20).advance();

        assertThat(cluster.latest(1).status().updatedAt()).isEqualTo(5);
        assertThat(cluster.latest(2).status().claimBy()).hasValue(27);
    }
}
