package berth.reservation;

import java.util.List;
import java.util.Objects;

/**
 * The announcement of a reservation's start or end.
 *
 * @param lead how long ahead of the start or end it was made, in seconds
 * @param planned the announced time, in seconds since the epoch; after a move Berth announces the new time
 * @param version the version of the reservation that made the announcement
 */
public record Announcement(long lead, long planned, int version) {

    /** Returns an empty list for journal rows that are older than announcements. */
    static List<Announcement> orNone(List<Announcement> read) {
        return List.copyOf(Objects.requireNonNullElse(read, List.of()));
    }
}
