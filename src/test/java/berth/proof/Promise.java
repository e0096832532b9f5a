package berth.proof;

import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.sla.AccountName;

/**
 * A reservation in an answer to a client.
 *
 * @param label the label of its request
 */
public record Promise(ReservationId id, ClusterId cluster, AccountName owner, String label, Standing standing) {

    public static Promise of(Reservation reservation, String label) {
        return new Promise(
                reservation.id(), reservation.cluster(), reservation.origin().owner(), label, Standing.of(reservation));
    }
}
