package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.cluster.Reshaping;
import berth.reservation.Reservation;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.Mobility;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Paper 003, section 3.1 and Algorithm 1. Places are written as PEs at seconds: {@code 4@[0,10) 2@[20,30)}. */
class ShapeSearchTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void theLargestShapeIsTakenWhereItFitsAtOnce() {
        assertThat(place(Request.of(9, 1, 1).shapes("8:20 4:40"))).isEqualTo("8@[0,20)");
    }

    @Test
    void aSmallerShapeIsTakenIfItIsDoneSooner() {
        cluster.grant(Request.of(1, 4, 100));

        assertThat(place(Request.of(9, 1, 1).shapes("8:20 4:40"))).isEqualTo("4@[0,40)");
        assertThat(place(Request.of(9, 1, 1).shapes("8:20 4:119"))).isEqualTo("4@[0,119)");
        assertThat(place(Request.of(9, 1, 1).shapes("8:20 4:121"))).isEqualTo("8@[100,120)");
    }

    @Test
    void amongShapesThatAreDoneAtOnceTheOneThatStartsFirstIsTaken() {
        cluster.grant(Request.of(1, 4, 100));

        assertThat(place(Request.of(9, 1, 1).shapes("8:20 4:120"))).isEqualTo("4@[0,120)");
        assertThat(place(Request.of(9, 1, 1).shapes("4:30 2:30"))).isEqualTo("4@[0,30)");
    }

    @Test
    void aShapeThatIsTooLongForTheWindowIsNotUsed() {
        cluster.grant(Request.of(1, 4, 100));

        assertThat(cluster.refuse(Request.of(9, 1, 1).shapes("8:20 4:40").deadline(39)))
                .isEqualTo(new Rejection.NoSlot());
        assertThat(place(Request.of(9, 1, 1).shapes("8:20 4:40").deadline(40))).isEqualTo("4@[0,40)");
    }

    @Test
    void aChosenStartGetsTheLargestShapeThatFitsThere() {
        cluster.grant(Request.of(1, 4, 100));
        var request = Request.of(9, 1, 1).shapes("8:20 4:40 2:50");

        assertThat(place(request.start(60))).isEqualTo("4@[60,100)");
        assertThat(place(request.start(100))).isEqualTo("8@[100,120)");
    }

    @Test
    void theTable1FunctionKeepsTheWorkOnlyAtItsEnds() {
        // R^max 20 for 100 s, R^min 16 for 125 s: c = 25/4, k = 225
        var moldability = new Moldability.Function(16, 20, Speedup.CHORD, Optional.empty(), AllowedPes.ANY);
        var large = LiveCluster.of(20);
        large.grant(Request.of(1, 3, 500));

        // 17 PEs: 225 - 106.25 = 118.75
        assertThat(place(large, Request.of(9, 20, 100).moldable(moldability))).isEqualTo("17@[0,119)");
    }

    // ---- Sp(N, I, M): steps of 10 s on 4 PEs or of 20 s on 2; free for 4 are [0,12), [20,31), [42,55) and from 70 on,
    // and
    // 2 more over [31,42) and [55,70)

    private final LiveCluster gaps = gaps(Binding.LATE);

    private static LiveCluster gaps(Binding binding) {
        var cluster = LiveCluster.of(SampleCluster.of(4).bound(binding));
        cluster.grant(Request.of(1, 4, 8).start(12));
        cluster.grant(Request.of(2, 2, 11).start(31));
        cluster.grant(Request.of(3, 2, 15).start(55));
        return cluster;
    }

    private static final Request FIFTY = Request.of(9, 1, 1).shapes("4:50 2:100");

    @Test
    void aRunThatMayNotBeSplitWaitsForRoomForAllOfIt() {
        assertThat(place(gaps, FIFTY)).isEqualTo("2@[20,120)");
        assertThat(place(gaps, Request.of(9, 4, 50))).isEqualTo("4@[70,120)");
    }

    @Test
    void partsOfOneShapeFillTheGaps() {
        // Sp(5, 20 %, false): two steps touch at 80, and are one
        assertThat(place(gaps, FIFTY.split(5, "0.2", false))).isEqualTo("4@[0,10) 4@[20,30) 4@[42,52) 4@[70,90)");
        assertThat(place(gaps, Request.of(9, 4, 50).split(5, "0.2", true)))
                .isEqualTo("4@[0,10) 4@[20,30) 4@[42,52) 4@[70,90)");
    }

    @Test
    void partsOfDifferentShapesFillTheGapsBetter() {
        // Sp(5, 20 %, true)
        assertThat(place(gaps, FIFTY.split(5, "0.2", true))).isEqualTo("4@[0,10) 4@[20,30) 2@[30,70) 4@[70,80)");
    }

    @Test
    void twoPartsAreOfDifferentLengthAndShape() {
        // Sp(2, 20 %, true): a step, and the rest in one piece
        assertThat(place(gaps, FIFTY.split(2, "0.2", true))).isEqualTo("4@[0,10) 2@[20,100)");
        assertThat(place(gaps, FIFTY.split(2, "0.2", false))).isEqualTo("4@[0,10) 4@[70,110)");
    }

    @Test
    void threePartsAreTheFirstTwoAndTheRestInOnePiece() {
        assertThat(place(gaps, FIFTY.split(3, "0.2", false))).isEqualTo("4@[0,10) 4@[20,30) 4@[70,100)");
    }

    @Test
    void aRunThatFitsInOnePieceIsNotSplit() {
        assertThat(place(gaps, FIFTY.split(5, "0.2", false).ready(80))).isEqualTo("4@[80,130)");
        assertThat(place(gaps, Request.of(9, 4, 10).split(5, "0.2", false))).isEqualTo("4@[0,10)");
    }

    @Test
    void aRunThatMayBeSplitIntoOnePartIsNotSplit() {
        assertThat(place(gaps, FIFTY.split(1, "0.2", true))).isEqualTo("2@[20,120)");
    }

    @Test
    void aSplitRunMustBeDoneByItsDeadline() {
        var request = FIFTY.split(5, "0.2", false);

        assertThat(place(gaps, request.deadline(90))).isEqualTo("4@[0,10) 4@[20,30) 4@[42,52) 4@[70,90)");
        assertThat(gaps.refuse(request.deadline(89))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void aChosenStartIsTheStartOfTheFirstPart() {
        var request = Request.of(9, 4, 50).split(5, "0.2", false);

        assertThat(place(gaps, request.start(2))).isEqualTo("4@[2,12) 4@[20,30) 4@[42,52) 4@[70,90)");
        assertThat(gaps.refuse(request.start(3))).isEqualTo(new Rejection.NoSlot());
        assertThat(place(gaps, request.start(75))).isEqualTo("4@[75,125)");
    }

    @Test
    void cutsAreRoundedUpToSeconds() {
        var cluster = LiveCluster.of(1);
        cluster.grant(Request.of(1, 1, 2).start(3));
        cluster.grant(Request.of(2, 1, 1).start(8));

        // 7 s in quarters are cut at 2, 4 and 6; in halves at 4
        assertThat(place(cluster, Request.of(9, 1, 7).split(4, "0.25", false))).isEqualTo("1@[0,2) 1@[5,7) 1@[9,12)");
        assertThat(place(cluster, Request.of(9, 1, 7).split(2, "0.5", false))).isEqualTo("1@[9,16)");
    }

    @Test
    void adjacentPartsStayOnTheirPesWithEarlyBinding() {
        var early = LiveCluster.of(SampleCluster.of(4).bound(Binding.EARLY));
        early.grant(Request.of(1, 1, 10).start(10));
        early.grant(Request.of(2, 1, 10).start(25));
        early.grant(Request.of(3, 3, 5).start(20));

        // PE 0 is taken over [10,20), 0 to 2 over [20,25), 0 over [25,35)
        var split = early.grant(Request.of(9, 3, 30).split(5, "0.2", false));

        assertThat(written(split)).isEqualTo("3@[0,6) 3@[6,18) 3@[25,37)");
        assertThat(split.parts())
                .extracting(part -> part.peIds().orElseThrow().toString())
                .containsExactly("0-2", "1-3", "1-3");
    }

    @Test
    void thePolicyChoosesOnlyForRunsInOnePiece() {
        var worst = LiveCluster.of(SampleCluster.of(4).placement(PlacementPolicy.PE_WORST_FIT));
        worst.grant(Request.of(1, 2, 20).start(0));

        assertThat(place(worst, Request.of(9, 2, 10).atAnyTime())).isEqualTo("2@[20,30)");
        assertThat(place(worst, Request.of(9, 2, 10).atAnyTime().split(2, "0.5", false)))
                .isEqualTo("2@[20,30)");
    }

    // ---- figure 1: C must end sooner. Seven PEs; A runs on four of them until 20, B waits for all of them, F has all
    // from 45 to 50 for
    // good. C needs four for 10 s and would get them from 50 on. The figure is lost except for its caption, so these
    // numbers are our own.

    private static final SampleCluster SEVEN =
            SampleCluster.of(7).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST);

    private final LiveCluster seven = LiveCluster.of(SEVEN);

    private static final Request C = Request.of(3, 4, 10);

    private void waiting(Request b) {
        seven.grant(Request.of(1, 4, 20));
        seven.advance();
        seven.grant(b);
        seven.grant(Request.of(4, 7, 5).start(45).fixAfter("0"));
    }

    @Test
    void cWaitsBehindB() {
        waiting(Request.of(2, 7, 20).deadline(70));

        assertThat(written(seven.grant(C))).isEqualTo("4@[50,60)");
        assertThat(latest(2)).isEqualTo("7@[20,40)");
    }

    @Test
    void movingBLetsCStartSooner() {
        waiting(Request.of(2, 7, 20).deadline(70));

        seven.happens(C.deadline(30).reserve());

        assertThat(latest(3)).isEqualTo("4@[20,30)");
        assertThat(latest(2)).isEqualTo("7@[50,70)");
    }

    @Test
    void moldingBLetsCStartSoonerIfBCannotWait() {
        waiting(Request.of(2, 7, 20).shapes("7:20 3:41").deadline(60));

        seven.happens(C.deadline(30).reserve());

        assertThat(latest(3)).isEqualTo("4@[20,30)");
        assertThat(latest(2)).isEqualTo("3@[0,41)");
    }

    @Test
    void aShapeIsKeptWhereThereIsRoomForItAndItChangesOnlyWhereNeeded() {
        seven.change(SEVEN.reshaping(Reshaping.WHERE_NEEDED));
        waiting(Request.of(2, 7, 20).shapes("7:20 3:41").deadline(70));

        seven.happens(C.deadline(30).reserve());

        assertThat(latest(2)).isEqualTo("7@[50,70)");
    }

    @Test
    void aMovedRunWhoseShapeDoesNotFitGetsTheShapeThatEndsFirst() {
        waiting(Request.of(2, 7, 20).shapes("7:20 3:41").deadline(70));

        seven.happens(C.deadline(30).reserve());

        assertThat(latest(2)).isEqualTo("3@[0,41)");
    }

    @Test
    void aMovedRunThatChangesItsShapeCostsNoMore() {
        var eight =
                LiveCluster.of(SampleCluster.of(8).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        var before =
                eight.grant(Request.of(1, 8, 20).shapes("8:20 4:41").ready(10).deadline(110));

        eight.happens(Request.of(2, 4, 40).ready(10).deadline(50).reserve());

        var after = eight.schedule().find(Request.id(1)).orElseThrow();
        assertThat(after.parts()).containsExactly(Part.whole(new Slot(10, 51), 4));
        assertThat(after.price()).isEqualTo(before.price());
        assertThat(eight.schedule().prices(after.origin().customer()).of(after.terms(), after.parts(), Mobility.ALL))
                .matches(fresh -> fresh.exceeds(before.price()));
    }

    @Test
    void splittingBLetsCStartSoonerWhereBCannotWait() {
        waiting(Request.of(2, 7, 20).split(2, "0.5", false).deadline(60));

        seven.happens(C.deadline(30).reserve());

        assertThat(latest(3)).isEqualTo("4@[20,30)");
        assertThat(latest(2)).isEqualTo("7@[30,40) 7@[50,60)");
    }

    @Test
    void splittingAndMoldingBLetsCStartSoonerWhereNeitherAloneDoes() {
        waiting(Request.of(2, 7, 20)
                .ready(1)
                .shapes("7:20 3:46")
                .split(2, "0.5", true)
                .deadline(45));
        assertThat(latest(2)).isEqualTo("3@[1,24) 7@[24,34)");

        seven.happens(C.deadline(32).reserve());

        assertThat(latest(3)).isEqualTo("4@[20,30)");
        assertThat(latest(2)).isEqualTo("3@[1,24) 7@[30,40)");
    }

    @Test
    void moldingCLetsItStartAtOnce() {
        waiting(Request.of(2, 7, 20).deadline(70));

        assertThat(written(seven.grant(C.shapes("4:10 3:14")))).isEqualTo("3@[0,14)");
        assertThat(latest(2)).isEqualTo("7@[20,40)");
    }

    private String latest(int number) {
        return written(seven.latest(number));
    }

    private String place(Request request) {
        return place(cluster, request);
    }

    private static String place(LiveCluster cluster, Request request) {
        var decision = request.reserve().decide(new Basis(cluster.schedule(), 0));
        assertThat(decision).isInstanceOf(Decision.Accepted.class);
        var event = ((Decision.Accepted) decision).events().getLast();
        return written(((ReservationEvent) event).reservation());
    }

    private static String written(Reservation reservation) {
        return String.join(
                " ",
                reservation.parts().stream()
                        .map(part -> "%d@[%d,%d)"
                                .formatted(
                                        part.pes(),
                                        part.slot().start(),
                                        part.slot().end()))
                        .toList());
    }
}
