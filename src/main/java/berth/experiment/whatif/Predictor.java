package berth.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import java.util.Optional;

/** What may tell how much a slot delays jobs: the higher it is, the less. */
enum Predictor {
    /** The availability by load. */
    LOAD("LOAD", Optional.of(SlotRules.AS_READ.by(AvailabilityMethod.LOAD))),
    /** The availability by what-if, makespan and completion time of equal weight. */
    WHAT_IF("WHAT_IF", Optional.of(SlotRules.AS_READ.by(AvailabilityMethod.WHAT_IF))),
    /** The same, only the makespan. */
    MAKESPAN("WHAT_IF, makespan only", Optional.of(SlotRules.MAKESPAN.by(AvailabilityMethod.WHAT_IF))),
    /** The same, only the average completion time. */
    COMPLETION("WHAT_IF, completion only", Optional.of(SlotRules.COMPLETION.by(AvailabilityMethod.WHAT_IF))),
    /** How late the slot is, whatever the queue: what the others are to be better than. */
    LATENESS("the later the better", Optional.empty());

    private final String words;
    private final Optional<AvailabilityRules> rules;

    Predictor(String words, Optional<AvailabilityRules> rules) {
        this.words = words;
        this.rules = rules;
    }

    /** Under which it is the availability of a slot; empty if it is none. */
    Optional<AvailabilityRules> rules() {
        return rules;
    }

    /** As in {@code WHAT_IF, makespan only}. */
    String words() {
        return words;
    }
}
