package berth.broker;

import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.sla.AccountName;

/** A reservation, wherever it lies. */
public sealed interface Booked extends Known {

    /** On a cluster of this Berth. */
    record Here(Reservation reservation) implements Booked {

        @Override
        public ReservationId id() {
            return reservation.id();
        }

        @Override
        public AccountName owner() {
            return reservation.origin().owner();
        }
    }

    /** On a cluster of another one. */
    record There(Mirror mirror) implements Booked {

        @Override
        public ReservationId id() {
            return mirror.id();
        }

        @Override
        public AccountName owner() {
            return mirror.origin().owner();
        }
    }
}
