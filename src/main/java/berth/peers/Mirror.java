package berth.peers;

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
 * A reservation at another Berth, as this Berth knows it.
 *
 * @param id its id here
 * @param cluster the name of its cluster here
 * @param origin the account here
 * @param remoteId its id there
 * @param owed what must still be sent to the other Berth
 * @param last the other Berth's last report
 * @param isDegraded whether another reservation of its co-allocation has failed
 * @param createdAt seconds since the epoch
 */
public record Mirror(
        ReservationId id,
        ClusterId cluster,
        Origin origin,
        String remoteId,
        Owed owed,
        Report last,
        boolean isDegraded,
        long createdAt) {

    /**
     * A report of another Berth.
     *
     * @param answer the last known state of the reservation, in the form of {@code GET /reservations/{id}} there
     * @param heardAt the time of that answer, in seconds since the epoch
     * @param isReachable whether the other Berth answered the last call
     */
    public record Report(JsonNode answer, long heardAt, boolean isReachable) {}

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /** The beginning of the year 10000, before which reservations must end, because calendars go no further. */
    private static final long LATEST = 253_402_300_800L;

    /** What must still be sent to another Berth. */
    public enum Owed {
        NOTHING,
        CONFIRMATION,
        CANCELLATION
    }

    /** Returns its last known state; if it cannot be read, the agreed one. */
    public ReservationState state() {
        var word = last.answer.path("state").asString("");
        return Arrays.stream(ReservationState.values())
                .filter(state -> state.name().equals(word))
                .findAny()
                .orElse(ReservationState.CONFIRMED);
    }

    /** Returns its version. It continues the versions of the request under the same id, as {@link berth.reservation.Reservation#version()}. */
    public int version() {
        return origin.firstVersion().orElse(0) + last.answer.path("version").asInt(0);
    }

    /** Returns the number that a version has at the other Berth. */
    public int versionThere(int version) {
        return version - origin.firstVersion().orElse(0);
    }

    /** Returns its start, in seconds since the epoch. */
    public long start() {
        return second(last.answer, "start");
    }

    /** Returns its end, in seconds since the epoch. */
    public long end() {
        return second(last.answer, "end");
    }

    private static long second(JsonNode answer, String name) {
        return Instant.parse(answer.path("placement").path(name).asString("")).getEpochSecond();
    }

    /** Whether an answer describes a reservation and its place. */
    public static boolean isReservation(JsonNode answer) {
        try {
            // the id becomes part of URLs
            return ID.matcher(answer.path("id").asString("")).matches()
                    && second(answer, "start") < second(answer, "end")
                    && second(answer, "end") < LATEST;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Returns the mirror after a new answer. A reservation that has ended stays so, because an older answer may arrive late. */
    public Mirror heard(JsonNode now, long at) {
        return reporting(new Report(state().isLive() ? now : last.answer, at, true));
    }

    /** Returns the mirror of a reservation that must have ended. */
    public Mirror ended(ReservationState end, long at) {
        if (!state().isLive()) {
            return this;
        }
        var now = ((ObjectNode) last.answer.deepCopy()).put("state", end.name());
        return reporting(new Report(now, at, true));
    }

    /** Returns the mirror after something owed was sent. Anything that has become owed meanwhile is kept. */
    public Mirror paid(Owed what) {
        return owed == what ? owing(Owed.NOTHING) : this;
    }

    /** Whether both refer to the same reservation at the same place. */
    public boolean isOf(Mirror other) {
        return cluster.equals(other.cluster) && remoteId.equals(other.remoteId);
    }

    public Mirror unheard() {
        return reporting(new Report(last.answer, last.heardAt, false));
    }

    private Mirror reporting(Report report) {
        return new Mirror(id, cluster, origin, remoteId, owed, report, isDegraded, createdAt);
    }

    public Mirror owing(Owed what) {
        return new Mirror(id, cluster, origin, remoteId, what, last, isDegraded, createdAt);
    }

    public Mirror degraded() {
        return new Mirror(id, cluster, origin, remoteId, owed, last, true, createdAt);
    }
}
