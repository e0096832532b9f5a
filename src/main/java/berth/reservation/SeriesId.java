package berth.reservation;

import java.util.UUID;

/**
 * The id of a series: a UUID of version 7.
 *
 * @param value the UUID
 */
public record SeriesId(UUID value) {
    @Override
    public String toString() {
        return value.toString();
    }
}
