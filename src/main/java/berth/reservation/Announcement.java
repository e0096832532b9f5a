package berth.reservation;

import java.util.List;
import java.util.Objects;

/**
 * What was told of a reservation ahead of its start or its end.
 *
 * @param lead how long ahead, in seconds
 * @param planned when that was to be, seconds since the epoch; if it has been moved since, it is told anew
 * @param version the reservation's, by which it was told
 */
public record Announcement(long lead, long planned, int version) {

    /** Rows of the journal from before anything was announced say nothing. */
    static List<Announcement> orNone(List<Announcement> read) {
        return List.copyOf(Objects.requireNonNullElse(read, List.of()));
    }
}
