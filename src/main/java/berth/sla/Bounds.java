package berth.sla;

import java.math.BigDecimal;

/**
 * The bounds that a cluster sets for a run.
 *
 * @param rating the speed relative to a standard PE
 * @param pes the most PEs that reservations may take at one time
 * @param runTime the longest run, in seconds on this cluster
 */
public record Bounds(BigDecimal rating, int pes, long runTime) {

    boolean allow(Shape shape) {
        return shape.pes() <= pes && shape.runTime() <= runTime;
    }
}
