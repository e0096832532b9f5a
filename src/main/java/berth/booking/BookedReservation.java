package berth.booking;

import berth.peers.Mirror;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;

/** A reservation on any cluster. */
public sealed interface BookedReservation extends ReservationOrRequest {

    /** A reservation on a cluster of this Berth. */
    record Here(Reservation reservation) implements BookedReservation {

        @Override
        public ReservationId id() {
            return reservation.id();
        }

        @Override
        public Origin origin() {
            return reservation.origin();
        }
    }

    /** A reservation on a cluster of another Berth. */
    record There(Mirror mirror) implements BookedReservation {

        @Override
        public ReservationId id() {
            return mirror.id();
        }

        @Override
        public Origin origin() {
            return mirror.origin();
        }
    }
}
