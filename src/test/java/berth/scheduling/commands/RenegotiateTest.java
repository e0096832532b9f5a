package berth.scheduling.commands;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.Target;
import berth.scheduling.commands.Fix.Wish;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.time.Slot;
import berth.time.Window;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Four PEs for ten seconds from 20 on, between 0 and 100; agreed at 0 for 0.20 USD. */
class RenegotiateTest {

    private final LiveCluster cluster = LiveCluster.of(8);
    private final Reservation agreed =
            cluster.grant(Request.of(1, 4, 10).ready(0).deadline(100).start(20));
    private final Request asAgreed = Request.like(agreed);

    @Test
    void keepsItsPlaceIfItCan() {
        var renegotiated = cluster.at(5).grant(asAgreed.pes(8).deadline(120).renegotiate());

        assertThat(renegotiated.slot()).isEqualTo(agreed.slot());
        assertThat(renegotiated.terms().pes()).isEqualTo(8);
        assertThat(renegotiated.terms().window()).isEqualTo(new Window(0, 120));
        assertThat(renegotiated.status().version()).isEqualTo(1);
        assertThat(cluster.schedule().profile().free(20)).isZero();
    }

    @Test
    void isRecordedAsAnEvent() {
        var events = cluster.at(5).happens(asAgreed.pes(8).renegotiate());

        assertThat(events).containsExactly(new ReservationEvent(Event.Type.RENEGOTIATED, cluster.find(agreed.id()), 5));
    }

    @Test
    void getsTheFirstFitIfItsPlaceIsTaken() {
        cluster.grant(Request.of(2, 4, 10).start(22));

        var renegotiated = cluster.at(5).grant(asAgreed.pes(8).renegotiate());

        assertThat(renegotiated.slot()).isEqualTo(new Slot(5, 15));
        assertThat(cluster.schedule().nextDue().orElseThrow().at()).isEqualTo(5);
    }

    @Test
    void getsTheFirstFitIfItsPlaceLiesOutsideTheNewWindow() {
        assertThat(cluster.at(5).grant(asAgreed.ready(30).renegotiate()).slot()).isEqualTo(new Slot(30, 40));
        assertThat(cluster.grant(asAgreed.deadline(35).renegotiate()).slot()).isEqualTo(new Slot(5, 15));
    }

    @Test
    void mayUseItsOwnRoom() {
        cluster.grant(Request.of(2, 4, 10).start(20));
        cluster.grant(Request.of(3, 8, 15).start(30));

        assertThat(cluster.at(18)
                        .grant(asAgreed.ready(19).duration(11).renegotiate())
                        .slot())
                .isEqualTo(new Slot(19, 30));
    }

    @Test
    void isRejectedWithoutRoomAndKeepsTheOldTerms() {
        cluster.grant(Request.of(2, 1, 80).start(15));
        var before = cluster.schedule();

        assertThat(cluster.at(6).refuse(asAgreed.pes(8).renegotiate())).isEqualTo(new Rejection.NoSlot());

        assertThat(cluster.schedule()).isSameAs(before);
        assertThat(cluster.find(agreed.id())).isEqualTo(agreed);
    }

    @Test
    void isRejectedNamingTheWrongFields() {
        assertThat(cluster.refusedField(asAgreed.duration(101).renegotiate())).isEqualTo("duration");
        assertThat(cluster.refusedField(asAgreed.duration(0).renegotiate())).isEqualTo("duration");
        assertThat(cluster.refuse(asAgreed.pes(9).renegotiate())).isInstanceOf(Rejection.NeverFits.class);
        assertThat(cluster.refuse(asAgreed.requires("gpu", "a100").renegotiate()))
                .isInstanceOf(Rejection.NeverFits.class);
    }

    @Test
    void changesNothingIfTheTermsAreTheSame() {
        var before = cluster.schedule();

        assertThat(cluster.at(5).happens(asAgreed.renegotiate())).isEmpty();
        assertThat(cluster.schedule()).isSameAs(before);
    }

