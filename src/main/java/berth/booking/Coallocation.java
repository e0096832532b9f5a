package berth.booking;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reservations on several clusters with one common start, all or none.
 *
 * @param start the start, in seconds since the epoch
 * @param parts the parts in the order of the request
 * @param isFinished whether nothing is left to do; if false, parts must still be confirmed or cancelled
 * @param isWatched whether its parts must still be notified if one of them fails
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
        boolean isFinished,
        boolean isWatched,
        long createdAt,
        long updatedAt) {

    /** The reservation on one of the clusters. */
    public record Part(ClusterId cluster, ReservationId reservation) {}

    Coallocation becomes(CoallocationState next, boolean finished, long now) {
        boolean isWatchedThen = next == CoallocationState.CONFIRMED;
        return new Coallocation(id, owner, name, project, next, start, parts, finished, isWatchedThen, createdAt, now);
    }

    /** Returns the same co-allocation, not watched any more: no part is live, or all live parts know that another has failed. */
    Coallocation unwatched() {
        return new Coallocation(id, owner, name, project, state, start, parts, isFinished, false, createdAt, updatedAt);
    }
}
