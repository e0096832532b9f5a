package berth.broker;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs on several clusters at one start, all of them or none.
 *
 * @param start seconds since the epoch
 * @param parts in the order in which they were asked for
 * @param isSettled whether nothing is left to be done about it; if not, its parts are still to be confirmed or given up
 * @param isWatched whether its parts are still to be told if one of them fails
 * @param createdAt seconds since the epoch
 * @param updatedAt seconds since the epoch
 */
public record Coallocation(
        UUID id,
        AccountName owner,
        Optional<String> name,
        Optional<String> project,
        CoallocationState state,
        long start,
        List<Part> parts,
        boolean isSettled,
        boolean isWatched,
        long createdAt,
        long updatedAt) {

    /** What runs on one of the clusters. */
    public record Part(ClusterId cluster, ReservationId reservation) {}

    Coallocation becomes(CoallocationState next, boolean settled, long now) {
        boolean isWatchedThen = next == CoallocationState.CONFIRMED;
        return new Coallocation(id, owner, name, project, next, start, parts, settled, isWatchedThen, createdAt, now);
    }

    /** No part of it is live any more, or all that are know that another has failed. */
    Coallocation unwatched() {
        return new Coallocation(id, owner, name, project, state, start, parts, isSettled, false, createdAt, updatedAt);
    }
}
