package berth.batch;

import berth.reservation.ClusterId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Names a batch job. */
public record JobId(UUID value) {

    /** The name of a job that an outside batch system knows as {@code name}: always the same one. */
    public static JobId outside(ClusterId cluster, String name) {
        return new JobId(UUID.nameUUIDFromBytes((cluster + "/" + name).getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
