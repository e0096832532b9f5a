package berth.sla;

import java.math.BigDecimal;

/**
 * What a cluster lets a run be.
 *
 * @param rating its speed relative to a standard PE
 * @param pes the most PEs that may be reserved at one time
 * @param runTime the most seconds that a run may take on it
 */
public record Bounds(BigDecimal rating, int pes, long runTime) {

    boolean allow(Shape shape) {
        return shape.pes() <= pes && shape.runTime() <= runTime;
    }
}
