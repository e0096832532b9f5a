package berth.cluster;

import berth.sla.InvalidFigure;
import java.math.BigDecimal;

/**
 * How reservations go beside batch jobs.
 *
 * @param method how the availability of a slot is told
 * @param makespanWeight the weight of the makespan in it, the rest being that of the average completion time; in [0, 1]
 *     (paper 001, equation 4)
 * @param minAvailability below which nothing is granted, in [0, 1]: 0 delays any job but the first of the queue, 1 none that a
 *     slot could do without
 * @param maxSlots the most slots that are looked at, 1 to 200, beside that of a job of the same size and that of the policy
 * @param minSlotGap the fewest seconds between two of them, at least 1
 */
public record AvailabilityRules(
        AvailabilityMethod method,
        BigDecimal makespanWeight,
        BigDecimal minAvailability,
        int maxSlots,
        long minSlotGap) {

    public static final AvailabilityRules STANDARD =
            new AvailabilityRules(AvailabilityMethod.WHAT_IF, new BigDecimal("0.5"), BigDecimal.ZERO, 20, 15 * 60);

    private static final int MAX_SLOTS = 200;
    private static final int MAX_DECIMALS = 6;

    /** @throws InvalidFigure if a figure is out of range */
    public AvailabilityRules {
        makespanWeight = share("makespanWeight", makespanWeight);
        minAvailability = share("minAvailability", minAvailability);
        if (maxSlots < 1 || maxSlots > MAX_SLOTS) {
            throw new InvalidFigure("maxSlots", maxSlots, "must lie between 1 and 200");
        }
        if (minSlotGap < 1 || minSlotGap > Policy.MAX_HORIZON) {
            throw new InvalidFigure("minSlotGap", minSlotGap, "must be longer than zero and at most ten years");
        }
    }

    /** The same rules, but that any slot is available enough that is available at all. */
    AvailabilityRules withoutMinimum() {
        return new AvailabilityRules(method, makespanWeight, BigDecimal.ZERO, maxSlots, minSlotGap);
    }

    private static BigDecimal share(String field, BigDecimal value) {
        var stripped = value.stripTrailingZeros();
        if (stripped.signum() < 0 || stripped.compareTo(BigDecimal.ONE) > 0 || stripped.scale() > MAX_DECIMALS) {
            throw new InvalidFigure(field, value, "must lie between 0 and 1, with at most 6 decimals");
        }
        return stripped.setScale(Math.max(0, stripped.scale()));
    }
}
