package berth.scheduling;

import static berth.reservation.ReservationState.CANCELLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.cluster.Cluster;
import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Cancel;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterScheduleTest {

    private final LiveCluster live = LiveCluster.of(8);
    private final Cluster cluster = live.schedule().cluster();
    private final Reservation first = live.grant(Request.of(1, 5, 10).atAnyTime());
    private final Reservation second = live.grant(Request.of(2, 5, 10).atAnyTime());

    @Test
    void isRebuiltFromItsReservationsInAnyOrder() {
        var rebuilt = ClusterSchedule.of(cluster, List.of(second, first), List.of());

        assertThat(rebuilt).isEqualTo(live.schedule()).hasSameHashCodeAs(live.schedule());
        assertThat(rebuilt.profile()).isEqualTo(live.schedule().profile());
        assertThat(rebuilt.nextDue()).isEqualTo(live.schedule().nextDue());
    }

    @Test
    void differsFromThatOfAnotherClusterOrOfOtherReservations() {
        assertThat(live.schedule())
                .isNotEqualTo(ClusterSchedule.of(cluster, List.of(first), List.of()))
                .isNotEqualTo(ClusterSchedule.of(SampleCluster.of(9).cluster(), List.of(first, second), List.of()));
    }

    @Test
    void refusesReservationsOfOtherClusters() {
        var other = Cluster.of("blue", 8);

        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(other, List.of(first), List.of()))
                .withMessageContaining("does not belong to the schedule of blue");
    }

    @Test
    void refusesAReservationThatIsThereTwice() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(cluster, List.of(first, first), List.of()))
                .withMessageContaining("appears twice");
    }

    @Test
    void refusesReservationsThatHaveEnded() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(cluster, List.of(first.becomes(CANCELLED, 5)), List.of()))
                .withMessageContaining("is CANCELLED and cannot be in a schedule");
    }

    @Test
    void refusesReservationsThatTakeMoreThanTheClusterHas() {
        var small = SampleCluster.of(4).cluster();

        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(small, List.of(first), List.of()))
                .withMessage("Reservation %s finds no room on cluster sp2.", first.id());
    }

    @Test
    void refusesAnEventThatFindsNoRoom() {
        var late = LiveCluster.of(8).grant(Request.of(3, 4, 10));

        assertThatIllegalStateException().isThrownBy(() -> live.schedule().with(ReservationEvent.accepted(late)));
    }

    @Test
    void followsAReservationToAnotherPlace() {
        var moved = first.moved(
                Placement.of(List.of(Part.whole(new Slot(30, 40), first.terms().pes())), 30), first.price(), 0);

        var schedule = live.schedule().with(ReservationEvent.of(Event.Type.MOVED, moved));

        assertThat(schedule.find(first.id())).hasValue(moved);
        assertThat(schedule.profile().free(0)).isEqualTo(8);
        assertThat(schedule.profile().free(30)).isEqualTo(3);
        assertThat(schedule.nextDue())
                .hasValue(new AgendaItem(10, What.RUN_STARTS, second.id().value()));
    }

    @Test
    void doesNotChangeWhenLaterVersionsAreDerived() {
        var before = live.schedule();

        live.grant(new Cancel(Request.target(1)));
        live.grant(Request.of(3, 8, 10));

        assertThat(before.reservations()).containsExactlyInAnyOrder(first, second);
        assertThat(before.find(Request.id(3))).isEmpty();
        assertThat(before.profile().steps(new Slot(0, 40))).extracting("free").containsExactly(3, 8);
        assertThat(before.nextDue())
                .hasValue(new AgendaItem(0, What.RUN_STARTS, first.id().value()));
    }

    @Test
    void namesItsClusterAndReservations() {
        assertThat(live.schedule().toString())
                .startsWith("sp2: ")
                .contains(first.id().toString());
    }
}
