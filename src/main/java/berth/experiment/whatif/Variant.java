package berth.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.workload.MixedWorkload;
import java.math.BigDecimal;

/** What is set in another way than the paper's experiment is, or where the paper does not say how it is set. */
enum Variant {
    /** At most 20 slots, makespan and completion time of equal weight: our reading. */
    STANDARD("as read", 20, "0.5"),
    /** Fewer slots. */
    FEW_SLOTS("5 slots", 5, "0.5"),
    /** More slots. */
    MANY_SLOTS("60 slots", 60, "0.5"),
    /** Only the makespan counts. */
    MAKESPAN("makespan only", 20, "1"),
    /** Only the average completion time counts. */
    COMPLETION("completion only", 20, "0"),
    /** Jobs take less than 89 nodes: section 5.4. */
    SMALL_JOBS("jobs below 89 nodes", 20, "0.5");

    static final int LIMIT = 88;

    private static final long MIN_SLOT_GAP = 15 * 60;

    private final String words;
    private final int slots;
    private final BigDecimal makespanWeight;

    Variant(String words, int slots, String makespanWeight) {
        this.words = words;
        this.slots = slots;
        this.makespanWeight = new BigDecimal(makespanWeight);
    }

    AvailabilityRules rules(AvailabilityMethod method) {
        return new AvailabilityRules(method, makespanWeight, BigDecimal.ZERO, slots, MIN_SLOT_GAP);
    }

    /** Whether it has other jobs than the rest. */
    boolean limitsJobs() {
        return this == SMALL_JOBS;
    }

    MixedWorkload limited(MixedWorkload workload) {
        return limitsJobs() ? workload.withJobsOnAtMost(LIMIT) : workload;
    }

    /** As in {@code 5 slots}. */
    String words() {
        return words;
    }
}
