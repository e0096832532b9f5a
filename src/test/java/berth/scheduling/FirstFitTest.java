package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.Charge;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.Status;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.sla.Violation;
import berth.time.Slot;
import berth.time.Window;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FirstFitTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void startsAtOnceOnAnEmptyCluster() {
        assertThat(cluster.at(5).grant(Request.of(1, 8, 10)).slot()).isEqualTo(new Slot(5, 15));
    }

    @Test
    void startsAtTheReadyTime() {
        assertThat(cluster.grant(Request.of(1, 8, 10).ready(30)).slot()).isEqualTo(new Slot(30, 40));
    }

    @Test
    void sharesTheClusterAsLongAsThereArePes() {
        cluster.grant(Request.of(1, 5, 10));

        assertThat(cluster.grant(Request.of(2, 3, 10)).slot()).isEqualTo(new Slot(0, 10));
        assertThat(cluster.grant(Request.of(3, 1, 10)).slot()).isEqualTo(new Slot(10, 20));
    }

    @Test
    void passesOverGapsThatAreTooShort() {
        cluster.grant(Request.of(1, 8, 10).start(0));
        cluster.grant(Request.of(2, 8, 10).start(15));

        assertThat(cluster.grant(Request.of(3, 1, 6)).slot()).isEqualTo(new Slot(25, 31));
        assertThat(cluster.grant(Request.of(4, 8, 5)).slot()).isEqualTo(new Slot(10, 15));
    }

    @Test
    void endsByTheDeadlineOrFindsNoSlot() {
        cluster.grant(Request.of(1, 8, 10));

        assertThat(cluster.refuse(Request.of(2, 1, 10).deadline(19))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.grant(Request.of(2, 1, 10).deadline(20)).slot()).isEqualTo(new Slot(10, 20));
    }

    @Test
    void endsByTheHorizonOrFindsNoSlot() {
        cluster.grant(Request.of(1, 8, LiveCluster.HORIZON - 10));

        assertThat(cluster.refuse(Request.of(2, 1, 11))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.at(1).grant(Request.of(2, 1, 11)).slot()).isEqualTo(new Slot(990, 1001));
    }

    @Test
    void neverFitsAClusterThatIsTooSmall() {
        assertThat(cluster.refuse(Request.of(1, 9, 10)))
                .isEqualTo(new Rejection.NeverFits(
                        new Violation("pes", "exceeds the 8 PEs of the cluster that can be reserved", 9.0 / 8)));
    }

    @Test
    void isConfirmedOnTheTermsThatWereAskedForAtThePriceOfItsPlace() {
        cluster.grant(Request.of(1, 8, 4));

        assertThat(cluster.at(2).grant(Request.of(2, 5, 10).deadline(30)))
                .isEqualTo(new Reservation(
                        Request.id(2),
                        new ClusterId("sp2"),
                        new Origin(new AccountName("ada"), ServiceClass.STANDARD),
                        new Terms(
                                new Window(2, 30),
                                10,
                                List.of(new Shape(5, 10)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Map.of(),
                                Fixing.BY_NOTICE,
                                QosScenario.DEADLINE),
                        Placement.of(List.of(Part.whole(new Slot(4, 14), 5)), 4),
                        // 50 PE-seconds minus a tenth for a wait of a fifth of the duration
                        Charge.of(Request.usd("0.45")),
                        Status.confirmed(2),
                        Optional.empty()));
    }

    @Test
    void namesTheWrongFieldsOfTheTerms() {
        assertThat(cluster.refusedField(Request.of(1, 8, 0))).isEqualTo("duration");
        assertThat(cluster.refusedField(Request.of(1, 8, 10).deadline(0))).isEqualTo("deadline");
    }
}
