package berth.cluster;

import java.util.UUID;

/**
 * The id of an outage.
 *
 * @param value a UUID of version 7
 */
public record OutageId(UUID value) {
    @Override
    public String toString() {
        return value.toString();
    }
}
