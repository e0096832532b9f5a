package berth.cluster;

import berth.sla.InvalidFigure;
import java.math.BigDecimal;

/**
 * The rules for reservations on a cluster that also runs batch jobs.
 *
 * @param method the method that rates the availability of a slot
 * @param makespanWeight the weight of the makespan in the rating, in [0, 1]; the average completion time has the rest (paper 001, equation
 *     4)
 * @param minAvailability the lowest availability that Berth grants, in [0, 1]: with 0 a reservation may delay any job except the first in
 *     the queue, with 1 no job that another slot would not delay
 * @param maxSlots the most slots that one request examines, 1 to 200, not counting the slot of a job of the same size and the slot that the
 *     placement policy chooses
 * @param minSlotGap the shortest time between the starts of two examined slots, in seconds, at least 1
 */
public record AvailabilityRules(
        AvailabilityMethod method,
        BigDecimal makespanWeight,
        BigDecimal minAvailability,
        int maxSlots,
        long minSlotGap) {

    /** The rules of paper 001, which delay jobs by any amount. */
    public static final AvailabilityRules STANDARD =
            new AvailabilityRules(AvailabilityMethod.WHAT_IF, new BigDecimal("0.5"), BigDecimal.ZERO, 20, 15 * 60);

    /** The default rules of the service, which refuse reservations that delay jobs much (ADR 50). */
    public static final AvailabilityRules SERVICE = new AvailabilityRules(
            STANDARD.method, STANDARD.makespanWeight, new BigDecimal("0.95"), STANDARD.maxSlots, STANDARD.minSlotGap);

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

    /** Returns the same rules with a minimum availability of 0. */
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
