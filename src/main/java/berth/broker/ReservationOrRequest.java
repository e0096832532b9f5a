package berth.broker;

import berth.intake.IntakeRequest;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.AccountName;

/** The owner of the id of a reservation: a reservation, or a request that was collected for one. */
public sealed interface ReservationOrRequest permits BookedReservation, ReservationOrRequest.Collected {

    ReservationId id();

    /** Returns the account and project. */
    Origin origin();

    /** Returns the owner. */
    default AccountName owner() {
        return origin().owner();
    }

    /** A request that is not a reservation, not yet or never. */
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