    @Test
    void keepsAReadyTimeThatHasPassed() {
        var late = cluster.grant(Request.of(2, 4, 10).ready(0).deadline(300).start(200));

        var renegotiated = cluster.at(190).grant(Request.like(late).pes(2).renegotiate());

        assertThat(renegotiated.terms().window()).isEqualTo(new Window(0, 300));
        assertThat(renegotiated.slot()).isEqualTo(late.slot());
        assertThat(cluster.refusedField(Request.like(late).ready(1).renegotiate()))
                .isEqualTo("readyTime");
    }

    @Test
    void neverStartsInThePast() {
        cluster.grant(Request.of(2, 4, 60).start(30));

        assertThat(cluster.at(15)
                        .grant(asAgreed.pes(8).duration(11).renegotiate())
                        .slot())
                .isEqualTo(new Slot(15, 26));
    }

    @Test
    void staysWhereItIsIfItsFreedomIsTakenAway() {
        var renegotiated =
                cluster.at(5).grant(asAgreed.readyAtOnce().noDeadline().renegotiate());

        assertThat(renegotiated.terms().window()).isEqualTo(new Window(20, 30));
        assertThat(renegotiated.terms().scenario()).isEqualTo(QosScenario.STRICT);
    }

    @Test
    void costsTheLesserPriceIfItIsLooser() {
        assertThat(cluster.grant(asAgreed.deadline(200).renegotiate()).price()).isEqualTo(usd("0.20"));
        // new: 0.40 x (1 - 0.5 x 1)
        var dear = cluster.grant(Request.of(2, 4, 10).ready(50).deadline(100).start(50));
        assertThat(dear.price()).isEqualTo(usd("0.40"));
        assertThat(cluster.grant(Request.like(dear).ready(40).renegotiate()).price())
                .isEqualTo(usd("0.20"));
    }

    @Test
    void isTighterIfTheWindowIsShifted() {
        // new: 0.40 x (1 - 0.5 x 5/10) = 0.30, and a tenth
        assertThat(cluster.grant(asAgreed.ready(15).deadline(200).renegotiate()).price())
                .isEqualTo(usd("0.33"));
    }

    @Test
    void earnsNothingByFlexibilityThatCannotBeUsedAnyMore() {
        var strict = cluster.grant(Request.of(2, 4, 10).ready(50).deadline(60));
        assertThat(strict.price()).isEqualTo(usd("0.40"));
        cluster.grant(new Fix(Request.target(2), Fix.Wish.OWNERS));

        assertThat(cluster.grant(Request.like(strict).ready(10).deadline(100).renegotiate())
                        .price())
                .isEqualTo(usd("0.40"));
    }

    @Test
    void costsTheGreaterPriceWithTheSurchargeIfItIsTighter() {
        // new: 0.20
        assertThat(cluster.grant(asAgreed.deadline(50).renegotiate()).price()).isEqualTo(usd("0.22"));
        // new: 0.40
        assertThat(cluster.grant(Request.like(cluster.latest(1)).ready(20).renegotiate())
                        .price())
                .isEqualTo(usd("0.44"));
    }

    @Test
    void costsTheAgreedPriceInProportionToTheWork() {
        assertThat(cluster.grant(asAgreed.pes(8).renegotiate()).price()).isEqualTo(usd("0.40"));
        assertThat(cluster.grant(asAgreed.pes(2).renegotiate()).price()).isEqualTo(usd("0.10"));
        // new: 0.80 x 0.5 for the double duration, in as much more time
        assertThat(cluster.grant(asAgreed.duration(20).deadline(110).renegotiate())
                        .price())
                .isEqualTo(usd("0.40"));
    }

    @Test
    void isPricedByTheAgreedServiceClass() {
        var premium = cluster.grant(Request.of(2, 4, 10).ready(20).deadline(30).premium());
        assertThat(premium.price()).isEqualTo(usd("1.20"));

        assertThat(cluster.grant(Request.like(premium).pes(1).renegotiate()).price())
                .isEqualTo(usd("0.30"));
    }

