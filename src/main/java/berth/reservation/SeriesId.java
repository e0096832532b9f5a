package berth.reservation;

import java.util.UUID;

/**
 * Names a series of reservations everywhere. Identifiers are UUIDs of version 7.
 *
 * @param value the UUID
 */
public record SeriesId(UUID value) {
    @Override
    public String toString() {
        return value.toString();
    }
}
