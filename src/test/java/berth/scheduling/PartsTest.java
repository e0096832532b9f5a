package berth.scheduling;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Four PEs over [0,10), [20,30), [42,52) and [70,90), because others have them in between; until 200 at the latest. */
class PartsTest {

    private static final Request SPLIT = Request.of(9, 4, 50).deadline(200).split(5, "0.2", false);

    private final LiveCluster cluster = running(SampleCluster.of(4), SPLIT);

    private static LiveCluster running(SampleCluster sample, Request request) {
        var cluster = LiveCluster.of(sample);
        cluster.grant(Request.of(1, 4, 8).start(12));
        cluster.grant(Request.of(2, 2, 11).start(31));
        cluster.grant(Request.of(3, 2, 15).start(55));
        cluster.grant(request);
        cluster.advance();
        return cluster;
    }

    private Reservation run() {
        return cluster.latest(9);
    }

    @Test
    void beginAndEndOneAfterTheOther() {
        var seen = cluster.at(100).advance().stream()
                .filter(event -> event instanceof Event.ReservationEvent about
                        && about.reservation().id().equals(Request.id(9)))
                .map(event -> "%s %d".formatted(event.type(), event.at()))
                .toList();

        assertThat(seen)
                .containsExactly(
                        "PAUSED 10",
                        "RESUMED 20",
                        "PAUSED 30",
                        "RESUMED 42",
                        "PAUSED 52",
                        "RESUMED 70",
                        "COMPLETED 90");
        assertThat(run().occupied()).isEqualTo(run().parts());
    }

    @Test
    void areDueInTurn() {
        assertThat(run().due())
                .hasValue(new AgendaItem(10, What.PART_ENDS, run().id().value()));
        cluster.at(10).advance();
        assertThat(run().due())
                .hasValue(new AgendaItem(20, What.PART_STARTS, run().id().value()));
        cluster.at(70).advance();
        assertThat(run().due())
                .hasValue(new AgendaItem(90, What.RUN_ENDS, run().id().value()));
    }

    @Test
    void leaveTheirPesToOthersInBetween() {
        cluster.at(10).advance();

        assertThat(run().state()).isEqualTo(ReservationState.RUNNING);
        assertThat(cluster.schedule().profile().free(10)).isEqualTo(4);
        assertThat(cluster.grant(Request.of(4, 4, 2)).slot()).isEqualTo(new Slot(10, 12));
    }

    @Test
    void getThePesThatAreFreeAsTheyBeginWhereTheseAreBoundLate() {
        var two = LiveCluster.of(4);
        two.grant(Request.of(1, 3, 10).start(10));
        two.grant(Request.of(9, 2, 20).split(2, "0.5", false));
        two.grant(Request.of(0, 1, 15).start(10));
        two.advance();
        two.at(10).advance();
        assertThat(ids(two)).containsExactly("0-1", "none");

        two.at(20).advance();
        assertThat(two.peIds(0)).isEqualTo("0");
        assertThat(ids(two)).containsExactly("0-1", "1-2");
    }

    @Test
    void knowTheirPesAheadWhereTheseAreBoundEarly() {
        var early = LiveCluster.of(SampleCluster.of(4).bound(Binding.EARLY));
        early.grant(Request.of(1, 3, 10).start(10));
        early.grant(Request.of(2, 1, 30).start(20));
        early.grant(Request.of(9, 2, 20).split(2, "0.5", false));

        assertThat(ids(early)).containsExactly("0-1", "1-2");
        early.advance();
        early.at(20).advance();
        assertThat(ids(early)).containsExactly("0-1", "1-2");
    }

    private static List<String> ids(LiveCluster cluster) {
        return cluster.find(Request.id(9)).parts().stream()
                .map(part -> part.peIds().map(PeSet::toString).orElse("none"))
                .toList();
    }

