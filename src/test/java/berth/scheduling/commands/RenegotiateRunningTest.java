package berth.scheduling.commands;

import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.Reservation;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.time.Slot;
import berth.time.Window;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Four PEs that run from 20 to 30, with time until 100; agreed at 0 for 0.20 USD, and now it is 25. */
class RenegotiateRunningTest {

    private final LiveCluster cluster = LiveCluster.of(8);
    private final Reservation running;
    private final Request asAgreed;

    RenegotiateRunningTest() {
        cluster.grant(Request.of(1, 4, 10).ready(0).deadline(100).start(20));
        cluster.at(20).advance();
        running = cluster.find(Request.id(1));
        asAgreed = Request.like(running);
        cluster.at(25);
    }

    @Test
    void goesOnIntoFreeTime() {
        var longer = cluster.grant(asAgreed.duration(40).renegotiate());

        assertThat(longer.slot()).isEqualTo(new Slot(20, 60));
        assertThat(cluster.schedule().nextDue())
                .hasValue(new AgendaItem(60, What.RUN_ENDS, longer.id().value()));
        assertThat(cluster.schedule().profile().free(59)).isEqualTo(4);
    }

    @Test
    void neverGoesOnIntoTakenTime() {
        cluster.grant(Request.of(2, 5, 10).start(40));

        assertThat(cluster.refuse(asAgreed.duration(21).renegotiate())).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.find(running.id())).isEqualTo(running);
        assertThat(cluster.grant(asAgreed.duration(20).renegotiate()).slot()).isEqualTo(new Slot(20, 40));
    }

    @Test
    void neverGoesOnForLongerThanTheClusterAllowsOnItsPes() {
        var cluster = LiveCluster.of(SampleCluster.of(4).maxDuration(250));
        cluster.grant(Request.of(1, 2, 150).ready(0).deadline(150));
        var molded = Request.of(2, 4, 100)
                .moldable(new Moldability.Function(2, 4, Speedup.LINEAR, Optional.empty(), AllowedPes.ANY));
        cluster.grant(molded.ready(0).deadline(240));
        cluster.advance();
        cluster.grant(new Complete(Request.target(1)));

        var onTwo = Request.like(cluster.find(Request.id(2)));
        assertThat(cluster.find(Request.id(2)).parts().getFirst().pes()).isEqualTo(2);
        assertThat(cluster.refusedField(onTwo.duration(150).deadline(1_000).renegotiate()))
                .isEqualTo("duration");
    }

    @Test
    void endsEarlier() {
        var shorter = cluster.grant(asAgreed.duration(6).renegotiate());

        assertThat(shorter.slot()).isEqualTo(new Slot(20, 26));
        assertThat(cluster.schedule().profile().free(26)).isEqualTo(8);
    }

    @Test
    void doesNotEndInThePast() {
        assertThat(cluster.refusedField(asAgreed.duration(5).renegotiate())).isEqualTo("duration");
    }

    @Test
    void endsByItsDeadlineWhichMayBeLoosened() {
        assertThat(cluster.refusedField(asAgreed.duration(81).renegotiate())).isEqualTo("duration");
        assertThat(cluster.refusedField(asAgreed.deadline(29).renegotiate())).isEqualTo("duration");

        assertThat(cluster.grant(asAgreed.duration(81).deadline(101).renegotiate())
                        .slot())
                .isEqualTo(new Slot(20, 101));
    }

    @Test
    void changesNothingButItsEndAndHasNoMorePes() {
        assertThat(cluster.refusedField(asAgreed.pes(5).renegotiate())).isEqualTo("pes");
        assertThat(cluster.refusedField(asAgreed.ready(20).renegotiate())).isEqualTo("readyTime");
        assertThat(cluster.refusedField(asAgreed.readyAtOnce().renegotiate())).isEqualTo("readyTime");
        assertThat(cluster.refusedField(asAgreed.fixBefore(5).renegotiate())).isEqualTo("fixBefore");
        assertThat(cluster.refusedField(asAgreed.fixAfter("0.5").renegotiate())).isEqualTo("fixAfter");
    }

    @Test
    void keepsTheLabelsItRequires() {
        var rich = LiveCluster.of(SampleCluster.of(8).label("gpu", "a100"));
        rich.grant(Request.of(1, 4, 10).deadline(100));
        rich.advance();

        assertThat(rich.refusedField(
                        Request.like(rich.latest(1)).requires("gpu", "a100").renegotiate()))
                .isEqualTo("requires");
    }

    @Test
    void costsMoreIfItTakesMore() {
        // 0.80 for the additional 20 s, plus a tenth, plus 0.20
        assertThat(cluster.grant(asAgreed.duration(30).deadline(120).renegotiate())
                        .price())
                .isEqualTo(usd("1.08"));
    }

    @Test
    void costsAsMuchIfItTakesUpItsSlack() {
        assertThat(cluster.grant(asAgreed.duration(30).renegotiate()).price()).isEqualTo(usd("1.08"));
    }

    @Test
    void becomesNoCheaperIfReturnedTimeIsOwed() {
        assertThat(cluster.grant(asAgreed.duration(6).renegotiate()).price()).isEqualTo(usd("0.20"));
        assertThat(cluster.grant(asAgreed.duration(6).deadline(500).renegotiate())
                        .price())
                .isEqualTo(usd("0.20"));
    }

    @Test
    void staysWithinItsBudget() {
        assertThat(cluster.refuse(asAgreed.duration(30).budget("1.07").renegotiate()))
                .isEqualTo(new Rejection.OverBudget(usd("1.08"), usd("1.07")));
        assertThat(cluster.grant(asAgreed.duration(30).budget("1.08").renegotiate())
                        .price())
                .isEqualTo(usd("1.08"));
    }

    @Test
    void mayLoosenTheDeadlineAlone() {
        var loosened = cluster.grant(asAgreed.deadline(500).renegotiate());

        assertThat(loosened.slot()).isEqualTo(running.slot());
        assertThat(loosened.terms().window()).isEqualTo(new Window(0, 500));
    }

    @Test
    void mustStillBeClaimed() {
        var strict = LiveCluster.of(SampleCluster.of(8).claimWithin(5));
        strict.grant(Request.of(1, 4, 10).deadline(100));
        strict.advance();

        var longer = strict.grant(Request.like(strict.latest(1)).duration(30).renegotiate());
        assertThat(longer.due())
                .hasValue(new AgendaItem(5, What.CLAIM_LAPSES, longer.id().value()));

        var shorter = strict.grant(Request.like(longer).duration(4).renegotiate());
        assertThat(shorter.due())
                .hasValue(new AgendaItem(4, What.RUN_ENDS, shorter.id().value()));
    }

    @Test
    void mayEndEarlierOnAClosedClusterButNotLater() {
        cluster.change(SampleCluster.of(8).closed());

        assertThat(cluster.refuse(asAgreed.duration(11).renegotiate())).isEqualTo(new Rejection.Closed());
        assertThat(cluster.grant(asAgreed.duration(9).renegotiate()).slot()).isEqualTo(new Slot(20, 29));
    }

    @Test
    void leavesTheShareThatIsNotReservableWhereItGoesOn() {
        cluster.grant(Request.of(2, 4, 5).start(25));
        cluster.grant(Request.of(3, 1, 10).start(40));
        cluster.change(SampleCluster.of(8).reservableShare("0.5"));

        assertThat(cluster.refuse(asAgreed.duration(21).renegotiate())).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.grant(asAgreed.duration(20).renegotiate()).slot()).isEqualTo(new Slot(20, 40));
    }
}
