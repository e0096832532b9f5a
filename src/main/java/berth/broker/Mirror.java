package berth.broker;

import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
 * @param isDegraded whether another reservation that belongs together with it has failed
 * @param createdAt seconds since the epoch
 */
public record Mirror(
        ReservationId id,
        ClusterId cluster,
        Origin origin,
        String remoteId,
        Owed owed,
        JsonNode answer,
        long heardAt,
        boolean isReachable,
        boolean isDegraded,
        long createdAt) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /** No calendar goes further: the year 10000. */
    private static final long LATEST = 253_402_300_800L;

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

    /** Its version there, as its entity tag tells. */
    public int version() {
        return answer.path("version").asInt(0);
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
            // the id becomes a part of addresses
            return ID.matcher(answer.path("id").asString("")).matches()
                    && second(answer, "start") < second(answer, "end")
                    && second(answer, "end") < LATEST;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** As the other one told. What has ended stays so: an answer may have been on its way for longer. */
    Mirror heard(JsonNode now, long at) {
        return new Mirror(
                id, cluster, origin, remoteId, owed, state().isLive() ? now : answer, at, true, isDegraded, createdAt);
    }

    /** It is over, as is concluded here. */
    Mirror ended(ReservationState end, long at) {
        if (!state().isLive()) {
            return this;
        }
        var now = ((ObjectNode) answer.deepCopy()).put("state", end.name());
        return new Mirror(id, cluster, origin, remoteId, owed, now, at, true, isDegraded, createdAt);
    }

    /** Something was told; whatever else has come to be owed since then is still owed. */
    Mirror paid(Owed what) {
        return owed == what ? owing(Owed.NOTHING) : this;
    }

    /** Whether both are of the same reservation at the same place. */
    boolean isOf(Mirror other) {
        return cluster.equals(other.cluster) && remoteId.equals(other.remoteId);
    }

    Mirror unheard() {
        return new Mirror(id, cluster, origin, remoteId, owed, answer, heardAt, false, isDegraded, createdAt);
    }

    Mirror owing(Owed what) {
        return new Mirror(id, cluster, origin, remoteId, what, answer, heardAt, isReachable, isDegraded, createdAt);
    }

    Mirror degraded() {
        return new Mirror(id, cluster, origin, remoteId, owed, answer, heardAt, isReachable, true, createdAt);
    }
}
