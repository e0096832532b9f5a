package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.LiveCluster.outageId;
import static berth.scheduling.LiveCluster.outageOf;
import static berth.scheduling.Request.id;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.batch.JobId;
import berth.budget.Dues;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.reservation.EndReason;
import berth.reservation.Losses;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.Extend;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that have begun go on with what is left: eight PEs, some of which go out of service while reservations run. */
class LostPesTest {

    private final LiveCluster cluster = LiveCluster.of(SampleCluster.of(8).bound(Binding.EARLY));

    /** Starts a run on the lowest-numbered free PEs. */
    private Reservation run(int number, int pes, long duration) {
        cluster.grant(Request.of(number, pes, duration));
        cluster.advance();
        return cluster.latest(number);
    }

    private static List<Event.Type> types(List<Event> events) {
        return events.stream().map(Event::type).toList();
    }

    private static Part lack(String peIds, long from, long to) {
        var ids = PeSet.parse(peIds);
        return new Part(new Slot(from, to), ids.size(), Optional.of(ids), 1);
    }

    @Test
    void aRunGoesOnWithThePesThatRemain() {
        run(1, 8, 100);

        var events = cluster.at(40).happens(outageOf(1, "3"));

        assertThat(types(events)).containsExactly(Event.Type.DEGRADED, Event.Type.OUTAGE_RECORDED);
        var degraded = cluster.latest(1);
        assertThat(degraded.state()).isEqualTo(ReservationState.RUNNING);
        assertThat(degraded.slot()).isEqualTo(new Slot(0, 100));
        assertThat(degraded.placement().losses()).isEqualTo(new Losses(0, 40, List.of(lack("3", 40, 100))));
        assertThat(degraded.lacksPes()).isTrue();
    }

    @Test
    void freePesReplaceThoseThatARunLost() {
        run(1, 4, 100);

        var events = cluster.at(40).happens(outageOf(1, "1,2"));

        assertThat(types(events)).containsExactly(Event.Type.REPLACED, Event.Type.OUTAGE_RECORDED);
        assertThat(cluster.peIds(1)).isEqualTo("0,3-5");
        assertThat(cluster.latest(1).placement().losses().areNone()).isTrue();
        cluster.at(100).advance();
        assertThat(cluster.latest(1).price()).isEqualTo(usd("4.00"));
    }

    @Test
    void asManyPesAreReplacedAsAreFreeUntilTheEnd() {
        run(1, 4, 100);
        cluster.grant(Request.of(2, 3, 20).start(70).deadline(90));

        cluster.at(40).happens(outageOf(1, "0,1"));

        assertThat(cluster.peIds(1)).isEqualTo("0,2-3,7");
        assertThat(cluster.latest(1).placement().losses().present()).hasValue(lack("0", 40, 100));
    }

