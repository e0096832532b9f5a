package berth.reservation;

import java.util.UUID;

/**
 * The id of a reservation: a UUID of version 7, so later ids sort after earlier ones.
 *
 * @param value the UUID
 */
public record ReservationId(UUID value) {
    @Override
    public String toString() {
        return value.toString();
    }
}
