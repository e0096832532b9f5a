package berth.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import java.math.BigDecimal;

/**
 * How slots are chosen and told apart: constants that the paper does not give.
 *
 * @param slots at most as many of a request are looked at (section 4)
 * @param makespanWeight what the makespan counts in the availability by what-if, 0 to 1; the average completion time counts
 *     the rest (equation 4)
 */
record SlotRules(int slots, BigDecimal makespanWeight) {
    /** Our reading: makespan and completion time count alike. */
    static final SlotRules AS_READ = new SlotRules(20, new BigDecimal("0.5"));
    /** A quarter of the slots. */
    static final SlotRules FEW_SLOTS = AS_READ.of(5);
    /** Three times as many. */
    static final SlotRules MANY_SLOTS = AS_READ.of(60);
    /** Only the makespan counts. */
    static final SlotRules MAKESPAN = new SlotRules(AS_READ.slots, BigDecimal.ONE);
    /** Only the average completion time counts. */
    static final SlotRules COMPLETION = new SlotRules(AS_READ.slots, BigDecimal.ZERO);

    private static final long MIN_SLOT_GAP = 15 * 60;

    private SlotRules of(int otherSlots) {
        return new SlotRules(otherSlots, makespanWeight);
    }

    AvailabilityRules by(AvailabilityMethod method) {
        return new AvailabilityRules(method, makespanWeight, BigDecimal.ZERO, slots, MIN_SLOT_GAP);
    }
}
