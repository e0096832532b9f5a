package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.OutageId;
import berth.reservation.EndReason;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A reservation that is not claimed within five seconds of its start is released. */
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
    void aRunWithoutAClaimIsReleased() {
        assertThat(cluster.at(4).advance()).isEmpty();

        var events = cluster.at(5).advance();

        var released = cluster.latest(1);
        assertThat(events).containsExactly(new ReservationEvent(Event.Type.RELEASED, released, 5));
        assertThat(released.state()).isEqualTo(ReservationState.CANCELLED);
        assertThat(released.status().reason()).hasValue(EndReason.NOT_CLAIMED);
        assertThat(released.occupied()).extracting(Part::slot).containsExactly(new Slot(0, 5));
        assertThat(released.price()).isEqualTo(Request.usd("0.80"));
        assertThat(cluster.grant(Request.of(2, 8, 10)).slot()).isEqualTo(new Slot(5, 15));
    }

    @Test
    void aClaimAfterTheReleaseIsRejected() {
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
    void changesNothingIfTheClusterAsksForNoClaim() {
        var easygoing = LiveCluster.of(8);
        easygoing.grant(Request.of(1, 8, 10));
        easygoing.advance();

        assertThat(easygoing.happens(new Claim(Request.target(1)))).isEmpty();
    }

    @Test
    void isNotNeededByARunThatEndsBeforeItIsDue() {
        cluster.at(5).advance();
        cluster.grant(Request.of(2, 8, 5));
        cluster.advance();

        cluster.at(10).advance();

        assertThat(cluster.latest(2).state()).isEqualTo(ReservationState.COMPLETED);
    }

    @Test
    void isOnlyForRunningReservations() {
        cluster.grant(Request.of(2, 8, 10).start(20));
        cluster.grant(Request.of(3, 8, 10).start(30).hold(20));

        assertThat(cluster.refuse(new Claim(Request.target(2))))
                .isEqualTo(new Rejection.WrongState(ReservationState.CONFIRMED));
        assertThat(cluster.refuse(new Claim(Request.target(3))))
                .isEqualTo(new Rejection.WrongState(ReservationState.HELD));
    }

    @Test
    void isDueByTheAgreedRuleAfterAChangeOfTheCluster() {
        cluster.grant(Request.of(2, 8, 10).start(20));
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).claimWithin(7));
        cluster.grant(Request.of(3, 8, 10).start(40));

        assertThat(cluster.find(Request.id(2)).status().claimBy()).hasValue(25);
        assertThat(cluster.find(Request.id(3)).status().claimBy()).hasValue(47);
    }

    @Test
    void goesWithTheRunToAnotherPlace() {
        cluster.grant(Request.of(2, 8, 10).ready(20).deadline(100));
        cluster.lose(new RecordOutage(
                new OutageId(new UUID(0, 1)),
                1,
                Optional.empty(),
                OptionalLong.of(20),
                OptionalLong.of(50),
                Optional.empty()));

        assertThat(cluster.find(Request.id(2)).slot()).isEqualTo(new Slot(50, 60));
        assertThat(cluster.find(Request.id(2)).status().claimBy()).hasValue(55);
    }

    @Test
    void isPostponedAfterADowntimeOfTheService() {
        var away = new AdvanceClock(10, 8).decide(new Basis(cluster.schedule(), 8));

        var postponed = away.next().find(Request.id(1)).orElseThrow();
        assertThat(away.events()).containsExactly(new ReservationEvent(Event.Type.CLAIM_POSTPONED, postponed, 5));
        assertThat(postponed.status().claimBy()).hasValue(13);
    }

    @Test
    void lapsesIfItIsStillMissingAfterThePostponement() {
        var patient = LiveCluster.of(SampleCluster.of(8).claimWithin(5));
        patient.grant(Request.of(1, 8, 100));
        var away =
                new AdvanceClock(10, 8).decide(new Basis(patient.schedule(), 8)).next();

        assertThat(new AdvanceClock(10, 8).decide(new Basis(away, 12)).events()).isEmpty();
        assertThat(new AdvanceClock(10, 8).decide(new Basis(away, 13)).events())
                .extracting(Event::type)
                .containsExactly(Event.Type.RELEASED);
    }
}
