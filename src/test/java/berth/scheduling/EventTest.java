package berth.scheduling;

import static berth.reservation.ReservationState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import org.junit.jupiter.api.Test;

class EventTest {

    private final LiveCluster cluster = LiveCluster.of(8).at(10);
    private final Reservation held =
            cluster.grant(Request.of(1, 4, 10).start(50).hold(20));
    private final Reservation confirmed = cluster.grant(Request.of(2, 4, 10).start(50));

    @Test
    void saysThatAReservationWasAcceptedAndWhen() {
        assertThat(ReservationEvent.accepted(held)).isEqualTo(new ReservationEvent(Event.Type.HELD, held, 10));
        assertThat(ReservationEvent.accepted(confirmed))
                .isEqualTo(new ReservationEvent(Event.Type.CONFIRMED, confirmed, 10));
    }

    @Test
    void carriesTheChangedReservation() {
        var event = ReservationEvent.became(confirmed, RUNNING, 50);

        assertThat(event).isEqualTo(new ReservationEvent(Event.Type.STARTED, confirmed.becomes(RUNNING, 50), 50));
        assertThat(event.reservation().status().updatedAt()).isEqualTo(50);
    }

    @Test
    void hasANameForEveryState() {
        assertThat(ReservationState.values())
                .extracting(state -> Event.Type.of(state).name())
                .containsExactly(
                        "HELD",
                        "APPROVAL_ASKED",
                        "CONFIRMED",
                        "STARTED",
                        "COMPLETED",
                        "CANCELLED",
                        "EXPIRED",
                        "FAILED");
    }

    @Test
    void rejectsATransitionThatMayNotHappen() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ReservationEvent.became(held, RUNNING, 50))
                .withMessage("A reservation cannot change from HELD to RUNNING.");
    }
}