    @Test
    void endWithARunThatIsCancelledBetweenThem() {
        cluster.at(10).advance();
        var cancelled = cluster.at(15).grant(new Cancel(Request.target(9)));

        // it has begun
        assertThat(cancelled.price()).isEqualTo(usd("1.80"));
        assertThat(cancelled.occupied()).extracting(Part::slot).containsExactly(new Slot(0, 10));
        assertThat(cluster.schedule().profile().free(75)).isEqualTo(4);
    }

    @Test
    void endWithARunThatIsCompletedBetweenThemOrDuringOne() {
        cluster.at(10).advance();
        var between = new Complete(Request.target(9)).decide(new Basis(cluster.schedule(), 15));
        assertThat(((Decision.Accepted) between).next().find(Request.id(9))).isEmpty();

        cluster.at(25).advance();
        var completed = cluster.grant(new Complete(Request.target(9)));
        assertThat(completed.occupied()).extracting(Part::slot).containsExactly(new Slot(0, 10), new Slot(20, 25));
        assertThat(cluster.schedule().profile().free(25)).isEqualTo(4);
    }

    @Test
    void unclaimedPartsAreReleasedEvenBetweenTwoParts() {
        var strict = running(SampleCluster.of(4).claimWithin(15), SPLIT);
        strict.at(15).advance();

        var released = strict.latest(9);
        assertThat(released.status().reason()).hasValue(EndReason.NOT_CLAIMED);
        assertThat(released.occupied()).extracting(Part::slot).containsExactly(new Slot(0, 10));
    }

    @Test
    void aClaimBetweenTwoPartsCountsForAll() {
        var strict = running(SampleCluster.of(4).claimWithin(15), SPLIT);
        strict.at(12).advance();
        strict.grant(new Claim(Request.target(9)));
        strict.at(90).advance();

        assertThat(strict.latest(9).state()).isEqualTo(ReservationState.COMPLETED);
    }

    @Test
    void mayMoveUntilTheNoticeBeforeEachOfThem() {
        var noticed = running(SampleCluster.of(4).notice(3), SPLIT);
        assertThat(noticed.latest(9).isMovable(16)).isTrue();
        assertThat(noticed.latest(9).isMovable(17)).isFalse();

        noticed.at(20).advance();
        assertThat(noticed.latest(9).isMovable(38)).isTrue();
        assertThat(noticed.latest(9).isMovable(39)).isFalse();

        noticed.at(70).advance();
        assertThat(noticed.latest(9).isMovable(70)).isFalse();
    }

    @Test
    void mayNotMoveOnceTheirOwnerHasFixedThem() {
        assertThat(running(SampleCluster.of(4), SPLIT.fixAfter("0")).latest(9).isMovable(1))
                .isFalse();

        var fixed = LiveCluster.of(1);
        fixed.grant(Request.of(1, 1, 5).start(15));
        fixed.grant(Request.of(9, 1, 10).ready(10).deadline(90).split(2, "0.5", false));
        fixed.at(5).grant(new Fix(Request.target(9), Wish.OWNERS));
        fixed.at(10).advance();
        assertThat(fixed.latest(9).parts()).hasSize(2);
        assertThat(fixed.latest(9).isMovable(11)).isFalse();
    }

    @Test
    void areFixedAsLongAsSomeAreToCome() {
        assertThat(cluster.at(15).grant(new Fix(Request.target(9), Wish.OWNERS)).isMovable(15))
                .isFalse();
        cluster.at(20).advance();
        assertThat(run().isMovable(21)).isFalse();
        assertThat(cluster.happens(new Fix(Request.target(9), Wish.OWNERS))).isEmpty();

        cluster.at(70).advance();
        assertThat(cluster.refuse(new Fix(Request.target(9), Wish.OWNERS)))
                .isEqualTo(new Rejection.WrongState(ReservationState.RUNNING));
    }

