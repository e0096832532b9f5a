package berth.rest;

import berth.sla.Preemption;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a run may be split into parts that follow one another.
 *
 * @param maxParts the largest number of parts; the number of steps, if left out
 * @param step the smallest share of the run after which it may be cut; it may also be cut after each multiple of this share. 1 divided by
 *     it must be a whole number
 * @param moldableParts whether each part may have its own shape; false, if left out
 */
record PreemptionBody(
        @Nullable Integer maxParts,
        @Required @Nullable BigDecimal step,
        @Nullable Boolean moldableParts) {

    Optional<Preemption> read(Fields fields) {
        if (step == null) {
            fields.required("terms.preemption.step", null, BigDecimal.ONE);
            return Optional.empty();
        }
        return fields.figures(
                "terms.",
                () -> Optional.of(new Preemption(
                        maxParts == null ? OptionalInt.empty() : OptionalInt.of(maxParts),
                        step,
                        Boolean.TRUE.equals(moldableParts))),
                Optional.empty());
    }

    static PreemptionBody of(Preemption preemption) {
        return new PreemptionBody(
                preemption.maxParts().isPresent() ? preemption.maxParts().getAsInt() : null,
                preemption.step(),
                preemption.moldableParts());
    }
}
