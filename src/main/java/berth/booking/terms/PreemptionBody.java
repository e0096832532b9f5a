package berth.booking.terms;

import berth.http.Fields;
import berth.http.Texts;
import berth.sla.Preemption;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a run may be split into parts that follow one another. It has either {@code step} or {@code steps}.
 *
 * @param maxParts the largest number of parts; the number of steps, if left out
 * @param step the smallest share of the run after which it may be cut; it may also be cut after each multiple of this share. 1 divided by
 *     it must be a whole number. Left out if {@code steps} is given
 * @param steps the number of equal steps of the run, after each of which it may be cut, such as 3 for thirds. Left out if {@code step} is
 *     given
 * @param moldableParts whether each part may have its own shape; false, if left out
 */
record PreemptionBody(
        @Nullable Integer maxParts,
        @Nullable BigDecimal step,
        @Nullable Integer steps,
        @Nullable Boolean moldableParts) {

    Optional<Preemption> read(Fields fields) {
        if (step == null && steps == null) {
            fields.malformed("terms.preemption.step", null, "is required, unless steps is given");
            return Optional.empty();
        }
        return fields.figures(
                "terms.",
                () -> Optional.of(new Preemption(
                        optional(maxParts),
                        Optional.ofNullable(step),
                        optional(steps),
                        Boolean.TRUE.equals(moldableParts))),
                Optional.empty());
    }

    static PreemptionBody of(Preemption preemption) {
        return new PreemptionBody(
                orNull(preemption.maxParts()),
                Texts.orNull(preemption.step()),
                orNull(preemption.steps()),
                preemption.moldableParts());
    }

    private static OptionalInt optional(@Nullable Integer number) {
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    private static @Nullable Integer orNull(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }
}
