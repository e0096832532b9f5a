package berth.booking;

import berth.intake.IntakeRequest;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.AccountName;

/** A reservation, or a request that was collected for one. Both are found by the id of the reservation. */
public sealed interface ReservationOrRequest permits BookedReservation, ReservationOrRequest.Collected {

    ReservationId id();

    /** Returns the origin: the owner's account, the name and the project. */
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
