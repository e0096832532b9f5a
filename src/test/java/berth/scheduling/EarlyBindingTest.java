package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.LiveCluster.outageOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.reservation.ReservationState;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import berth.time.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The PEs of a reservation on 8 PEs are chosen when it is accepted. */
class EarlyBindingTest {

    private final SampleCluster sample = SampleCluster.of(8).bound(Binding.EARLY);
    private LiveCluster cluster = LiveCluster.of(sample);

    /** Books a run that can move up to second 200. */
    private void book(int number, int pes, long start, long duration) {
        cluster.grant(
                Request.of(number, pes, duration).ready(start).deadline(200).start(start));
    }

    private SampleCluster like() {
        return SampleCluster.like(cluster.schedule().cluster());
    }

    private Request terms(int number) {
        return Request.like(cluster.find(Request.id(number)));
    }

    @Test
    void aReservationIsBoundWhenItIsAcceptedOrHeld() {
        book(1, 3, 10, 10);
        cluster.grant(Request.of(2, 2, 10).start(10).hold(5));

        assertThat(cluster.peIds(1)).isEqualTo("0-2");
        assertThat(cluster.peIds(2)).isEqualTo("3-4");
        cluster.grant(new Confirm(Request.target(2)));
        cluster.at(10).advance();
        assertThat(cluster.peIds(2)).isEqualTo("3-4");
        assertThat(cluster.find(Request.id(2)).state()).isEqualTo(ReservationState.RUNNING);
    }

    @Test
    void aReservationGetsTheLowestPesThatAreFreeThroughout() {
        book(1, 2, 0, 10);
        book(2, 3, 10, 10);
        book(3, 2, 5, 10);

        assertThat(cluster.peIds(3)).isEqualTo("3-4");
    }

    @Test
    void aReservationNeedsTheSamePesThroughout() {
        cluster = LiveCluster.of(SampleCluster.of(2).bound(Binding.EARLY));
        book(1, 1, 0, 10);
        book(2, 1, 10, 10);
        book(3, 1, 10, 10);
        cluster.grant(new Cancel(Request.target(2)));

        // one PE is free at any time, but PE 0 only from 10 on and PE 1 only until then
        assertThat(cluster.peIds(3)).isEqualTo("1");
        assertThat(cluster.refuse(Request.of(4, 1, 20).start(0))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.grant(Request.of(4, 1, 20)).slot()).isEqualTo(new Slot(10, 30));
    }

    @Test
    void theHighestPesAreNeverReserved() {
        cluster = LiveCluster.of(sample.reservableShare("0.5"));
        book(1, 2, 0, 10);

        assertThat(cluster.refuse(Request.of(2, 3, 10).start(0))).isEqualTo(new Rejection.NoSlot());
        book(2, 2, 0, 10);
        assertThat(cluster.peIds(2)).isEqualTo("2-3");
    }

    @Test
    void aReservationThatShrinksKeepsItsLowestPes() {
        book(1, 2, 0, 10);
        book(2, 4, 0, 10);

        assertThat(cluster.grant(terms(2).pes(3).renegotiate()).slot()).isEqualTo(new Slot(0, 10));
        assertThat(cluster.peIds(2)).isEqualTo("2-4");
    }

    @Test
    void aReservationThatGrowsKeepsItsPesAndGetsTheLowestOthers() {
        book(1, 2, 0, 10);
        book(2, 2, 0, 10);
        book(3, 1, 0, 10);
        cluster.grant(new Cancel(Request.target(1)));

        cluster.grant(terms(2).pes(5).renegotiate());

        assertThat(cluster.peIds(2)).isEqualTo("0-3,5");
    }

    @Test
    void aLongerReservationStaysOnItsPesIfTheyAreFree() {
        book(1, 2, 0, 10);
        book(2, 2, 10, 10);
        book(3, 2, 0, 10);

        assertThat(cluster.grant(terms(3).duration(15).renegotiate()).slot()).isEqualTo(new Slot(0, 15));
        assertThat(cluster.peIds(3)).isEqualTo("2-3");
    }

    @Test
    void aLongerReservationGetsOtherPesIfItsOwnAreTaken() {
        book(1, 2, 0, 10);
        book(2, 2, 10, 10);

        assertThat(cluster.grant(terms(1).duration(15).renegotiate()).slot()).isEqualTo(new Slot(0, 15));
        assertThat(cluster.peIds(1)).isEqualTo("2-3");
    }

    @Test
    void aRunCannotLeaveItsPes() {
        book(1, 2, 0, 10);
        book(2, 2, 10, 10);
        cluster.advance();

        assertThat(cluster.refuse(terms(1).duration(15).renegotiate())).isEqualTo(new Rejection.NoSlot());
        cluster.grant(new Cancel(Request.target(2)));
        cluster.grant(terms(1).duration(15).renegotiate());
        assertThat(cluster.peIds(1)).isEqualTo("0-1");
    }

