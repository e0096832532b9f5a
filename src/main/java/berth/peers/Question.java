package berth.peers;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * A request to another Berth to hold something. It is recorded before it is sent. Whatever happens to the answer or to this process, it is
 * therefore known here, and repeating it under the same key shows what is held.
 *
 * @param key derived from the reservation and the attempt
 * @param reservation the id of the reservation here
 * @param cluster the name of the cluster here
 * @param body the body of the call
 * @param askedAt seconds since the epoch
 * @param endsAt when a hold made at once has ended by itself, in seconds since the epoch
 */
public record Question(
        UUID key, ReservationId reservation, ClusterId cluster, JsonNode body, long askedAt, long endsAt) {

    /**
     * Returns the key of a question about a reservation, the same for each repetition of a decision.
     *
     * @param attempt the number of the attempt, from 1
     */
    public static UUID key(ReservationId reservation, int attempt) {
        return UUID.nameUUIDFromBytes("%s %d".formatted(reservation, attempt).getBytes(StandardCharsets.UTF_8));
    }
}
