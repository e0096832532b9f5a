package berth.scheduling;

import static berth.reservation.ReservationState.CANCELLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.reservation.Due;
import berth.reservation.Event;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.time.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterScheduleTest {

    private final LiveCluster live = LiveCluster.of(8);
    private final Cluster cluster = live.schedule().cluster();
    private final Reservation first = live.grant(Request.of(1, 5, 10));
    private final Reservation second = live.grant(Request.of(2, 5, 10));

    @Test
    void isWhatItsReservationsMakeOfItInAnyOrder() {
        var rebuilt = ClusterSchedule.of(cluster, List.of(second, first));

        assertThat(rebuilt).isEqualTo(live.schedule()).hasSameHashCodeAs(live.schedule());
        assertThat(rebuilt.profile()).isEqualTo(live.schedule().profile());
        assertThat(rebuilt.nextDue()).isEqualTo(live.schedule().nextDue());
    }

    @Test
    void differsFromThatOfAnotherClusterOrOfOtherReservations() {
        assertThat(live.schedule())
                .isNotEqualTo(ClusterSchedule.of(cluster, List.of(first)))
                .isNotEqualTo(ClusterSchedule.of(
                        new Cluster("sp2", 9, cluster.horizon(), cluster.tariff()), List.of(first, second)));
    }

    @Test
    void refusesReservationsOfOtherClusters() {
        var other = new Cluster("blue", 8, 1_000, cluster.tariff());

        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(other, List.of(first)))
                .withMessageContaining("does not belong to the schedule of blue");
    }

    @Test
    void refusesAReservationThatIsThereTwice() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(cluster, List.of(first, first)))
                .withMessageContaining("is there twice");
    }

    @Test
    void refusesReservationsThatHaveEnded() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(cluster, List.of(first.becomes(CANCELLED, 5))))
                .withMessageContaining("is CANCELLED and has no place in a schedule");
    }

    @Test
    void refusesReservationsThatTakeMoreThanTheClusterHas() {
        var small = new Cluster("sp2", 4, 1_000, cluster.tariff());

        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(small, List.of(first)))
                .withMessage("Reservation %s finds no room on cluster sp2.", first.id());
    }

    @Test
    void refusesAnEventThatFindsNoRoom() {
        var late = LiveCluster.of(8).grant(Request.of(3, 4, 10));

        assertThatIllegalStateException().isThrownBy(() -> live.schedule().with(Event.accepted(late)));
    }

    @Test
    void followsAReservationToAnotherPlace() {
        var moved = new Reservation(
                first.id(),
                first.cluster(),
                first.origin(),
                first.terms(),
                new Slot(30, 40),
                first.price(),
                first.status());

        var schedule = live.schedule().with(new Event(Event.Type.CONFIRMED, moved, 0));

        assertThat(schedule.find(first.id())).hasValue(moved);
        assertThat(schedule.profile().free(0)).isEqualTo(8);
        assertThat(schedule.profile().free(30)).isEqualTo(3);
        assertThat(schedule.nextDue()).hasValue(new Due(10, ReservationState.RUNNING, second.id()));
    }

    @Test
    void staysAsItIsWhileOthersGrowOutOfIt() {
        var before = live.schedule();

        live.grant(new Cancel(first.id()));
        live.grant(Request.of(3, 8, 10));

        assertThat(before.reservations()).containsExactlyInAnyOrder(first, second);
        assertThat(before.find(Request.id(3))).isEmpty();
        assertThat(before.profile().steps(new Slot(0, 40))).extracting("free").containsExactly(3, 8);
        assertThat(before.nextDue()).hasValue(new Due(0, ReservationState.RUNNING, first.id()));
    }

    @Test
    void namesItsClusterAndReservations() {
        assertThat(live.schedule().toString())
                .startsWith("sp2: ")
                .contains(first.id().toString());
    }
}
