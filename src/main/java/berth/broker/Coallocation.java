package berth.broker;

import berth.reservation.ReservationId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs on several clusters at one start, all of them or none.
 *
 * @param start seconds since the epoch
 * @param parts in the order in which they were asked for
 * @param isSettled whether nothing is left to be done about it; if not, its parts are still to be confirmed or given up
 * @param createdAt seconds since the epoch
 * @param updatedAt seconds since the epoch
 */
public record Coallocation(
        UUID id,
        String owner,
        Optional<String> name,
        Optional<String> project,
        State state,
        long start,
        List<Part> parts,
        boolean isSettled,
        long createdAt,
        long updatedAt) {

    /** How far it has come. */
    public enum State {
        /** All parts are held, and are being confirmed. */
        CONFIRMING,
        /** All parts were confirmed. */
        CONFIRMED,
        /** One part could not be confirmed, and so none is kept. */
        ABANDONED,
        /** Given up by its owner. */
        CANCELLED
    }

    /** What runs on one of the clusters. */
    public record Part(String cluster, ReservationId reservation) {}

    Coallocation becomes(State next, boolean settled, long now) {
        return new Coallocation(id, owner, name, project, next, start, parts, settled, createdAt, now);
    }
}
