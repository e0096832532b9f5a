package berth.broker;

import berth.intake.IntakeRequest;
import berth.reservation.ReservationId;
import berth.sla.AccountName;

/** What stands behind the id of a reservation: one that is booked, or the request that was collected for one. */
public sealed interface Known permits Booked, Known.Collected {

    ReservationId id();

    /** The account whose it is. */
    AccountName owner();

    /** A request that is no reservation: not yet, or never. */
    record Collected(IntakeRequest request) implements Known {

        @Override
        public ReservationId id() {
            return request.id();
        }

        @Override
        public AccountName owner() {
            return request.origin().owner();
        }
    }
}
