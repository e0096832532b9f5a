package berth.reservation;

import static berth.reservation.ReservationState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class EventTest {

    @Test
    void saysThatAReservationWasAcceptedAndWhen() {
        var held = SampleReservations.held();
        var confirmed = SampleReservations.confirmed();

        assertThat(Event.accepted(held)).isEqualTo(new Event(Event.Type.HELD, held, 10));
        assertThat(Event.accepted(confirmed)).isEqualTo(new Event(Event.Type.CONFIRMED, confirmed, 10));
    }

    @Test
    void carriesTheReservationAsItIsAfterwards() {
        var event = Event.became(SampleReservations.confirmed(), RUNNING, 50);

        assertThat(event).isEqualTo(new Event(Event.Type.STARTED, SampleReservations.running(), 50));
        assertThat(event.reservation().status().updatedAt()).isEqualTo(50);
    }

    @Test
    void hasANameForEveryState() {
        assertThat(ReservationState.values())
                .extracting(state -> Event.Type.of(state).name())
                .containsExactly("HELD", "CONFIRMED", "STARTED", "COMPLETED", "CANCELLED", "EXPIRED");
    }

    @Test
    void cannotTellOfWhatMayNotHappen() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Event.became(SampleReservations.held(), RUNNING, 50))
                .withMessage("A reservation that is HELD cannot become RUNNING.");
    }
}
