package berth.scheduling;

import static berth.reservation.ReservationState.CONFIRMED;
import static berth.reservation.ReservationState.HELD;
import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Confirm;
import berth.time.Slot;
import org.junit.jupiter.api.Test;

class HoldTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void keepsItsPlaceUntilItExpires() {
        var held = cluster.grant(Request.of(1, 8, 10).start(50).hold(20));

        assertThat(held.status()).isEqualTo(Status.held(20, 0));
        assertThat(cluster.at(19).advance()).isEmpty();
        assertThat(cluster.refuse(Request.of(2, 1, 10).start(50))).isEqualTo(new Rejection.NoSlot());

        assertThat(cluster.at(20).advance())
                .containsExactly(ReservationEvent.became(held, ReservationState.EXPIRED, 20));
        assertThat(cluster.schedule().find(held.id())).isEmpty();
        assertThat(cluster.grant(Request.of(2, 8, 10).start(50)).slot()).isEqualTo(new Slot(50, 60));
    }

    @Test
    void expiresAtItsStartAtTheLatest() {
        assertThat(cluster.grant(Request.of(1, 1, 10).start(20).hold(19)).status())
                .isEqualTo(Status.held(19, 0));
        assertThat(cluster.grant(Request.of(2, 1, 10).start(20).hold(20)).status())
                .isEqualTo(Status.held(20, 0));
        assertThat(cluster.grant(Request.of(3, 1, 10).start(20).hold(21)).status())
                .isEqualTo(Status.held(20, 0));
        assertThat(cluster.at(5)
                        .grant(Request.of(4, 1, 10).start(20).hold(Long.MAX_VALUE))
                        .status())
                .isEqualTo(Status.held(20, 5));
    }

    @Test
    void startsInTheFuture() {
        assertThat(cluster.at(5).grant(Request.of(1, 4, 10).hold(60)).slot()).isEqualTo(new Slot(6, 16));
        assertThat(cluster.grant(Request.of(2, 4, 10).ready(6).hold(60)).slot()).isEqualTo(new Slot(6, 16));
        assertThat(cluster.grant(Request.of(3, 4, 10).ready(30).hold(60)).slot())
                .isEqualTo(new Slot(30, 40));
    }

    @Test
    void findsNoSlotIfItsWindowOnlyAllowsToStartAtOnce() {
        assertThat(cluster.refuse(Request.of(1, 4, 10).deadline(10).hold(60))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.grant(Request.of(1, 4, 10).deadline(11).hold(60)).slot())
                .isEqualTo(new Slot(1, 11));
    }

    @Test
    void cannotChooseToStartAtOnce() {
        assertThat(cluster.at(5).refusedField(Request.of(1, 4, 10).start(5).hold(60)))
                .isEqualTo("start");
        assertThat(cluster.grant(Request.of(1, 4, 10).start(6).hold(60)).slot()).isEqualTo(new Slot(6, 16));
    }

    @Test
    void lastsASecondAtLeast() {
        assertThat(cluster.refusedField(Request.of(1, 4, 10).hold(0))).isEqualTo("hold");
        assertThat(cluster.grant(Request.of(1, 4, 10).hold(1)).status()).isEqualTo(Status.held(1, 0));
    }

    @Test
    void isConfirmedInItsPlaceAndExpiresNoMore() {
        var held = cluster.grant(Request.of(1, 8, 10).start(50).hold(20));

        var confirmed = cluster.at(15).grant(new Confirm(Request.target(1)));

        assertThat(confirmed).isEqualTo(held.becomes(CONFIRMED, 15));
        assertThat(cluster.find(held.id())).isEqualTo(confirmed);
        assertThat(cluster.schedule().nextDue())
                .hasValue(new AgendaItem(50, What.RUN_STARTS, held.id().value()));
        assertThat(cluster.at(49).advance()).isEmpty();
        assertThat(cluster.schedule().profile().free(50)).isZero();
    }

    @Test
    void isConfirmedOnce() {
        var held = cluster.grant(Request.of(1, 8, 10).start(50).hold(20));
        assertThat(held.state()).isEqualTo(HELD);
        cluster.grant(new Confirm(Request.target(1)));

        assertThat(cluster.refuse(new Confirm(Request.target(1)))).isEqualTo(new Rejection.WrongState(CONFIRMED));
    }

    @Test
    void cannotBeConfirmedOnceItHasExpired() {
        var held = cluster.grant(Request.of(1, 8, 10).start(50).hold(20));
        cluster.at(20).advance();

        assertThat(cluster.refuse(new Confirm(Request.target(1)))).isEqualTo(new Rejection.NotLive(held.id()));
    }
}
