package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Binding;
import berth.pricing.Tariff;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Currency;
import org.junit.jupiter.api.Test;

class ChangeClusterTest {

    private static final Tariff EUROS = Tariff.STANDARD
            .with("currency", Currency.getInstance("EUR"))
            .with("pricePerPeHour", new BigDecimal("36"))
            .with("premiumFactor", BigDecimal.ONE)
            .with("flexibilityDiscount", BigDecimal.ZERO)
            .with("latenessDiscount", BigDecimal.ZERO)
            .with("latenessScale", BigDecimal.ONE)
            .with("renegotiationSurcharge", BigDecimal.ZERO);

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void isTheNextVersion() {
        var after = SampleCluster.of(8).horizon(500).cluster();

        var events = cluster.at(5).happens(new ChangeCluster(cluster.schedule().cluster(), after));

        assertThat(events).containsExactly(new ClusterEvent(after.inVersion(1), 5));
        assertThat(cluster.schedule().cluster()).isEqualTo(after.inVersion(1));
        assertThat(cluster.schedule().cluster().version()).isEqualTo(1);
    }

    @Test
    void changesNothingIfItIsTheSame() {
        assertThat(cluster.change(SampleCluster.of(8))).isEmpty();
        assertThat(cluster.schedule().cluster().version()).isZero();
    }

    @Test
    void isRejectedIfTheClusterHasChanged() {
        var before = cluster.schedule().cluster();
        cluster.change(SampleCluster.of(8).horizon(500));

        assertThat(cluster.refuse(
                        new ChangeCluster(before, SampleCluster.of(8).notice(5).cluster())))
                .isEqualTo(new Rejection.StaleVersion(1));
    }

    @Test
    void appliesToLaterDecisions() {
        var agreed = cluster.grant(Request.of(1, 8, 100));

        cluster.change(now().horizon(500).leadTime(200).maxDuration(50).reservableShare("0.5"));

        assertThat(cluster.find(agreed.id())).isEqualTo(agreed);
        assertThat(cluster.refusedField(Request.of(2, 4, 51))).isEqualTo("duration");
        assertThat(cluster.grant(Request.of(2, 4, 50)).slot()).isEqualTo(new Slot(200, 250));
    }

    @Test
    void changesTheBindingOnlyWhileNothingIsReserved() {
        var early = now().bound(Binding.EARLY).pes(4);
        cluster.grant(Request.of(1, 8, 100));
        assertThat(refused(early)).isEqualTo(new Rejection.InUse("binding"));
        cluster.grant(new Cancel(Request.target(1)));
        cluster.lose(LiveCluster.outage(1, 1, 500, 600));
        assertThat(refused(early)).isEqualTo(new Rejection.InUse("binding"));
        cluster.happens(new EndOutage(LiveCluster.outageId(1)));

        cluster.change(early);

        cluster.grant(Request.of(2, 3, 100));
        assertThat(cluster.peIds(2)).isEqualTo("0-2");
    }

    @Test
    void leavesAgreedPricesAsTheyAre() {
        var agreed = cluster.grant(Request.of(1, 8, 100));

        cluster.change(now().tariff(Tariff.STANDARD));

        assertThat(cluster.find(agreed.id()).price()).isEqualTo(Request.usd("8.00"));
        assertThat(cluster.grant(Request.of(2, 8, 450).ready(100).deadline(550)).price())
                .isEqualTo(Request.usd("1.00"));
    }

    @Test
    void leavesSpeedAndCurrencyAloneWhileAnythingIsReserved() {
        cluster.grant(Request.of(1, 8, 100));

        assertThat(refused(now().rating("2"))).isEqualTo(new Rejection.InUse("rating"));
        assertThat(refused(now().tariff(EUROS))).isEqualTo(new Rejection.InUse("tariff.currency"));

        cluster.grant(new Cancel(Request.target(1)));
        cluster.change(now().rating("2"));
        cluster.change(now().tariff(EUROS));

        assertThat(cluster.grant(Request.of(2, 8, 100)).price()).hasToString("4.00 EUR");
    }