    @Test
    void futurePartsMoveAwayFromALoss() {
        cluster.at(10).advance();
        var lost = cluster.at(15).lose(LiveCluster.outage(1, 1, 20, 31));

        assertThat(lost.moved()).containsExactly(Request.id(9));
        assertThat(slots()).containsExactly(new Slot(0, 10), new Slot(42, 52), new Slot(70, 100));
        assertThat(run().state()).isEqualTo(ReservationState.RUNNING);
        assertThat(run().price()).isEqualTo(usd("1.80"));
        assertThat(run().due())
                .hasValue(new AgendaItem(42, What.PART_STARTS, run().id().value()));
    }

    @Test
    void aRunningPartStaysWhenFuturePartsMove() {
        cluster.at(5).lose(LiveCluster.outage(1, 1, 20, 31));

        assertThat(slots()).containsExactly(new Slot(0, 10), new Slot(42, 52), new Slot(70, 100));
        assertThat(cluster.schedule().profile().free(5)).isZero();
        cluster.at(10).advance();
        assertThat(run().due())
                .hasValue(new AgendaItem(42, What.PART_STARTS, run().id().value()));
    }

    @Test
    void aRunningPartGoesOnWithTheRemainingPes() {
        var lost = cluster.at(5).lose(LiveCluster.outage(1, 1, 5, 8));

        assertThat(lost.failed()).isEmpty();
        assertThat(run().lacksPes()).isTrue();
        cluster.at(8).advance();
        assertThat(run().lacksPes()).isFalse();
        assertThat(run().placement().losses().lost()).isEqualTo(3);
    }

    @Test
    void futurePartsWithoutAnotherPlaceKeepTheirTimeOnTheRemainingPes() {
        cluster.at(10).advance();
        var parts = run().parts();
        var lost = cluster.at(15).lose(LiveCluster.outage(1, 1, 20, 170));

        assertThat(lost.failed()).doesNotContain(Request.id(9));
        assertThat(run().parts()).isEqualTo(parts);
        assertThat(run().placement().losses().lacks()).isNotEmpty();
    }

    @Test
    void futurePartsGiveWayToPremium() {
        var two = LiveCluster.of(2);
        two.grant(Request.of(1, 1, 5).start(5));
        two.grant(Request.of(2, 1, 5).start(5));
        two.grant(Request.of(8, 1, 20).deadline(90).split(2, "0.5", false).premium());
        two.grant(Request.of(9, 1, 10).deadline(90).split(2, "0.5", false));
        two.advance();

        assertThat(two.latest(9).parts()).extracting(Part::slot).containsExactly(new Slot(0, 5), new Slot(10, 15));
        var lost = two.at(2).lose(LiveCluster.outage(1, 1, 10, 40));
        assertThat(lost.moved()).containsExactly(Request.id(9));
        assertThat(two.latest(9).parts()).extracting(Part::slot).containsExactly(new Slot(0, 5), new Slot(30, 35));
        assertThat(two.latest(8).slot()).isEqualTo(new Slot(10, 30));
    }

    @Test
    void endedPartsNeedNoPesOfAShrunkenCluster() {
        var shrinking = LiveCluster.of(4);
        shrinking.grant(Request.of(1, 4, 20).start(10));
        shrinking.grant(Request.of(2, 2, 70).start(30));
        shrinking.grant(Request.of(9, 1, 1).shapes("4:20 2:40").split(2, "0.5", true));
        shrinking.advance();
        assertThat(shrinking.latest(9).parts())
                .extracting(Part::slot)
                .containsExactly(new Slot(0, 10), new Slot(30, 50));
        shrinking.at(10).advance();
        shrinking.grant(new Cancel(Request.target(1)));
        shrinking.grant(new Cancel(Request.target(2)));

        assertThat(shrinking.change(SampleCluster.of(2)))
                .extracting(Event::type)
                .containsExactly(Event.Type.CLUSTER_CHANGED);
        shrinking.at(50).advance();
        assertThat(shrinking.latest(9).state()).isEqualTo(ReservationState.COMPLETED);
    }

