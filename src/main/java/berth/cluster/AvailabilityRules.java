package berth.cluster;

import static berth.sla.Components.checked;

import berth.sla.Configuration;
import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.math.BigDecimal;

/**
 * The rules for reservations on a cluster that also runs batch jobs. The weights are those of paper 001, equation 4. With a minimum
 * availability of 1, a slot may delay no job that another slot would not delay. The slots that are examined do not include the slot of a job
 * of the same size and the slot that the placement policy chooses.
 *
 * @param method how Berth measures the effect of a slot on the batch jobs
 * @param makespanWeight weight of the makespan in that measure; the average completion time has the remaining weight
 * @param minAvailability the lowest availability at which a slot is granted; with 0, reservations may delay every batch job except the next
 *     one
 * @param maxSlots the most slots that a probe spreads over the window
 * @param minSlotGap the least time between two such slots
 */
public record AvailabilityRules(
        @Settable(name = "availability") AvailabilityMethod method,
        @Settable(min = "0", max = "1", example = "0.5") BigDecimal makespanWeight,
        @Settable(min = "0", max = "1", example = "0.8") BigDecimal minAvailability,
        @Settable(min = "1", max = "200", example = "20") int maxSlots,

        @Settable(min = "1", max = Policy.MAX_TIME, example = "PT15M")
        long minSlotGap)
        implements Configuration<AvailabilityRules> {

    /** The rules of paper 001, which delay jobs by any amount. */
    public static final AvailabilityRules STANDARD =
            new AvailabilityRules(AvailabilityMethod.WHAT_IF, new BigDecimal("0.5"), BigDecimal.ZERO, 20, 15 * 60);

    /** The default rules of the service, which refuse reservations that delay jobs much (ADR 50). */
    public static final AvailabilityRules SERVICE = STANDARD.with("minAvailability", new BigDecimal("0.95"));

    /** @throws InvalidFigure if a figure is out of range */
    public AvailabilityRules {
        makespanWeight = checked(AvailabilityRules.class, "makespanWeight", makespanWeight);
        minAvailability = checked(AvailabilityRules.class, "minAvailability", minAvailability);
        checked(AvailabilityRules.class, "maxSlots", maxSlots);
        checked(AvailabilityRules.class, "minSlotGap", minSlotGap);
    }

    /** Returns the same rules with a minimum availability of 0. */
    AvailabilityRules withoutMinimum() {
        return with("minAvailability", BigDecimal.ZERO);
    }
}
