package berth.reservation;

import java.util.UUID;

/**
 * Names a reservation everywhere. Identifiers are UUIDs of version 7: later ones sort after earlier ones.
 *
 * @param value the UUID
 */
public record ReservationId(UUID value) {
    @Override
    public String toString() {
        return value.toString();
    }
}
