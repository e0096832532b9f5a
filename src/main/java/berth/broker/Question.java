package berth.broker;

import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * What another Berth is asked to hold. It is recorded before it is asked: whatever becomes of the answer, and of who asks, it is known
 * here, and the same question under the same key tells what is held for it.
 *
 * @param key made of the reservation and the attempt
 * @param reservation its name here
 * @param cluster the name of its cluster here
 * @param body as it is posted
 * @param askedAt seconds since the epoch
 * @param endsAt when what was held for it at once has ended by itself, seconds since the epoch
 */
public record Question(
        UUID key, ReservationId reservation, ClusterId cluster, JsonNode body, long askedAt, long endsAt) {

    /**
     * The key of the next question about a reservation: whoever decides the same says the same.
     *
     * @param attempt from 1 on
     */
    public static UUID key(ReservationId reservation, int attempt) {
        return UUID.nameUUIDFromBytes("%s %d".formatted(reservation, attempt).getBytes(StandardCharsets.UTF_8));
    }
}
