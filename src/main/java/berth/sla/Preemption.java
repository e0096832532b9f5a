package berth.sla;

import java.math.BigDecimal;
import java.util.OptionalInt;

/**
 * How a run may be split: Sp(N, I, M) of paper 003, section 3.1. Its parts follow one another, never at the same time; those
 * that touch on as many PEs are one.
 *
 * @param maxParts N, at least 1; empty: as many as there are steps
 * @param step I, the share of the run after which it may be cut, and after each multiple: 1/step is whole
 * @param moldableParts M, whether each part may have a shape of its own
 */
public record Preemption(OptionalInt maxParts, BigDecimal step, boolean moldableParts) {

    /** The most steps a run can have. */
    public static final int MAX_STEPS = 100;

    /** @throws InvalidFigure naming the figure that is out of range */
    public Preemption {
        if (step.signum() <= 0 || step.compareTo(BigDecimal.ONE) > 0 || !dividesOne(step)) {
            throw new InvalidFigure(
                    "preemption.step", step, "must be a share of the run of which a whole number is 1, from 0.01 to 1");
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

    /** The steps of the run: it may be cut after each but the last. From 1 to {@link #MAX_STEPS}. */
    public int steps() {
        return steps(step);
    }

    /** N, where every step may be a part: their number. */
    public int mostParts() {
        return maxParts.orElse(steps());
    }
}
