package berth.batch;

import berth.reservation.ClusterId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The id of a batch job. */
public record JobId(UUID value) {

    /** Returns the id of a job in an external batch system. The same name always gives the same id. */
    public static JobId outside(ClusterId cluster, String name) {
        return new JobId(UUID.nameUUIDFromBytes((cluster + "/" + name).getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
