package berth.process;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The number of PEs taken at once. */
final class Occupancy {

    private Occupancy() {}

    /** Returns the most PEs that these placements (objects with {@code start}, {@code end} and {@code pes}) take at one instant. */
    static int peak(List<JsonNode> placements) {
        var changes = new TreeMap<Instant, Integer>();
        for (var placement : placements) {
            int pes = placement.path("pes").asInt();
            changes.merge(Instant.parse(placement.path("start").asString()), pes, Integer::sum);
            changes.merge(Instant.parse(placement.path("end").asString()), -pes, Integer::sum);
        }
        int taken = 0;
        int peak = 0;
        for (int change : changes.values()) {
            taken += change;
            peak = Math.max(peak, taken);
        }
        return peak;
    }
}
