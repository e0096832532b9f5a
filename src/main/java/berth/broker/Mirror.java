package berth.broker;

import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;

/**
 * A reservation at another Berth, as it is known here.
 *
 * @param id its name here
 * @param cluster the name of its cluster here
 * @param origin who asked here
 * @param remoteId its name there
 * @param owed what the other one is still to be told
 * @param answer how it was when the other one last told, as that answers {@code GET /reservations/{id}}
 * @param heardAt when that was, seconds since the epoch
 * @param isReachable whether the other one has answered when it was last asked
 * @param createdAt seconds since the epoch
 */
public record Mirror(
        ReservationId id,
        String cluster,
        Origin origin,
        String remoteId,
        Owed owed,
        JsonNode answer,
        long heardAt,
        boolean isReachable,
        long createdAt) {

    /** What another Berth is still to be told. */
    public enum Owed {
        NOTHING,
        CONFIRMATION,
        CANCELLATION
    }

    /** How it was there. What cannot be read is taken as it was agreed. */
    public ReservationState state() {
        var word = answer.path("state").asString("");
        return Arrays.stream(ReservationState.values())
                .filter(state -> state.name().equals(word))
                .findAny()
                .orElse(ReservationState.CONFIRMED);
    }

    /** Seconds since the epoch. */
    public long start() {
        return second(answer, "start");
    }

    /** Seconds since the epoch. */
    public long end() {
        return second(answer, "end");
    }

    private static long second(JsonNode answer, String name) {
        return Instant.parse(answer.path("placement").path(name).asString()).getEpochSecond();
    }

    /** Whether an answer tells of a reservation and where it lies. */
    static boolean isReservation(JsonNode answer) {
        try {
            return !answer.path("id").asString("").isEmpty() && second(answer, "start") < second(answer, "end");
        } catch (DateTimeException e) {
            return false;
        }
    }

    Mirror heard(JsonNode now, long at) {
        return new Mirror(id, cluster, origin, remoteId, owed, now, at, true, createdAt);
    }

    Mirror unheard() {
        return new Mirror(id, cluster, origin, remoteId, owed, answer, heardAt, false, createdAt);
    }

    Mirror owing(Owed what) {
        return new Mirror(id, cluster, origin, remoteId, what, answer, heardAt, isReachable, createdAt);
    }
}