    @Test
    void aRunIsNotExtendedOnPesThatAreNoLongerReservable() {
        book(1, 6, 0, 10);
        cluster.change(like().reservableShare("0.5"));
        cluster.advance();

        assertThat(cluster.refuse(terms(1).duration(15).renegotiate())).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.peIds(1)).isEqualTo("0-5");
    }

    @Test
    void onlyAReservationThatLosesAPeGetsOtherPes() {
        book(1, 2, 10, 10);
        book(2, 3, 10, 10);

        var outage = cluster.lose(outageOf(1, "3,6", 0, 20));

        assertThat(outage.moved()).containsExactly(Request.id(2));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(10, 20));
        assertThat(cluster.peIds(2)).isEqualTo("2,4-5");
        assertThat(cluster.peIds(1)).isEqualTo("0-1");
    }

    @Test
    void aReservationWithoutOtherPesMovesToAnotherTime() {
        book(1, 4, 10, 10);
        book(2, 4, 10, 10);

        cluster.lose(outageOf(1, "3", 0, 25));

        assertThat(cluster.slot(1)).isEqualTo(new Slot(20, 30));
        assertThat(cluster.peIds(1)).isEqualTo("0-2,4");
    }

    @Test
    void aRunAndReservationsThatStayGetOtherPesAtTheirTime() {
        book(1, 1, 0, 20);
        book(2, 1, 10, 10);
        cluster.grant(new Fix(Request.target(2), Wish.OWNERS));
        cluster.grant(Request.of(3, 1, 10).start(10).hold(9));
        cluster.advance();

        var outage = cluster.lose(outageOf(1, "0-1", 0, 15));

        assertThat(cluster.peIds(1)).isEqualTo("3");
        assertThat(cluster.peIds(2)).isEqualTo("4");
        assertThat(cluster.peIds(3)).isEqualTo("2");
        assertThat(outage.moved()).containsExactly(Request.id(2));
        assertThat(cluster.at(1).lose(outageOf(2, "2,5-7", 2, 15)).failed()).containsExactly(Request.id(3));
    }

    @Test
    void anOutageWithoutNamedPesTakesTheHighestFreePes() {
        book(1, 2, 10, 10);
        book(2, 2, 10, 10);

        var outage = cluster.lose(outage(1, 3, 0, 100));

        assertThat(outage.peIds()).contains(PeSet.of(5, 6, 7));
        assertThat(outage.moved()).isEmpty();
        assertThat(cluster.lose(outage(2, 1, 0, 100)).peIds()).contains(PeSet.of(4));
    }

    @Test
    void anOutageTakesPesOfTheLeastUrgentReservationsIfItMust() {
        cluster.grant(Request.of(1, 3, 10).ready(10).deadline(60).start(10));
        cluster.grant(Request.of(2, 3, 10).ready(10).deadline(50).start(10));
        cluster.grant(Request.of(3, 1, 10).ready(10).deadline(70).start(10));

        var outage = cluster.lose(outage(1, 4, 0, 20));

        // 2 is more urgent than 1; 3 is the last and keeps its PE because it is not needed
        assertThat(outage.peIds()).contains(PeSet.of(0, 1, 2, 7));
        assertThat(cluster.peIds(2)).isEqualTo("3-5");
        assertThat(cluster.peIds(3)).isEqualTo("6");
        assertThat(outage.moved()).containsExactly(Request.id(1));
    }

    @Test
    void anOutageTakesPesOfOtherOutagesOnlyIfTooFewAreLeft() {
        cluster = LiveCluster.of(SampleCluster.of(2).bound(Binding.EARLY));
        cluster.lose(outageOf(1, "0", 0, 10));
        cluster.lose(outageOf(2, "1", 10, 20));

        assertThat(cluster.lose(outage(3, 1, 0, 10)).peIds()).contains(PeSet.of(1));
        assertThat(cluster.lose(outage(4, 1, 0, 20)).peIds()).contains(PeSet.of(1));
        assertThat(cluster.lose(outage(5, 2, 0, 20)).peIds()).contains(PeSet.of(0, 1));
        assertThat(cluster.lose(outageOf(6, "0", 9, 20)).peIds()).contains(PeSet.of(0));
    }

    @Test
    void anOutageMayNamePesAhead() {
        book(1, 8, 10, 10);

        var outage = cluster.lose(outageOf(1, "7", 15, 30));

        assertThat(outage.moved()).containsExactly(Request.id(1));
        assertThat(cluster.slot(1)).isEqualTo(new Slot(30, 40));
    }

    @Test
    void thePesOfAnOutageThatEndsAreFreeAgain() {
        cluster.lose(outageOf(1, "0-5"));
        cluster.happens(new EndOutage(LiveCluster.outageId(1)));
        book(1, 8, 0, 10);

        assertThat(cluster.peIds(1)).isEqualTo("0-7");
    }

    @Test
    void aClusterLosesItsHighestNumberedPes() {
        book(1, 2, 10, 10);
        book(2, 2, 10, 10);
        book(3, 2, 10, 10);
        cluster.grant(new Cancel(Request.target(2)));

        cluster.change(like().pes(5));

        assertThat(cluster.slot(3)).isEqualTo(new Slot(10, 20));
        assertThat(cluster.peIds(3)).isEqualTo("2-3");
        assertThat(cluster.peIds(1)).isEqualTo("0-1");
    }

    @Test
    void pesThatTheClusterHasLostAndAnOutageNamesAreStillOutWhenTheyComeBack() {
        cluster.lose(outageOf(1, "5,7"));
        cluster.change(like().pes(6));
        assertThat(cluster.schedule().profile().free(0)).isEqualTo(5);

        cluster.change(like().pes(9));
        book(1, 7, 0, 10);

        assertThat(cluster.peIds(1)).isEqualTo("0-4,6,8");
    }

    @Test
    void aScheduleIsRebuiltWithThePesOfAll() {
        book(1, 3, 0, 10);
        book(2, 2, 5, 20);
        cluster.lose(outageOf(1, "6", 50, 60));
        var live = cluster.schedule();

        var rebuilt = ClusterSchedule.of(live.cluster(), live.reservations(), live.outages());

        assertThat(rebuilt).isEqualTo(live);
        assertThat(rebuilt.free()).isEqualTo(live.free());
    }

    @Test
    void aScheduleRejectsAReservationWithoutPes() {
        var counted = LiveCluster.of(8).grant(Request.of(1, 1, 10));

        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(sample.cluster(), List.of(counted), List.of()))
                .withMessageContaining("finds no room");
    }
}
