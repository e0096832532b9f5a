package berth.scheduling.places;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.Request.id;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.EndReason;
import berth.reservation.Placement;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Eight PEs, some of which are lost from 50 to 100; reservations that are not fixed move with a notice of ten seconds. */
class DisplacementTest {

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).notice(10));

    @Test
    void leavesReservationsThatKeepTheirPesInPlace() {
        cluster.grant(Request.of(1, 4, 10).start(50));
        cluster.grant(Request.of(2, 4, 10).start(90));
        var before = cluster.schedule().reservations();

        var outage = cluster.lose(outage(1, 4, 50, 100));

        assertThat(outage.moved()).isEmpty();
        assertThat(outage.failed()).isEmpty();
        assertThat(cluster.schedule().reservations()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(cluster.schedule().profile().free(50)).isZero();
        assertThat(cluster.schedule().profile().free(60)).isEqualTo(4);
    }

    @Test
    void touchesOnlyThoseThatOverlapTheLoss() {
        cluster.grant(Request.of(1, 8, 10).start(40));
        cluster.grant(Request.of(2, 8, 10).start(100));
        cluster.grant(Request.of(3, 8, 10).atAnyTime().start(60));

        var outage = cluster.lose(outage(1, 1, 50, 100));

        assertThat(outage.moved()).containsExactly(id(3));
        assertThat(outage.failed()).isEmpty();
        assertThat(cluster.find(id(1)).slot()).isEqualTo(new Slot(40, 50));
        assertThat(cluster.find(id(2)).slot()).isEqualTo(new Slot(100, 110));
    }

    @Test
    void doesNotMoveReservationsWithoutFreedom() {
        cluster.grant(Request.of(1, 8, 10).ready(60));

        assertThat(cluster.lose(outage(1, 1, 50, 100)).failed()).containsExactly(id(1));
    }

    @Test
    void movesToTheFirstFitThatKeepsTheNotice() {
        cluster.grant(Request.of(1, 8, 10).atAnyTime().start(60));

        cluster.at(20).lose(outage(1, 1, 50, 100));

        var moved = cluster.latest(1);
        assertThat(moved.placement()).isEqualTo(Placement.of(List.of(Part.whole(new Slot(30, 40), 8)), 20));
        assertThat(moved.state()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(moved.status().version()).isEqualTo(1);
    }

    @Test
    void movesInsideTheWindow() {
        cluster.grant(Request.of(1, 8, 10).ready(55).deadline(110).start(60));
        cluster.grant(Request.of(2, 8, 10).ready(55).deadline(120).start(70));

        cluster.lose(outage(1, 1, 50, 100));

        assertThat(cluster.find(id(1)).slot()).isEqualTo(new Slot(100, 110));
        assertThat(cluster.find(id(2)).slot()).isEqualTo(new Slot(110, 120));
    }

    @Test
    void failsReservationsWithoutAnotherPlace() {
        cluster.grant(Request.of(1, 8, 10).ready(55).deadline(109).start(60));

        var events = cluster.at(5).happens(outage(1, 1, 50, 100));

        var failed = cluster.latest(1);
        assertThat(events.getFirst()).isEqualTo(new ReservationEvent(Event.Type.FAILED, failed, 5));
        assertThat(((OutageEvent) events.getLast()).outage().failed()).containsExactly(id(1));
        assertThat(failed.status().reason()).hasValue(EndReason.PES_LOST);
        assertThat(failed.occupied()).isEmpty();
        assertThat(cluster.schedule().reservations()).isEmpty();
    }

    @Test
    void failsReservationsWithAPlaceOnlyWithinTheNotice() {
        cluster.grant(Request.of(1, 8, 10).deadline(60).start(50));

        // until 30 there was time from 40 on
        assertThat(cluster.at(31).lose(outage(1, 1, 50, 100)).failed()).containsExactly(id(1));
    }

    @Test
    void creditsTheAgreedPriceOfEveryServiceClass() {
        cluster.grant(Request.of(1, 8, 10).ready(60).deadline(70));
        cluster.grant(Request.of(2, 8, 10).ready(70).deadline(80).premium());

        cluster.lose(outage(1, 1, 50, 100));

        assertThat(cluster.latest(1).price()).isEqualTo(usd("0.00"));
        assertThat(cluster.latest(1).charge().credit()).hasValue(usd("0.80"));
        assertThat(cluster.latest(2).charge().credit()).hasValue(usd("2.40"));
    }

    @Test
    void neverMovesFixedReservations() {
        cluster.grant(Request.of(1, 8, 10).start(60));
        cluster.grant(new Fix(Request.target(1), Wish.OWNERS));

        assertThat(cluster.lose(outage(1, 1, 50, 100)).failed()).containsExactly(id(1));
    }

    @Test
    void neverMovesHolds() {
        cluster.grant(Request.of(1, 8, 10).start(60).hold(40));

        assertThat(cluster.lose(outage(1, 1, 50, 100)).failed()).containsExactly(id(1));
        assertThat(cluster.latest(1).charge().credit()).isEmpty();
    }

    @Test
    void keepsARunThatFitsOnTheRemainingPes() {
        cluster.grant(Request.of(1, 4, 100));
        cluster.advance();
        cluster.grant(Request.of(2, 4, 50).start(0));

        assertThat(cluster.at(50).lose(outage(1, 4, 50, 100)).failed()).isEmpty();
        assertThat(cluster.find(id(1)).slot()).isEqualTo(new Slot(0, 100));
    }

    @Test
    void keepsFixedReservationsInPlaceBeforeMovableOnes() {
        cluster.grant(Request.of(1, 4, 10).start(60).deadline(150).premium());
        cluster.grant(Request.of(2, 4, 10).start(60));
        cluster.grant(new Fix(Request.target(2), Wish.OWNERS));

        assertThat(cluster.lose(outage(1, 4, 50, 100)).moved()).containsExactly(id(1));
    }

    @Test
    void keepsPremiumInPlaceFirst() {
        cluster.grant(Request.of(1, 4, 10).start(60).deadline(150));
        cluster.grant(Request.of(2, 4, 10).start(60).premium());

        assertThat(cluster.lose(outage(1, 4, 50, 100)).moved()).containsExactly(id(1));
    }

    @Test
    void keepsTheMostUrgentInPlaceFirst() {
        cluster.grant(Request.of(1, 4, 10).start(60).deadline(150));
        cluster.grant(Request.of(2, 4, 10).start(60).deadline(149));

        assertThat(cluster.lose(outage(1, 4, 50, 100)).moved()).containsExactly(id(1));
    }

    @Test
    void keepsRunsInPlaceBeforeFutureReservations() {
        cluster.grant(Request.of(1, 4, 70).ready(30).deadline(300).start(30));
        cluster.at(30).advance();
        cluster.grant(Request.of(2, 4, 10).ready(60).deadline(70));
        cluster.grant(new Fix(Request.target(2), Wish.OWNERS));

        assertThat(cluster.lose(outage(1, 4, 50, 100)).failed()).containsExactly(id(2));
    }

    @Test
    void keepsALessUrgentReservationThatFitsBesideTheOthers() {
        cluster.grant(Request.of(1, 3, 10).start(60).deadline(100));
        cluster.grant(Request.of(2, 4, 10).start(60).deadline(120));
        cluster.grant(Request.of(3, 1, 10).start(60).deadline(200));

        assertThat(cluster.lose(outage(1, 4, 50, 100)).moved()).containsExactly(id(2));
        assertThat(cluster.find(id(3)).slot()).isEqualTo(new Slot(60, 70));
    }

    @Test
    void movesPremiumFirstAndThenTheMostUrgent() {
        cluster.grant(Request.of(1, 8, 10).ready(50).start(60).deadline(140));
        cluster.grant(Request.of(2, 8, 10).ready(50).start(70).deadline(130));
        cluster.grant(Request.of(3, 8, 10).ready(50).start(80).deadline(150).premium());

        var outage = cluster.lose(outage(1, 1, 50, 100));

        assertThat(outage.moved()).containsExactly(id(3), id(2), id(1));
        assertThat(cluster.find(id(3)).slot()).isEqualTo(new Slot(100, 110));
        assertThat(cluster.find(id(2)).slot()).isEqualTo(new Slot(110, 120));
        assertThat(cluster.find(id(1)).slot()).isEqualTo(new Slot(120, 130));
    }

    @Test
    void neverRaisesAPrice() {
        cluster.grant(Request.of(1, 8, 10).atAnyTime().start(60));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("0.47"));

        cluster.lose(outage(1, 1, 50, 100));

        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(10, 20));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("0.47"));
    }

    @Test
    void lowersThePriceOfALaterStart() {
        cluster.grant(Request.of(1, 8, 10).ready(50).atAnyTime().start(55));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("0.64"));

        cluster.lose(outage(1, 1, 50, 100));

        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(100, 110));
        assertThat(cluster.latest(1).price()).isEqualTo(usd("0.44"));
    }

    @Test
    void fixesMovedReservationsByTheNoticeOrByTheirShareOfTheWait() {
        cluster.grant(Request.of(1, 4, 10).ready(50).atAnyTime().start(60));
        cluster.grant(Request.of(2, 4, 10).ready(50).atAnyTime().start(60).fixAfter("0.5"));

        cluster.at(20).lose(outage(1, 8, 50, 100));

        assertThat(cluster.find(id(1)).placement())
                .isEqualTo(Placement.of(List.of(Part.whole(new Slot(100, 110), 4)), 90));
        assertThat(cluster.find(id(2)).placement())
                .isEqualTo(Placement.of(List.of(Part.whole(new Slot(100, 110), 4)), 30));
    }

    @Test
    void mayTakeTheShareThatIsNotReservable() {
        var shared = LiveCluster.of(SampleCluster.of(8).reservableShare("0.5"));
        shared.grant(Request.of(1, 4, 10).ready(90).deadline(110).start(90));
        shared.grant(Request.of(2, 4, 10).ready(100).deadline(110).start(100));

        shared.lose(outage(1, 5, 50, 100));

        assertThat(shared.find(id(1)).slot()).isEqualTo(new Slot(100, 110));
        assertThat(shared.schedule().profile().free(100)).isZero();
    }

    @Test
    void mayLeaveFewerPesThanTheReservableShare() {
        var shared = LiveCluster.of(SampleCluster.of(8).reservableShare("0.5"));
        shared.grant(Request.of(1, 4, 10).start(60));

        assertThat(shared.lose(outage(1, 4, 50, 100)).moved()).isEmpty();
    }
}
