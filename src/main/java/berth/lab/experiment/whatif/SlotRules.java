package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import java.math.BigDecimal;

/**
 * The rules by which slots are chosen and rated: constants that the paper does not give.
 *
 * @param slots the most slots to examine for a request (section 4)
 * @param makespanWeight the weight of the makespan in the availability by what-if, 0 to 1; the average completion time has the rest
 *     (equation 4)
 * @param minAvailability the lowest availability that is granted, 0 to 1 (section 2: a reservation must not delay jobs too much)
 */
record SlotRules(int slots, BigDecimal makespanWeight, BigDecimal minAvailability) {
    /** Our reading: equal weights of makespan and completion time. */
    static final SlotRules AS_READ = new SlotRules(20, new BigDecimal("0.5"), BigDecimal.ZERO);
    /** A quarter of the slots. */
    static final SlotRules FEW_SLOTS = AS_READ.of(5);
    /** Three times as many slots. */
    static final SlotRules MANY_SLOTS = AS_READ.of(60);
    /** The makespan only. */
    static final SlotRules MAKESPAN = new SlotRules(AS_READ.slots, BigDecimal.ONE, BigDecimal.ZERO);
    /** The average completion time only. */
    static final SlotRules COMPLETION = new SlotRules(AS_READ.slots, BigDecimal.ZERO, BigDecimal.ZERO);
    /** The threshold that the service has by default. */
    static final SlotRules SERVICE =
            new SlotRules(AS_READ.slots, AS_READ.makespanWeight, AvailabilityRules.SERVICE.minAvailability());

    private static final long MIN_SLOT_GAP = 15 * 60;

    private SlotRules of(int otherSlots) {
        return new SlotRules(otherSlots, makespanWeight, minAvailability);
    }

    AvailabilityRules by(AvailabilityMethod method) {
        return new AvailabilityRules(method, makespanWeight, minAvailability, slots, MIN_SLOT_GAP);
    }
}
