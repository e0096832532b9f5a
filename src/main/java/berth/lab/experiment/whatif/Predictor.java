package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import java.util.Optional;

/** A score that may predict how much a slot delays jobs: higher scores for shorter delays. */
enum Predictor {
    /** The availability by load. */
    LOAD("LOAD", Optional.of(SlotRules.AS_READ.by(AvailabilityMethod.LOAD))),
    /** The availability by what-if, with equal weights of makespan and completion time. */
    WHAT_IF("WHAT_IF", Optional.of(SlotRules.AS_READ.by(AvailabilityMethod.WHAT_IF))),
    /** The availability by what-if, with the makespan only. */
    MAKESPAN("WHAT_IF, makespan only", Optional.of(SlotRules.MAKESPAN.by(AvailabilityMethod.WHAT_IF))),
    /** The availability by what-if, with the average completion time only. */
    COMPLETION("WHAT_IF, completion only", Optional.of(SlotRules.COMPLETION.by(AvailabilityMethod.WHAT_IF))),
    /** How late the slot is, regardless of the queue; the baseline for the others. */
    LATENESS("the later the better", Optional.empty());

    private final String words;
    private final Optional<AvailabilityRules> rules;

    Predictor(String words, Optional<AvailabilityRules> rules) {
        this.words = words;
        this.rules = rules;
    }

    /** Returns the rules for which it is the availability of a slot; empty if it is not an availability. */
    Optional<AvailabilityRules> rules() {
        return rules;
    }

    /** Returns a text as in {@code WHAT_IF, makespan only}. */
    String words() {
        return words;
    }
}
