package berth.reservation;

import berth.sla.Money;
import berth.sla.QosScenario;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Optional;
import java.util.UUID;

/** One reservation at each point of its life: accepted at 10, held until 40 if held, and placed at [50, 90). */
final class SampleReservations {

    static final Slot SLOT = new Slot(50, 90);
    static final Money PRICE = new Money(new BigDecimal("12.50"), Currency.getInstance("USD"));

    private SampleReservations() {}

    static Reservation held() {
        return accepted(Status.held(40, 10));
    }

    static Reservation confirmed() {
        return accepted(Status.confirmed(10));
    }

    static Reservation running() {
        return confirmed().becomes(ReservationState.RUNNING, SLOT.start());
    }

    /** Brought into {@code state} by the shortest way. */
    static Reservation in(ReservationState state) {
        return switch (state) {
            case HELD -> held();
            case CONFIRMED -> confirmed();
            case RUNNING -> running();
            case COMPLETED -> running().becomes(ReservationState.COMPLETED, SLOT.end());
            case CANCELLED -> confirmed().becomes(ReservationState.CANCELLED, 30);
            case EXPIRED -> held().becomes(ReservationState.EXPIRED, 40);
        };
    }

    static Reservation accepted(Status status) {
        return new Reservation(
                id(1),
                "sp2",
                new Origin("ada", Optional.empty(), Optional.empty()),
                new Terms(new Window(20, 100), 40, 4, Optional.empty(), QosScenario.INTERVAL),
                SLOT,
                PRICE,
                status);
    }

    static ReservationId id(int number) {
        return new ReservationId(new UUID(0, number));
    }
}