    @Test
    void areFinalDuringTheRunExceptItsDeadline() {
        var asAgreed = Request.like(run());
        var before = run();
        cluster.at(15).advance();

        assertThat(cluster.refusedField(asAgreed.duration(60).renegotiate())).isEqualTo("duration");
        assertThat(cluster.refusedField(asAgreed.duration(40).renegotiate())).isEqualTo("duration");
        assertThat(cluster.refusedField(asAgreed.deadline(89).renegotiate())).isEqualTo("deadline");
        assertThat(cluster.refusedField(asAgreed.split(5, "0.2", true).renegotiate()))
                .isEqualTo("preemption");
        // the same steps, given by their number
        assertThat(cluster.refusedField(asAgreed.split(new Preemption(OptionalInt.of(5), 5, false))
                        .deadline(89)
                        .renegotiate()))
                .isEqualTo("deadline");
        var loosened = cluster.grant(asAgreed.deadline(300).renegotiate());
        assertThat(loosened.parts()).isEqualTo(run().parts());
        assertThat(loosened.placement().turns()).isEqualTo(2);
        assertThat(loosened.price()).isEqualTo(before.price());
        assertThat(cluster.grant(asAgreed.deadline(90).renegotiate()).parts()).isEqualTo(run().parts());
    }

    @Test
    void stayWhereTheyAreIfOtherTermsAllowIt() {
        var waiting = LiveCluster.of(4);
        waiting.grant(Request.of(1, 4, 8).start(22));
        var split = waiting.grant(Request.of(9, 4, 20).ready(10).deadline(100).split(4, "0.25", false));
        assertThat(split.parts()).extracting(Part::slot).containsExactly(new Slot(10, 20), new Slot(30, 40));
        waiting.grant(new Cancel(Request.target(1)));
        var asAgreed = Request.like(split);

        assertThat(waiting.grant(asAgreed.deadline(90).renegotiate()).parts()).isEqualTo(split.parts());
        assertThat(waiting.grant(asAgreed.split(2, "0.25", false).renegotiate()).parts())
                .isEqualTo(split.parts());
        // one part, in another place
        assertThat(waiting.grant(asAgreed.whole().renegotiate()).parts())
                .containsExactly(Part.whole(new Slot(10, 30), 4));
    }

    @Test
    void aSplittableRunInOnePieceMayBecomeLonger() {
        var single = LiveCluster.of(4);
        single.grant(Request.of(9, 4, 20).deadline(100).split(4, "0.25", false));
        single.advance();

        var longer =
                single.at(5).grant(Request.like(single.latest(9)).duration(40).renegotiate());
        assertThat(longer.parts()).containsExactly(new Part(new Slot(0, 40), 4, Optional.of(PeSet.range(0, 4)), 4));
    }

    @Test
    void aMoldableRunKeepsItsShapeWhenItBecomesLonger() {
        var moldable = LiveCluster.of(4);
        moldable.grant(Request.of(1, 2, 100));
        moldable.grant(Request.of(9, 4, 10)
                .moldable(new Moldability.Function(2, 4, Speedup.LINEAR, Optional.empty(), AllowedPes.ANY))
                .deadline(100));
        moldable.advance();
        assertThat(moldable.latest(9).parts()).extracting(Part::slot).containsExactly(new Slot(0, 20));
        var asAgreed = Request.like(moldable.latest(9));

        assertThat(moldable.at(5).grant(asAgreed.duration(12).renegotiate()).slot())
                .isEqualTo(new Slot(0, 24));
        assertThat(moldable.refusedField(asAgreed.duration(51).renegotiate())).isEqualTo("duration");
        assertThat(moldable.refusedField(asAgreed.duration(2).renegotiate())).isEqualTo("duration");
        assertThat(moldable.refusedField(asAgreed.rigid().renegotiate())).isEqualTo("moldability");
    }

    private List<Slot> slots() {
        return run().parts().stream().map(Part::slot).toList();
    }
}
