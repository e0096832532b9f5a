package berth.broker;

import berth.intake.IntakeRequest;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.AccountName;

/** What stands behind the id of a reservation: one that is booked, or the request that was collected for one. */
public sealed interface ReservationOrRequest permits BookedReservation, ReservationOrRequest.Collected {

    ReservationId id();

    /** Who has it, and what it is filed under. */
    Origin origin();

    /** The account whose it is. */
    default AccountName owner() {
        return origin().owner();
    }

    /** A request that is no reservation: not yet, or never. */
    record Collected(IntakeRequest request) implements ReservationOrRequest {

        @Override
        public ReservationId id() {
            return request.id();
        }

        @Override
        public Origin origin() {
            return request.origin();
        }
    }
}