    @Test
    void reservationsThatCanMoveMakeWayForARun() {
        var juggling = LiveCluster.of(SampleCluster.of(8)
                .bound(Binding.EARLY)
                .juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        juggling.grant(Request.of(1, 4, 100));
        juggling.advance();
        juggling.grant(Request.of(2, 4, 20).start(70).deadline(300));

        var events = juggling.at(40).happens(outageOf(1, "0"));

        assertThat(types(events)).containsExactly(Event.Type.REPLACED, Event.Type.MOVED, Event.Type.OUTAGE_RECORDED);
        assertThat(juggling.find(id(2)).slot()).isEqualTo(new Slot(100, 120));
    }

    @Test
    void batchJobsMakeWayForARun() {
        run(1, 4, 100);
        var job = new JobId(new UUID(2, 1));
        cluster.happens(
                new SubmitJob(job, Request.of(9, 1, 1).reserve().origin().owner(), Optional.empty(), 4, 100));
        cluster.happens(new StartJobs());

        var events = cluster.at(40).happens(outageOf(1, "0"));

        assertThat(types(events))
                .containsExactly(Event.Type.JOB_REQUEUED, Event.Type.REPLACED, Event.Type.OUTAGE_RECORDED);
        assertThat(cluster.peIds(1)).isEqualTo("1-4");
    }

    @Test
    void aLossAheadEndsNothingBeforeItBegins() {
        run(1, 8, 100);

        var events = cluster.at(10).happens(outageOf(1, "0-7", 50, 80));

        assertThat(types(events)).containsExactly(Event.Type.LOSING, Event.Type.OUTAGE_RECORDED);
        assertThat(cluster.latest(1).lacksPes()).isFalse();
        assertThat(cluster.at(49).advance()).isEmpty();
        assertThat(types(cluster.at(50).advance())).containsExactly(Event.Type.OUTAGE_BEGAN, Event.Type.FAILED);
        assertThat(cluster.latest(1).status().reason()).hasValue(EndReason.PES_LOST);
        assertThat(cluster.latest(1).placement().partsNow())
                .as("what clients read once nothing is left")
                .isEqualTo(cluster.latest(1).parts());
    }

    @Test
    void aRunThatEndsBeforeTheLossIsNotTouched() {
        run(1, 8, 50);

        assertThat(types(cluster.at(10).happens(outageOf(1, "0-7", 50, 80))))
                .containsExactly(Event.Type.OUTAGE_RECORDED);
    }

    @Test
    void aRunGetsItsPesBackWhenTheOutageEnds() {
        run(1, 8, 100);
        cluster.at(10).happens(outageOf(1, "0", 20, 50));
        assertThat(types(cluster.at(20).advance())).containsExactly(Event.Type.OUTAGE_BEGAN, Event.Type.DEGRADED);

        assertThat(types(cluster.at(50).advance())).containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.RESTORED);

        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(30, 50, List.of()));
        assertThat(types(cluster.at(100).advance())).containsExactly(Event.Type.COMPLETED);
    }

    @Test
    void aRunGetsItsPesBackAtOnceWhenAnOutageIsEndedEarly() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0"));

        var events = cluster.at(30).happens(new EndOutage(outageId(1)));

        assertThat(types(events)).containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.RESTORED);
        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(10, 30, List.of()));
    }

    @Test
    void aRunKeepsThePesOfAnOutageThatIsCalledOff() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0", 50, 60));

        assertThat(types(cluster.at(30).happens(new EndOutage(outageId(1)))))
                .containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.RESTORED);
        assertThat(cluster.latest(1).placement().losses().areNone()).isTrue();
    }

    @Test
    void aRunLacksPesUntilAllOutagesThatClaimThemAreOver() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0,1"));
        cluster.at(30).happens(outageOf(2, "1,2"));
        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(20, 30, List.of(lack("0-2", 30, 100))));

        cluster.at(40).happens(new EndOutage(outageId(1)));

        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(50, 40, List.of(lack("1,2", 40, 100))));
        cluster.at(60).happens(new EndOutage(outageId(2)));
        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(90, 60, List.of()));
    }

    @Test
    void aRunFailsWhenItsLastPeIsLost() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0-6"));

        assertThat(types(cluster.at(30).happens(outageOf(2, "7"))))
                .containsExactly(Event.Type.FAILED, Event.Type.OUTAGE_RECORDED);

        assertThat(cluster.latest(1).price()).isEqualTo(usd("0.00"));
        assertThat(cluster.latest(1).charge().credit()).hasValue(usd("8.00"));
    }

    @Test
    void lostPesAreNotOwedAndAreCredited() {
        run(1, 8, 100);
        assertThat(cluster.latest(1).price()).isEqualTo(usd("8.00"));
        cluster.at(50).happens(outageOf(1, "0-3"));

        cluster.at(100).advance();

        var over = cluster.latest(1);
        assertThat(over.state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(over.price()).isEqualTo(usd("6.00"));
        assertThat(over.charge().credit()).hasValue(usd("2.00"));
        assertThat(Dues.of(over).charged().peSeconds()).isEqualTo(600);
        assertThat(Dues.of(over).credited().money()).isEqualTo(usd("2.00"));
    }

    @Test
    void aDegradedRunCanBeCompletedWithoutOwingTheRest() {
        run(1, 8, 100);
        cluster.at(50).happens(outageOf(1, "0-3"));

        cluster.at(75).happens(new Complete(Request.target(1)));

        // 50 seconds on eight PEs and 25 on four, of 100 on eight
        var over = cluster.latest(1);
        assertThat(over.price()).isEqualTo(usd("5.00"));
        assertThat(over.charge().credit()).hasValue(usd("1.00"));
        assertThat(Dues.of(over).charged().peSeconds()).isEqualTo(500);
    }

    @Test
    void aRunThatIsToLosePesCanBeCompletedWithoutOwingTheRest() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0", 90, 100));

        cluster.at(50).happens(new Cancel(Request.target(1)));

        assertThat(cluster.latest(1).price()).isEqualTo(usd("4.00"));
        assertThat(cluster.latest(1).charge().credit()).isEmpty();
    }

    @Test
    void aRunWithItsPesBackOwesAllExceptTheLossAtAnyEnd() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0-3"));
        cluster.at(45).happens(new EndOutage(outageId(1)));

        cluster.at(50).happens(new Complete(Request.target(1)));

        assertThat(cluster.latest(1).price()).isEqualTo(usd("7.00"));
        assertThat(cluster.latest(1).charge().credit()).hasValue(usd("1.00"));
    }

    @Test
    void anExtensionKeepsTheLosses() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0", 40, 60));

        cluster.at(30).happens(new Extend(Request.target(1), 50, 50));

        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(0, 150));
        assertThat(cluster.latest(1).placement().losses().lacks()).containsExactly(lack("0", 40, 60));
    }

    @Test
    void aRunThatLacksPesCanBeExtendedWithoutThem() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0", 40, 130));

        cluster.at(50).advance();
        cluster.happens(new Extend(Request.target(1), 50, 50));

        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(0, 150));
        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(10, 50, List.of(lack("0", 50, 130))));
    }

    @Test
    void aRunThatLacksPesCannotBeExtendedIntoTheTimeOfAnother() {
        run(1, 8, 100);
        cluster.grant(Request.of(2, 1, 20).start(120).deadline(140));
        cluster.at(20).happens(outageOf(1, "7", 40, 130));

        assertThat(cluster.refuse(new Extend(Request.target(1), 50, 50))).isEqualTo(new Rejection.NoSlot());
    }

    /** Starts a run of two parts, from 0 to 20 and from 60 to 80. */
    private void runInTwoParts(long deadline) {
        cluster.grant(Request.of(9, 8, 40).start(20).deadline(60));
        cluster.grant(Request.of(1, 8, 40).split(2, "0.5", false).deadline(deadline));
        cluster.advance();
        assertThat(cluster.latest(1).parts()).extracting(Part::slot).containsExactly(new Slot(0, 20), new Slot(60, 80));
    }

    @Test
    void aFuturePartMovesAndTheRunningPartGoesOn() {
        runInTwoParts(400);

        var events = cluster.at(10).happens(outageOf(1, "0", 15, 75));

        assertThat(types(events))
                .containsExactly(Event.Type.LOSING, Event.Type.MOVED, Event.Type.FAILED, Event.Type.OUTAGE_RECORDED);
        assertThat(cluster.latest(1).parts()).extracting(Part::slot).containsExactly(new Slot(0, 20), new Slot(75, 95));
        assertThat(cluster.latest(1).placement().losses().lacks()).containsExactly(lack("0", 15, 20));
    }

    @Test
    void aFuturePartWithoutAnotherPlaceBeginsOnTheRemainingPes() {
        runInTwoParts(80);

        assertThat(types(cluster.at(10).happens(outageOf(1, "0", 60, 70))))
                .containsExactly(Event.Type.LOSING, Event.Type.OUTAGE_RECORDED);

        assertThat(types(cluster.at(60).advance()))
                .containsExactly(
                        Event.Type.PAUSED,
                        Event.Type.STARTED,
                        Event.Type.COMPLETED,
                        Event.Type.OUTAGE_BEGAN,
                        Event.Type.RESUMED);
        assertThat(cluster.latest(1).lacksPes()).isTrue();
        assertThat(types(cluster.at(80).advance()))
                .containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.RESTORED, Event.Type.COMPLETED);
        assertThat(cluster.latest(1).placement().losses().lost()).isEqualTo(10);
    }

    @Test
    void aRunWhoseFuturePartMakesRoomIsOnlyMoved() {
        var late =
                LiveCluster.of(SampleCluster.of(8).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        late.grant(Request.of(1, 4, 100));
        late.grant(Request.of(9, 1, 40).start(20).deadline(60));
        late.grant(Request.of(2, 4, 40).split(2, "0.5", false).deadline(400));
        late.advance();
        assertThat(late.find(id(2)).parts()).extracting(Part::slot).containsExactly(new Slot(0, 20), new Slot(60, 80));
        late.at(40).advance();

        var events = late.happens(outageOf(1, "0"));

        assertThat(types(events))
                .containsExactlyInAnyOrder(Event.Type.MOVED, Event.Type.REPLACED, Event.Type.OUTAGE_RECORDED);
        assertThat(late.find(id(2)).slot()).isEqualTo(new Slot(0, 120));
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void aRunOnAClusterThatShrinksGoesOnUntilItGrowsAgain(Binding binding) {
        var changing = LiveCluster.of(SampleCluster.of(8).bound(binding));
        changing.grant(Request.of(1, 4, 100));
        changing.grant(Request.of(2, 4, 100));
        changing.advance();

        var events = changing.at(40).change(SampleCluster.of(6).bound(binding));

        assertThat(types(events)).containsExactly(Event.Type.DEGRADED, Event.Type.CLUSTER_CHANGED);
        var degraded = ((ReservationEvent) events.getFirst()).reservation();
        assertThat(degraded.placement().losses().present().orElseThrow().pes()).isEqualTo(2);
        events = changing.at(60).change(SampleCluster.of(8).bound(binding));
        assertThat(types(events)).containsExactly(Event.Type.CLUSTER_CHANGED, Event.Type.RESTORED);
        assertThat(changing.find(degraded.id()).placement().losses()).isEqualTo(new Losses(40, 60, List.of()));
    }

    @Test
    void withLateBindingARunLosesPesOnlyWhereTooFewRemain() {
        var late = LiveCluster.of(SampleCluster.of(8));
        late.grant(Request.of(1, 4, 100));
        late.advance();

        assertThat(types(late.at(20).happens(outage(1, 4, 30, 60)))).containsExactly(Event.Type.OUTAGE_RECORDED);
        assertThat(types(late.at(22).happens(outage(2, 2, 40))))
                .containsExactly(Event.Type.LOSING, Event.Type.OUTAGE_RECORDED);
        assertThat(types(late.at(40).advance()))
                .containsExactly(Event.Type.OUTAGE_BEGAN, Event.Type.OUTAGE_BEGAN, Event.Type.DEGRADED);
        assertThat(types(late.at(60).advance())).containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.RESTORED);
        assertThat(late.find(id(1)).placement().losses().lost()).isEqualTo(40);
    }

    @Test
    void withLateBindingARunGetsOtherPesForThoseThatAnOutageNames() {
        var late = LiveCluster.of(SampleCluster.of(8));
        late.grant(Request.of(1, 4, 100));
        late.advance();

        assertThat(types(late.at(20).happens(outageOf(1, "0"))))
                .containsExactly(Event.Type.REPLACED, Event.Type.OUTAGE_RECORDED);

        assertThat(late.peIds(1)).isEqualTo("1-4");
    }

    /** Starts one reservation on two PEs, and another on the other six, of which an outage takes one. */
    private void degradedBeside(Request other) {
        cluster.grant(other);
        run(1, 6, 100);
        cluster.at(40).happens(outageOf(1, "7"));
        assertThat(cluster.latest(1).placement().losses().present()).hasValue(lack("7", 40, 100));
        assertThat(cluster.happens(new ReplaceLostPes())).isEmpty();
    }

    @Test
    void aRunGetsAPeOfAReservationThatIsCancelled() {
        degradedBeside(Request.of(2, 2, 100));
        cluster.at(60).happens(new Cancel(Request.target(2)));

        assertThat(types(cluster.happens(new ReplaceLostPes()))).containsExactly(Event.Type.REPLACED);

        assertThat(cluster.peIds(1)).isEqualTo("0,2-6");
        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(20, 60, List.of()));
        assertThat(cluster.happens(new ReplaceLostPes())).isEmpty();
    }

    @Test
    void aRunGetsAPeOfAReservationThatEndsAsPlanned() {
        degradedBeside(Request.of(2, 2, 70));
        cluster.at(70).advance();

        assertThat(types(cluster.happens(new ReplaceLostPes()))).containsExactly(Event.Type.REPLACED);

        assertThat(cluster.peIds(1)).isEqualTo("0,2-6");
    }

    @Test
    void aRunGetsAPeOfAReservationThatIsShortened() {
        degradedBeside(Request.of(2, 2, 50));
        cluster.grant(Request.of(3, 2, 30).start(60).deadline(90));
        cluster.at(50).advance();
        assertThat(cluster.happens(new ReplaceLostPes())).isEmpty();

        cluster.happens(new Renegotiate(
                Request.target(3),
                Request.like(cluster.find(id(3))).pes(1).reserve().terms()));

        assertThat(types(cluster.happens(new ReplaceLostPes()))).containsExactly(Event.Type.REPLACED);
        assertThat(cluster.peIds(1)).isEqualTo("1-6");
    }

    @Test
    void aRunThatLacksSeveralPesGetsAsManyAsAreFree() {
        cluster.grant(Request.of(2, 1, 60));
        run(1, 7, 100);
        cluster.at(40).happens(outageOf(1, "6,7"));
        cluster.at(60).advance();

        assertThat(types(cluster.happens(new ReplaceLostPes()))).containsExactly(Event.Type.REPLACED);

        assertThat(cluster.peIds(1)).isEqualTo("0-6");
        assertThat(cluster.latest(1).placement().losses()).isEqualTo(new Losses(40, 60, List.of(lack("6", 60, 100))));
    }

    @Test
    void theMostUrgentOfTheRunsThatLackPesGetsFreePesFirst() {
        cluster.grant(Request.of(3, 2, 50));
        cluster.grant(Request.of(1, 3, 100).deadline(200));
        cluster.grant(Request.of(2, 3, 100).deadline(150));
        cluster.advance();
        cluster.at(20).happens(outageOf(1, "2,5"));
        assertThat(cluster.latest(1).lacksPes()).isTrue();
        assertThat(cluster.latest(2).lacksPes()).isTrue();
        cluster.happens(outageOf(2, "1"));
        cluster.at(50).advance();

        cluster.happens(new ReplaceLostPes());

        assertThat(cluster.latest(2).lacksPes()).isFalse();
        assertThat(cluster.latest(1).lacksPes()).isTrue();
    }

    @Test
    void noReservationMovesForARunWhenPesBecomeFree() {
        var juggling = LiveCluster.of(SampleCluster.of(8)
                .bound(Binding.EARLY)
                .juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        juggling.grant(Request.of(2, 2, 100));
        juggling.grant(Request.of(1, 6, 100));
        juggling.advance();
        juggling.at(40).happens(outageOf(1, "7"));
        juggling.at(50).happens(new Cancel(Request.target(2)));
        juggling.grant(Request.of(3, 2, 20).start(70).deadline(300));

        assertThat(juggling.happens(new ReplaceLostPes())).isEmpty();
    }

    @Test
    void withLateBindingARunGetsItsPesBackWhenEnoughAreFree() {
        var late = LiveCluster.of(SampleCluster.of(8));
        late.grant(Request.of(1, 4, 60).deadline(60));
        late.grant(Request.of(2, 4, 100));
        late.advance();
        late.at(20).happens(outage(1, 2, 20));
        assertThat(late.find(id(2)).lacksPes()).isTrue();
        late.at(50).happens(new Cancel(Request.target(1)));

        assertThat(types(late.happens(new ReplaceLostPes()))).containsExactly(Event.Type.RESTORED);

        assertThat(late.find(id(2)).placement().losses()).isEqualTo(new Losses(60, 50, List.of()));
    }

    @Test
    void aScheduleIsRestoredWithItsLosses() {
        run(1, 8, 100);
        cluster.at(20).happens(outageOf(1, "0"));
        var schedule = cluster.schedule();

        var restored = ClusterSchedule.of(schedule.cluster(), schedule.reservations(), schedule.outages());

        assertThat(restored).isEqualTo(schedule);
        assertThat(restored.profile().free(50)).isZero();
    }
}