    @Test
    void goesWhereTheBudgetAllows() {
        var early = cluster.grant(Request.of(2, 2, 10).ready(0).deadline(100).start(5));
        assertThat(early.price()).isEqualTo(usd("0.15"));

        // at its place 0.30, at 8 0.24 and at 7 0.26
        var renegotiated =
                cluster.at(1).grant(Request.like(early).pes(4).budget("0.25").renegotiate());

        assertThat(renegotiated.slot()).isEqualTo(new Slot(8, 18));
        assertThat(renegotiated.price()).isEqualTo(usd("0.24"));
    }

    /** Its place has been final since 50 and costs the full price; any other place is not final. */
    @Test
    void getsTheEarliestPlaceThatItCanPayThoughItCannotPayToStay() {
        var waiting = cluster.grant(
                Request.of(2, 1, 50).ready(90).deadline(170).fixAfter("0.5").start(100));
        var shorter = Request.like(waiting).deadline(160);

        var earlier = cluster.at(60).grant(shorter.budget("0.53").renegotiate());

        // 0.55 with the surcharge, minus 0.00275 for each second after the ready time
        assertThat(earlier.slot()).isEqualTo(new Slot(98, 148));
        assertThat(earlier.price()).isEqualTo(usd("0.53"));
    }

    @Test
    void mayReturnToItsStartWithTheFreedomOfANewPlace() {
        var waiting = cluster.grant(
                Request.of(2, 1, 50).ready(90).deadline(170).fixAfter("0.5").start(100));
        cluster.grant(Request.of(3, 8, 40).start(60));

        var there = cluster.at(60)
                .grant(Request.like(waiting).deadline(160).budget("0.53").renegotiate());

        assertThat(there.slot()).isEqualTo(new Slot(100, 150));
        assertThat(there.price()).isEqualTo(usd("0.53"));
        assertThat(there.placement().fixesAt()).isEqualTo(80);
    }

    @Test
    void isRefusedIfItIsOverBudgetEverywhere() {
        assertThat(cluster.refuse(asAgreed.pes(8).budget("0.39").renegotiate()))
                .isInstanceOf(Rejection.OverBudget.class);
        assertThat(cluster.grant(asAgreed.pes(8).budget("0.40").renegotiate()).price())
                .isEqualTo(usd("0.40"));
    }

    @Test
    void isRejectedIfTheGivenVersionIsStale() {
        cluster.grant(new Fix(Request.target(1), Wish.OWNERS));
        var first = new Target(agreed.id(), OptionalInt.of(0));

        assertThat(cluster.refuse(new Renegotiate(first, asAgreed.pes(2).terms())))
                .isEqualTo(new Rejection.StaleVersion(1));
    }

    @Test
    void isRejectedForHoldsAndEndedReservations() {
        var held = cluster.grant(Request.of(2, 4, 10).start(50).hold(20));
        cluster.grant(new Cancel(Request.target(1)));

        assertThat(cluster.refuse(Request.like(held).pes(2).renegotiate()))
                .isEqualTo(new Rejection.WrongState(ReservationState.HELD));
        assertThat(cluster.refuse(asAgreed.pes(2).renegotiate())).isEqualTo(new Rejection.NotLive(agreed.id()));
    }

    @Test
    void keepsItsTimeOfFixingIfItStays() {
        var patient = LiveCluster.of(SampleCluster.of(8).notice(10));
        var waiting = patient.grant(Request.of(1, 4, 10).ready(0).deadline(100).start(50));

        assertThat(patient.at(20)
                        .grant(Request.like(waiting).pes(8).renegotiate())
                        .placement())
                .isEqualTo(Placement.of(List.of(Part.whole(new Slot(50, 60), 8)), 40));
        patient.at(25).grant(new Fix(Request.target(1), Wish.OWNERS));
        assertThat(patient.at(30)
                        .grant(Request.like(waiting).pes(2).renegotiate())
                        .placement())
                .isEqualTo(Placement.of(List.of(Part.whole(new Slot(50, 60), 2)), 25));
    }

