package berth.reservation;

import berth.approval.Approval;
import berth.approval.Approval.Answer;
import berth.approval.Approval.Ask;
import berth.approval.Side;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A reservation in each of its states: accepted at 10, held until 40 if held, placed at [50, 90), and fixed from 45 on. */
final class SampleReservations {

    static final Slot SLOT = new Slot(50, 90);
    static final long FIXES_AT = 45;
    static final Money PRICE = usd("12.50");
    static final Money CREDIT = usd("10.00");

    /** An approval for which the site's policy asks. */
    static final Approval APPROVAL = new Approval(List.of(Ask.ofPolicy("It is large.")), 20);

    /** The same approval, given. */
    static final Approval GIVEN =
            APPROVAL.answered(Set.of(Side.POLICY), new Answer(new AccountName("grace"), 15, Optional.empty()));

    private SampleReservations() {}

    static Reservation held() {
        return accepted(Status.held(40, 10));
    }

    /** Returns a reservation that the cluster's operator must approve. */
    static Reservation pending() {
        return confirmed().asking(APPROVAL);
    }

    static Reservation confirmed() {
        return accepted(Status.confirmed(10));
    }

    static Reservation running() {
        return confirmed().becomes(ReservationState.RUNNING, SLOT.start());
    }

    /** Returns a reservation that was brought into {@code state} by the shortest way. */
    static Reservation in(ReservationState state) {
        return switch (state) {
            case HELD -> held();
            case PENDING -> pending();
            case CONFIRMED -> confirmed();
            case RUNNING -> running();
            case COMPLETED -> running().becomes(ReservationState.COMPLETED, SLOT.end());
            case CANCELLED -> confirmed().becomes(ReservationState.CANCELLED, 30);
            case EXPIRED -> held().becomes(ReservationState.EXPIRED, 40);
            case FAILED -> confirmed().failed(EndReason.PES_LOST, CREDIT, 30);
        };
    }

    static Reservation accepted(Status status) {
        return new Reservation(
                id(1),
                new ClusterId("sp2"),
                new Origin(new AccountName("ada"), ServiceClass.STANDARD),
                new Terms(
                        new Window(20, 100),
                        40,
                        List.of(new Shape(4, 40)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Fixing.BY_NOTICE,
                        QosScenario.INTERVAL),
                Placement.of(List.of(Part.whole(SLOT, 4)), FIXES_AT),
                Charge.of(PRICE),
                status,
                Optional.empty());
    }

    static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }

    static ReservationId id(int number) {
        return new ReservationId(new UUID(0, number));
    }
}
