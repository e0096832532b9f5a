package berth.proof;

import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The final state of the service.
 *
 * @param pes the PEs of each cluster at its creation
 * @param reservations all reservations, including ended ones
 * @param requests the collected requests that have not become reservations
 * @param events the events in the order of the feed
 * @param seen what accounts without special rights see
 */
public record Told(
        Map<ClusterId, Integer> pes,
        List<Promise> reservations,
        List<Request> requests,
        List<Recorded> events,
        Map<AccountName, Seen> seen) {

    /** The state of a collected request. */
    public record Request(
            ReservationId id, ClusterId cluster, AccountName owner, String label, IntakeRequest.State state) {}

    /** What one account sees: its reservations and their events. */
    public record Seen(Set<ReservationId> reservations, List<Recorded> events) {}
}
