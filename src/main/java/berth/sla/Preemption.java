package berth.sla;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a run can be split: Sp(N, I, M) of paper 003, section 3.1. Parts never overlap. Adjacent parts with the same number of PEs count as
 * one. Either {@code step} or {@code steps} is present, whichever the client gave; a share such as a third has no decimal.
 *
 * @param maxParts N, at least 1; empty means as many as there are steps
 * @param step I, the share of the run between two possible cuts; 1/step is a whole number
 * @param steps 1/I, the number of equal steps between the possible cuts, from 1 to {@link #MAX_STEPS}
 * @param moldableParts M, whether each part can have its own shape
 */
public record Preemption(OptionalInt maxParts, Optional<BigDecimal> step, OptionalInt steps, boolean moldableParts) {

    /** The most steps of a run. */
    public static final int MAX_STEPS = 100;

    /** @throws InvalidFigure if a figure is out of range, or if not exactly one of step and steps is given; it names the figure */
    public Preemption {
        if (step.isPresent() && steps.isPresent()) {
            throw new InvalidFigure(
                    "preemption.steps",
                    steps.getAsInt(),
                    "cannot be combined with step; leave step out, or send null for it");
        }
        if (step.isEmpty() && steps.isEmpty()) {
            throw new InvalidFigure("preemption.step", "none", "is missing, and so is steps; send one of the two");
        }
        if (step.isPresent()) {
            var share = step.get();
            if (share.signum() <= 0 || share.compareTo(BigDecimal.ONE) > 0 || !dividesOne(share)) {
                throw new InvalidFigure(
                        "preemption.step",
                        share,
                        "must be 1 divided by a whole number, from 0.01 to 1; for a share that has no such decimal send steps, such as 3 for thirds");
            }
            var stripped = share.stripTrailingZeros();
            step = Optional.of(stripped.setScale(Math.max(0, stripped.scale())));
        } else if (steps.getAsInt() < 1 || steps.getAsInt() > MAX_STEPS) {
            throw new InvalidFigure("preemption.steps", steps.getAsInt(), "must lie between 1 and " + MAX_STEPS);
        }
        if (maxParts.isPresent() && maxParts.getAsInt() < 1) {
            throw new InvalidFigure("preemption.maxParts", maxParts.getAsInt(), "must be at least 1");
        }
        int count = stepCount(step, steps);
        if (maxParts.isPresent() && maxParts.getAsInt() > count) {
            throw new InvalidFigure(
                    "preemption.maxParts",
                    maxParts.getAsInt(),
                    "must be at most %d, the steps of the run".formatted(count));
        }
    }

    /** Creates preemption by the share of the run between two possible cuts. */
    public Preemption(OptionalInt maxParts, BigDecimal step, boolean moldableParts) {
        this(maxParts, Optional.of(step), OptionalInt.empty(), moldableParts);
    }

    /** Creates preemption by the number of steps. */
    public Preemption(OptionalInt maxParts, int steps, boolean moldableParts) {
        this(maxParts, Optional.empty(), OptionalInt.of(steps), moldableParts);
    }

    private static boolean dividesOne(BigDecimal step) {
        return step.scale() <= 6
                && step.compareTo(new BigDecimal("0.01")) >= 0
                && BigDecimal.ONE.remainder(step).signum() == 0;
    }

    private static int stepCount(Optional<BigDecimal> step, OptionalInt steps) {
        return step.map(share -> BigDecimal.ONE.divide(share).intValueExact()).orElseGet(steps::getAsInt);
    }

    /** Returns the number of steps, from 1 to {@link #MAX_STEPS}. The run can be cut after each step except the last. */
    public int stepCount() {
        return stepCount(step, steps);
    }

    /** Returns N, or the number of steps if N is not given. */
    public int mostParts() {
        return maxParts.orElse(stepCount());
    }

    /** Whether both allow the same parts, in whichever way the steps were given. */
    public boolean isSameAs(Preemption other) {
        return maxParts.equals(other.maxParts)
                && stepCount() == other.stepCount()
                && moldableParts == other.moldableParts;
    }

    /**
     * Returns the error for the field that gave the steps.
     *
     * @param rule the rule that the steps break
     */
    InvalidFigure wrongSteps(String rule) {
        return new InvalidFigure(stepsField(), step.<Object>map(share -> share).orElseGet(steps::getAsInt), rule);
    }

    /** Returns the API's name of the field that gave the steps. */
    String stepsField() {
        return step.isPresent() ? "preemption.step" : "preemption.steps";
    }
}
