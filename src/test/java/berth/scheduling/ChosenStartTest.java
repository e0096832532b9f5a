package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.sla.QosScenario;
import berth.time.Slot;
import berth.time.Window;
import org.junit.jupiter.api.Test;

class ChosenStartTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void isTakenAlthoughAnEarlierOneIsFree() {
        assertThat(cluster.grant(Request.of(1, 8, 10).start(30)).slot()).isEqualTo(new Slot(30, 40));
    }

    @Test
    void isRefusedIfTheClusterIsFullAnywhereInTheRun() {
        cluster.grant(Request.of(1, 8, 10).start(30));

        assertThat(cluster.refuse(Request.of(2, 1, 10).start(21))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.refuse(Request.of(2, 1, 10).start(39))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.grant(Request.of(2, 1, 10).start(20)).slot()).isEqualTo(new Slot(20, 30));
        assertThat(cluster.grant(Request.of(3, 1, 10).start(40)).slot()).isEqualTo(new Slot(40, 50));
    }

    @Test
    void mayBeTheReadyTimeOrTheLatestStart() {
        assertThat(cluster.grant(Request.of(1, 4, 10).ready(20).deadline(40).start(20))
                        .slot())
                .isEqualTo(new Slot(20, 30));
        assertThat(cluster.grant(Request.of(2, 4, 10).ready(20).deadline(40).start(30))
                        .slot())
                .isEqualTo(new Slot(30, 40));
    }

    @Test
    void mustLieInsideTheWindow() {
        var request = Request.of(1, 8, 10).ready(20).deadline(40);

        assertThat(cluster.refusedField(request.start(19))).isEqualTo("start");
        assertThat(cluster.refusedField(request.start(31))).isEqualTo("start");
        assertThat(cluster.refusedField(request.start(Long.MIN_VALUE))).isEqualTo("start");
        assertThat(cluster.refusedField(request.start(Long.MAX_VALUE))).isEqualTo("start");
    }

    @Test
    void isNotInThePastEvenIfTheReadyTimeIs() {
        assertThat(cluster.at(30).refusedField(Request.of(1, 8, 10).ready(20).start(20)))
                .isEqualTo("start");
    }

    /** A client may leave the ready time out. */
    @Test
    void anOmittedReadyTimeDoesNotAppearInObjections() {
        assertThat(objection(cluster.at(30), Request.of(1, 8, 10).start(20))).isEqualTo("must not lie in the past");
        assertThat(objection(cluster.at(30), Request.of(1, 8, 10).ready(40).start(35)))
                .isEqualTo("must not lie before the ready time");
        assertThat(objection(
                        cluster.at(30),
                        Request.of(1, 8, 10).ready(40).deadline(60).start(55)))
                .isEqualTo("must leave the run time before the deadline");
        assertThat(objection(cluster.at(30), Request.of(1, 8, 10).start(30).hold(5)))
                .isEqualTo("must lie in the future, because a hold ends at its start at the latest");
    }

    private static String objection(LiveCluster cluster, Request request) {
        return ((Rejection.InvalidTerms) cluster.refuse(request.reserve()))
                .violations()
                .getFirst()
                .message();
    }

    @Test
    void leavesNoFreedomWithoutADeadline() {
        var reservation = cluster.grant(Request.of(1, 8, 10).ready(2).start(5));

        assertThat(reservation.terms().window()).isEqualTo(new Window(5, 15));
        assertThat(reservation.price()).isEqualTo(Request.usd("0.80"));
        assertThat(reservation.terms().scenario()).isEqualTo(QosScenario.STRICT);
    }

    @Test
    void isPricedByItsOwnStart() {
        assertThat(cluster.grant(Request.of(1, 8, 10).atAnyTime().start(5)).price())
                .isEqualTo(Request.usd("0.60"));
    }
}
