package berth.broker;

import berth.reservation.Reservation;

/** What was granted. */
public sealed interface Booked {

    /** On a cluster of this Berth. */
    record Here(Reservation reservation) implements Booked {}

    /** On a cluster of another one. */
    record There(Mirror mirror) implements Booked {}
}
