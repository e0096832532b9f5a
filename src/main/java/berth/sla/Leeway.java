package berth.sla;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * How far outside its window a client accepts a slot if the window has no room: paper 000's threshold for φ (section 4.3).
 *
 * @param maxPhi the largest |φ|, in run times, in [0, 1000]; empty means as far as the cluster offers alternatives
 * @param earlier whether a slot before the window is acceptable too
 */
public record Leeway(Optional<BigDecimal> maxPhi, boolean earlier) {

    /** Accepts any alternative that the cluster offers. */
    public static final Leeway ANY = new Leeway(Optional.empty(), true);

    private static final BigDecimal MAX = new BigDecimal("1000");

    /** The number of decimals of φ. */
    private static final int DECIMALS = 6;

    private static final BigDecimal LEAST = BigDecimal.ONE.movePointLeft(DECIMALS);

    /** @throws InvalidFigure if φ is out of range */
    public Leeway {
        if (maxPhi.isPresent() && (maxPhi.get().signum() < 0 || maxPhi.get().compareTo(MAX) > 0)) {
            throw new InvalidFigure("maxPhi", maxPhi.get(), "must lie between 0 and 1000 run times");
        }
        // comparing a number with a huge negative exponent is cheap, rounding it is not
        maxPhi = maxPhi.map(
                phi -> (phi.compareTo(LEAST) < 0 ? BigDecimal.ZERO : phi).setScale(DECIMALS, RoundingMode.DOWN));
    }

    /** Returns the largest |φ| that the client accepts on a cluster that offers alternatives up to {@code offered}. */
    public BigDecimal maxPhi(BigDecimal offered) {
        return maxPhi.map(offered::min).orElse(offered);
    }

    /** Whether the client accepts slots that lie farther away than those of a cluster that offers alternatives up to {@code offered}. */
    public boolean exceeds(BigDecimal offered) {
        return maxPhi.filter(most -> most.compareTo(offered) > 0).isPresent();
    }

    /** Whether the client accepts a slot at that distance from the window. A negative φ means before the window. */
    public boolean takes(BigDecimal phi) {
        return (earlier || phi.signum() >= 0)
                && maxPhi.map(most -> phi.abs().compareTo(most) <= 0).orElse(true);
    }
}
