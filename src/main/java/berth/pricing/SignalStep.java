package berth.pricing;

import berth.sla.Components;
import berth.sla.InvalidFigure;
import java.math.BigDecimal;

/**
 * A factor on prices from some time on.
 *
 * @param from the first second, since the epoch
 * @param millionths the factor in millionths: {@value #MIN} for 0.01 to {@value #MAX} for 100
 */
public record SignalStep(long from, int millionths) {

    /** The lowest factor, 0.01. */
    public static final int MIN = 10_000;

    /** The highest factor, 100. */
    public static final int MAX = 100_000_000;

    /** The factor 1. */
    static final int ONE = 1_000_000;

    /** The decimals of a factor. */
    private static final int DECIMALS = 6;

    /** @throws InvalidFigure if the factor is out of range */
    public SignalStep {
        if (millionths < MIN || millionths > MAX) {
            throw new InvalidFigure("factor", factor(millionths), "must lie between 0.01 and 100");
        }
    }

    /**
     * Creates a step with that factor.
     *
     * @throws InvalidFigure if the factor is out of range or has more than six decimals
     */
    public static SignalStep of(long from, BigDecimal factor) {
        var millionths = factor.movePointRight(DECIMALS).stripTrailingZeros();
        if (factor.compareTo(factor(MIN)) < 0 || factor.compareTo(factor(MAX)) > 0) {
            throw new InvalidFigure("factor", factor, "must lie between 0.01 and 100");
        }
        if (millionths.scale() > 0) {
            throw new InvalidFigure("factor", factor, "must have at most 6 decimals");
        }
        return new SignalStep(from, millionths.intValueExact());
    }

    public BigDecimal factor() {
        return factor(millionths);
    }

    private static BigDecimal factor(int millionths) {
        return Components.stripped(BigDecimal.valueOf(millionths, DECIMALS));
    }
}
