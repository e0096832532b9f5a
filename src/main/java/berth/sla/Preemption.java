package berth.sla;

import java.math.BigDecimal;
import java.util.OptionalInt;

/**
 * How a run can be split: Sp(N, I, M) of paper 003, section 3.1. Parts never overlap. Adjacent parts with the same number of PEs count as
 * one.
 *
 * @param maxParts N, at least 1; empty means as many as there are steps
 * @param step I, the share of the run between two possible cuts; 1/step is a whole number
 * @param moldableParts M, whether each part can have its own shape
 */
public record Preemption(OptionalInt maxParts, BigDecimal step, boolean moldableParts) {

    /** The most steps of a run. */
    public static final int MAX_STEPS = 100;

    /** @throws InvalidFigure if a figure is out of range; it names the figure */
    public Preemption {
        if (step.signum() <= 0 || step.compareTo(BigDecimal.ONE) > 0 || !dividesOne(step)) {
            throw new InvalidFigure("preemption.step", step, "must be 1 divided by a whole number, from 0.01 to 1");
        }
        step = step.stripTrailingZeros();
        step = step.setScale(Math.max(0, step.scale()));
        if (maxParts.isPresent() && maxParts.getAsInt() < 1) {
            throw new InvalidFigure("preemption.maxParts", maxParts.getAsInt(), "must be at least 1");
        }
        if (maxParts.isPresent() && maxParts.getAsInt() > steps(step)) {
            throw new InvalidFigure(
                    "preemption.maxParts",
                    maxParts.getAsInt(),
                    "must be at most %d, the steps of the run".formatted(steps(step)));
        }
    }

    private static boolean dividesOne(BigDecimal step) {
        return step.scale() <= 6
                && step.compareTo(new BigDecimal("0.01")) >= 0
                && BigDecimal.ONE.remainder(step).signum() == 0;
    }

    private static int steps(BigDecimal step) {
        return BigDecimal.ONE.divide(step).intValueExact();
    }

    /** Returns the number of steps, from 1 to {@link #MAX_STEPS}. The run can be cut after each step except the last. */
    public int steps() {
        return steps(step);
    }

    /** Returns N, or the number of steps if N is not given. */
    public int mostParts() {
        return maxParts.orElse(steps());
    }
}
