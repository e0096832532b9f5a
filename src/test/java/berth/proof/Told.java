package berth.proof;

import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the service tells in the end.
 *
 * @param pes of each cluster as it was created
 * @param reservations all of them, ended ones too
 * @param requests those that were collected and have not become reservations
 * @param events in the order in which they were told
 * @param seen what accounts are told that may see only what is theirs
 */
public record Told(
        Map<ClusterId, Integer> pes,
        List<Promise> reservations,
        List<Request> requests,
        List<Recorded> events,
        Map<AccountName, Seen> seen) {

    /** A collected request as it stands. */
    public record Request(
            ReservationId id, ClusterId cluster, AccountName owner, String label, IntakeRequest.State state) {}

    /** What one account is told: whose reservations there are, and what has happened to which. */
    public record Seen(Set<ReservationId> reservations, List<Recorded> events) {}
}