    @Test
    void retiresOnlyAClusterAtRest() {
        cluster.grant(Request.of(1, 8, 100));
        cluster.lose(LiveCluster.outage(1, 1, 500, 600));
        assertThat(refused(now().retired())).isEqualTo(new Rejection.NotAtRest(1, 0, 0, 1));
        cluster.grant(new Cancel(Request.target(1)));
        cluster.at(500).happens(new AdvanceClock(1));

        cluster.change(now().retired());

        assertThat(cluster.refuse(Request.of(2, 1, 10).reserve())).isEqualTo(new Rejection.Retired());
        cluster.change(now().open());
        cluster.grant(Request.of(2, 1, 10));
    }

    @Test
    void mayAddPes() {
        cluster.grant(Request.of(1, 6, 100));

        cluster.change(now().pes(12));

        assertThat(cluster.schedule().profile().free(0)).isEqualTo(6);
        assertThat(cluster.schedule().profile().capacity()).isEqualTo(12);
        assertThat(cluster.grant(Request.of(2, 6, 100)).slot()).isEqualTo(new Slot(0, 100));
    }

    @Test
    void takesPesAwayAsAnOutageWithoutEndDoes() {
        cluster.grant(Request.of(1, 4, 10).start(500).deadline(600));
        cluster.grant(Request.of(2, 4, 10).start(500).deadline(700));
        cluster.grant(Request.of(3, 6, 10).atAnyTime().start(550));

        var events = cluster.at(5).change(now().pes(4));

        assertThat(events)
                .extracting(Event::type)
                .containsExactly(Event.Type.MOVED, Event.Type.FAILED, Event.Type.CLUSTER_CHANGED);
        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(500, 510));
        assertThat(cluster.latest(2).slot()).isEqualTo(new Slot(5, 15));
        assertThat(cluster.latest(3).state()).isEqualTo(ReservationState.FAILED);
        assertThat(cluster.schedule().profile().capacity()).isEqualTo(4);
        assertThat(cluster.refuse(Request.of(4, 5, 10))).isInstanceOf(Rejection.NeverFits.class);
    }

    @Test
    void keepsRunningReservationsThatFit() {
        cluster.grant(Request.of(1, 4, 100));
        cluster.at(50).advance();

        cluster.change(now().pes(4));

        assertThat(cluster.find(Request.id(1)).state()).isEqualTo(ReservationState.RUNNING);
        assertThat(cluster.schedule().profile().free(99)).isZero();
    }

    @Test
    void movesByTheNewRules() {
        cluster.grant(Request.of(1, 4, 10).start(500).deadline(700));
        cluster.grant(Request.of(2, 4, 10).start(500).deadline(600));

        cluster.change(now().pes(4).notice(30));

        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(30, 40));
        assertThat(cluster.latest(1).placement().fixesAt()).isZero();
    }

    @Test
    void mayLeaveFewerPesThanOutagesClaim() {
        cluster.lose(LiveCluster.outage(1, 3, 200, 300));
        cluster.lose(LiveCluster.outage(2, 2, 400));

        cluster.change(now().pes(2));

        assertThat(cluster.schedule().profile().free(250)).isZero();
        assertThat(cluster.schedule().profile().free(350)).isEqualTo(2);
        cluster.change(now().pes(8));
        assertThat(cluster.schedule().profile().free(250)).isEqualTo(5);
        assertThat(cluster.schedule().profile().free(450)).isEqualTo(6);
    }

    private SampleCluster now() {
        return SampleCluster.like(cluster.schedule().cluster());
    }

    private Rejection refused(SampleCluster to) {
        return cluster.refuse(new ChangeCluster(cluster.schedule().cluster(), to.cluster()));
    }
}