    @Test
    void getsANewTimeOfFixingIfItMovesOrAsksForOne() {
        var patient = LiveCluster.of(SampleCluster.of(8).notice(10));
        var waiting = patient.grant(Request.of(1, 4, 10).ready(0).deadline(100).start(50));
        patient.grant(new Fix(Request.target(1), Wish.OWNERS));

        assertThat(patient.at(20)
                        .grant(Request.like(waiting).fixAfter("0.5").renegotiate())
                        .placement())
                .isEqualTo(Placement.of(List.of(Part.whole(new Slot(50, 60), 4)), 35));
        assertThat(patient.at(30)
                        .grant(Request.like(waiting).ready(60).renegotiate())
                        .placement())
                .isEqualTo(Placement.of(List.of(Part.whole(new Slot(60, 70), 4)), 50));
    }

    @Test
    void keepsItsPlaceAlthoughTheLeadTimeHasBegun() {
        var slow = LiveCluster.of(SampleCluster.of(8).leadTime(30));
        var waiting = slow.grant(Request.of(1, 4, 10).ready(0).deadline(200).start(50));
        slow.grant(Request.of(2, 4, 10).start(50));

        assertThat(slow.at(40).grant(Request.like(waiting).pes(2).renegotiate()).slot())
                .isEqualTo(new Slot(50, 60));
        assertThat(slow.grant(Request.like(waiting).pes(5).renegotiate()).slot())
                .isEqualTo(new Slot(70, 80));
    }

    @Test
    void takesNothingMoreOfAClosedCluster() {
        cluster.change(SampleCluster.of(8).closed());

        assertThat(cluster.refuse(asAgreed.pes(5).renegotiate())).isEqualTo(new Rejection.Closed());
        assertThat(cluster.refuse(asAgreed.duration(11).renegotiate())).isEqualTo(new Rejection.Closed());
        assertThat(cluster.refuse(asAgreed.ready(30).renegotiate())).isEqualTo(new Rejection.Closed());
        assertThat(cluster.grant(asAgreed.pes(3).duration(9).deadline(500).renegotiate())
                        .slot())
                .isEqualTo(new Slot(20, 29));
    }

    @Test
    void keepsPesThatAreNoLongerReservable() {
        cluster.grant(Request.of(2, 4, 10).start(20));
        cluster.change(SampleCluster.of(8).reservableShare("0.5"));

        assertThat(cluster.grant(asAgreed.pes(3).renegotiate()).slot()).isEqualTo(new Slot(20, 30));
        assertThat(cluster.grant(asAgreed.pes(3).duration(12).renegotiate()).slot())
                .isEqualTo(new Slot(20, 32));
        assertThat(cluster.grant(asAgreed.pes(4).duration(10).renegotiate()).slot())
                .isEqualTo(new Slot(0, 10));
    }

    @Test
    void laterRulesDoNotBindUnchangedTerms() {
        var gpu = SampleCluster.of(8).label("gpu", "a100");
        var rich = LiveCluster.of(gpu);
        var agreed = rich.grant(
                Request.of(1, 6, 20).requires("gpu", "a100").deadline(200).start(50));
        rich.change(SampleCluster.of(8).reservableShare("0.5").maxDuration(10));

        assertThat(rich.grant(Request.like(agreed).deadline(300).renegotiate()).slot())
                .isEqualTo(agreed.slot());
        var narrower = rich.grant(Request.like(rich.latest(1)).pes(5).renegotiate());
        assertThat(narrower.terms().pes()).isEqualTo(5);
        assertThat(rich.refuse(Request.like(narrower).pes(6).renegotiate())).isInstanceOf(Rejection.NeverFits.class);
        assertThat(rich.refusedField(Request.like(narrower).duration(21).renegotiate()))
                .isEqualTo("duration");
        assertThat(rich.refuse(Request.like(narrower).requires("gpu", "h100").renegotiate()))
                .isInstanceOf(Rejection.NeverFits.class);

        rich.change(SampleCluster.of(8).horizon(15));
        assertThat(rich.grant(Request.like(narrower).pes(4).renegotiate()).slot())
                .isEqualTo(agreed.slot());
    }
}
