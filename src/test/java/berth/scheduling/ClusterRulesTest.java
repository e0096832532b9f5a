package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.batch.JobId;
import berth.outcome.Outcome;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.sla.AccountName;
import berth.sla.Violation;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The rules of a cluster; a probe gets the same answer as a reservation. */
class ClusterRulesTest {

    private static final AccountName ADA = new AccountName("ada");

    @Test
    void aFasterClusterNeedsLessTime() {
        var fast = LiveCluster.of(SampleCluster.of(8).rating("2"));

        var reservation = granted(fast, Request.of(1, 8, 31));

        assertThat(reservation).isEqualTo(new Slot(0, 16));
        assertThat(fast.latest(1).terms().duration()).isEqualTo(31);
        assertThat(fast.latest(1).price()).isEqualTo(Request.usd("1.28"));
    }

    @Test
    void aSlowerClusterNeedsMoreTime() {
        var slow = LiveCluster.of(SampleCluster.of(8).rating("0.4"));

        assertThat(granted(slow, Request.of(1, 8, 3))).isEqualTo(new Slot(0, 8));
        assertThat(slow.refusedField(Request.of(2, 8, 30).deadline(74))).isEqualTo("duration");
    }

    @Test
    void theLeadTimePassesBeforeTheStart() {
        var slow = LiveCluster.of(SampleCluster.of(8).leadTime(30)).at(5);

        assertThat(granted(slow, Request.of(1, 8, 10))).isEqualTo(new Slot(35, 45));
        assertThat(slow.grant(Request.of(2, 8, 10).hold(5)).slot()).isEqualTo(new Slot(45, 55));
        assertThat(slow.refusedField(Request.of(3, 8, 10).start(34))).isEqualTo("start");
        assertThat(slow.grant(Request.of(3, 8, 10).start(55)).slot()).isEqualTo(new Slot(55, 65));
    }

    @Test
    void theWindowMustReachBeyondTheLeadTime() {
        var slow = LiveCluster.of(SampleCluster.of(8).leadTime(30));

        assertThat(refused(slow, Request.of(1, 8, 10).deadline(39)))
                .isEqualTo(new Rejection.InvalidTerms(List.of(new Violation(
                        "deadline",
                        "leaves less than the cluster's lead time of 30 s before the start; choose a later one"))));
        assertThat(granted(slow, Request.of(1, 8, 10).deadline(40))).isEqualTo(new Slot(30, 40));
    }

    @Test
    void aRunIsNoLongerThanTheClusterAllows() {
        var strict = LiveCluster.of(SampleCluster.of(8).rating("2").maxDuration(10));

        assertThat(strict.refusedField(Request.of(1, 8, 21))).isEqualTo("duration");
        assertThat(refused(strict, Request.of(1, 8, 21))).isInstanceOf(Rejection.InvalidTerms.class);
        assertThat(granted(strict, Request.of(1, 8, 20))).isEqualTo(new Slot(0, 10));
    }

    @Test
    void theShareThatIsNotReservableStaysFree() {
        var shared = LiveCluster.of(SampleCluster.of(10).reservableShare("0.75"));

        assertThat(refused(shared, Request.of(1, 8, 10)))
                .isEqualTo(new Rejection.NeverFits(
                        new Violation("pes", "exceeds the 7 PEs of the cluster that can be reserved", 8.0 / 7)));
        assertThat(granted(shared, Request.of(1, 4, 10))).isEqualTo(new Slot(0, 10));
        assertThat(granted(shared, Request.of(2, 3, 10))).isEqualTo(new Slot(0, 10));
        assertThat(granted(shared, Request.of(3, 1, 10))).isEqualTo(new Slot(10, 20));
        assertThat(shared.refuse(Request.of(4, 1, 10).start(9))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void nothingIsReservableIfTheShareIsLessThanOnePe() {
        var shared = LiveCluster.of(SampleCluster.of(10).reservableShare("0.09"));

        assertThat(refused(shared, Request.of(1, 1, 10))).isInstanceOf(Rejection.NeverFits.class);
    }

    @Test
    void theClusterCarriesTheLabelsThatAreRequired() {
        var carrying = LiveCluster.of(SampleCluster.of(8).label("gpu", "a100"));

        assertThat(refused(carrying, Request.of(1, 8, 10).requires("gpu", "h100")))
                .isEqualTo(new Rejection.NeverFits(new Violation("requires", "the cluster does not carry gpu=h100")));
        assertThat(granted(carrying, Request.of(1, 8, 10).requires("gpu", "a100")))
                .isEqualTo(new Slot(0, 10));
    }

    @Test
    void aClosedClusterTakesNothing() {
        var closed = LiveCluster.of(SampleCluster.of(8).closed());

        assertThat(refused(closed, Request.of(1, 1, 10))).isEqualTo(new Rejection.Closed());
        assertThat(refused(closed, Request.of(1, 9, 10))).isInstanceOf(Rejection.NeverFits.class);
    }

    @Test
    void onlyAShareOfTheRunsIsBookedAhead() {
        var half = LiveCluster.of(SampleCluster.of(8).advanceShare("0.5"));

        assertThat(granted(half, Request.of(1, 1, 10).ready(20))).isEqualTo(new Slot(20, 30));
        assertThat(refused(half, Request.of(2, 1, 10).ready(40)))
                .isEqualTo(new Rejection.BookedAhead(1, 1, new BigDecimal("0.5")));
        assertThat(granted(half, Request.of(3, 8, 10))).isEqualTo(new Slot(0, 10));
        half.advance();
        assertThat(granted(half, Request.of(4, 1, 10).ready(40))).isEqualTo(new Slot(40, 50));
        assertThat(refused(half, Request.of(5, 1, 10)))
                .isEqualTo(new Rejection.BookedAhead(2, 3, new BigDecimal("0.5")));
        half.happens(new SubmitJob(new JobId(new UUID(0, 6)), ADA, Optional.empty(), 8, 10));
        half.happens(new SubmitJob(new JobId(new UUID(0, 7)), ADA, Optional.empty(), 8, 10));
        assertThat(half.grant(Request.of(8, 1, 10).ready(60)).slot()).isEqualTo(new Slot(60, 70));
    }

    /** Returns the slot that a probe chooses and a reservation then gets. */
    private static Slot granted(LiveCluster cluster, Request request) {
        var answer = cluster.ask(request.probe(9));
        assertThat(answer).isInstanceOf(Outcome.Done.class);
        var slot = cluster.grant(request).slot();
        assertThat(((Outcome.Done<Offers, Rejection>) answer)
                        .value().offers().stream().filter(Offer::chosen).map(Offer::slot))
                .containsExactly(slot);
        return slot;
    }

    /** Returns the reason why both are refused. */
    private static Rejection refused(LiveCluster cluster, Request request) {
        var reason = cluster.refuse(request);
        assertThat(cluster.ask(request.probe(9))).isEqualTo(new Outcome.NotDone<>(reason));
        return reason;
    }
}
