package berth.reservation;

import static berth.reservation.ReservationState.CANCELLED;
import static berth.reservation.ReservationState.COMPLETED;
import static berth.reservation.ReservationState.CONFIRMED;
import static berth.reservation.ReservationState.EXPIRED;
import static berth.reservation.ReservationState.HELD;
import static berth.reservation.ReservationState.RUNNING;
import static berth.reservation.SampleReservations.PRICE;
import static berth.reservation.SampleReservations.SLOT;
import static berth.reservation.SampleReservations.confirmed;
import static berth.reservation.SampleReservations.held;
import static berth.reservation.SampleReservations.id;
import static berth.reservation.SampleReservations.in;
import static berth.reservation.SampleReservations.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.time.Slot;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReservationTest {

    @Test
    void liesInsideItsWindow() {
        var reservation = confirmed();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> placed(reservation, new Slot(61, 101)))
                .withMessageContaining("outside its");
        assertThatIllegalArgumentException().isThrownBy(() -> placed(reservation, new Slot(50, 89)));
        assertThat(placed(reservation, new Slot(60, 100)).slot()).isEqualTo(new Slot(60, 100));
    }

    @Test
    void keepsItsAgreementWhateverItBecomes() {
        var completed = in(COMPLETED);

        assertThat(completed)
                .usingRecursiveComparison()
                .ignoringFields("status")
                .isEqualTo(confirmed());
        assertThat(completed.status()).isEqualTo(new Status(COMPLETED, OptionalLong.empty(), 10, 90, 2));
    }

    @Test
    void losesItsExpiryWhenItIsConfirmed() {
        assertThat(held().status()).isEqualTo(new Status(HELD, OptionalLong.of(40), 10, 10, 0));
        assertThat(held().becomes(CONFIRMED, 30).status())
                .isEqualTo(new Status(CONFIRMED, OptionalLong.empty(), 10, 30, 1));
    }

    @Test
    void hasAnExpiryExactlyWhileItIsHeld() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Status(HELD, OptionalLong.empty(), 10, 10, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Status(CONFIRMED, OptionalLong.of(40), 10, 10, 0));
    }

    @Test
    void owesNothingIfItEndsBeforeItBegan() {
        assertThat(held().becomes(EXPIRED, 40).price()).isEqualTo(PRICE.none());
        assertThat(held().becomes(CANCELLED, 30).price()).isEqualTo(PRICE.none());
        assertThat(confirmed().becomes(CANCELLED, 30).price()).isEqualTo(PRICE.none());
    }

    @Test
    void owesItsPriceWhileItLivesAndOnceItHasBegun() {
        assertThat(held().becomes(CONFIRMED, 30).price()).isEqualTo(PRICE);
        assertThat(running().price()).isEqualTo(PRICE);
        assertThat(running().becomes(COMPLETED, 90).price()).isEqualTo(PRICE);
        assertThat(running().becomes(CANCELLED, 51).price()).isEqualTo(PRICE);
        assertThat(running().becomes(CANCELLED, 50).price()).isEqualTo(PRICE);
    }

    @Test
    void occupiesItsSlotAsLongAsItIsNotGivenUp() {
        assertThat(held().occupied()).hasValue(SLOT);
        assertThat(confirmed().occupied()).hasValue(SLOT);
        assertThat(running().occupied()).hasValue(SLOT);
        assertThat(in(COMPLETED).occupied()).hasValue(SLOT);
    }

    @Test
    void occupiedItsSlotUntilItWasCancelled() {
        assertThat(running().becomes(CANCELLED, 51).occupied()).hasValue(new Slot(50, 51));
        assertThat(running().becomes(CANCELLED, 90).occupied()).hasValue(SLOT);
        assertThat(running().becomes(CANCELLED, 95).occupied()).hasValue(SLOT);
    }

    @Test
    void occupiedNothingIfItNeverRan() {
        assertThat(confirmed().becomes(CANCELLED, 30).occupied()).isEmpty();
        assertThat(running().becomes(CANCELLED, 50).occupied()).isEmpty();
        assertThat(in(EXPIRED).occupied()).isEmpty();
    }

    @Test
    void fallsDueAtItsExpiryItsStartAndItsEnd() {
        assertThat(held().due()).hasValue(new Due(40, EXPIRED, id(1)));
        assertThat(confirmed().due()).hasValue(new Due(50, RUNNING, id(1)));
        assertThat(running().due()).hasValue(new Due(90, COMPLETED, id(1)));
    }

    @Test
    void isNeverDueAgainOnceItHasEnded() {
        assertThat(in(COMPLETED).due()).isEmpty();
        assertThat(in(CANCELLED).due()).isEmpty();
        assertThat(in(EXPIRED).due()).isEmpty();
    }

    private static Reservation placed(Reservation reservation, Slot slot) {
        return new Reservation(
                reservation.id(),
                reservation.cluster(),
                reservation.origin(),
                reservation.terms(),
                slot,
                reservation.price(),
                reservation.status());
    }
}
