package berth.sla;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * How far from its window a client takes a slot where there is no room in it: paper 000's threshold of φ (section 4.3).
 *
 * @param maxPhi the most of |φ|, in run times, in [0, 1000]; empty: as far as the cluster offers alternatives
 * @param earlier whether a slot before the window is taken, too
 */
public record Leeway(Optional<BigDecimal> maxPhi, boolean earlier) {

    /** Any alternative that is offered. */
    public static final Leeway ANY = new Leeway(Optional.empty(), true);

    private static final BigDecimal MAX = new BigDecimal("1000");

    /** As many as φ has. */
    private static final int DECIMALS = 6;

    private static final BigDecimal LEAST = BigDecimal.ONE.movePointLeft(DECIMALS);

    /** @throws InvalidFigure if φ is out of range */
    public Leeway {
        if (maxPhi.isPresent() && (maxPhi.get().signum() < 0 || maxPhi.get().compareTo(MAX) > 0)) {
            throw new InvalidFigure("maxPhi", maxPhi.get(), "must lie between 0 and 1000 run times");
        }
        // a number with a huge negative exponent is compared at once, but never rounded
        maxPhi = maxPhi.map(
                phi -> (phi.compareTo(LEAST) < 0 ? BigDecimal.ZERO : phi).setScale(DECIMALS, RoundingMode.DOWN));
    }

    /** The most of |φ| on a cluster that offers alternatives as far as {@code offered}. */
    public BigDecimal maxPhi(BigDecimal offered) {
        return maxPhi.map(offered::min).orElse(offered);
    }

    /** Whether a slot is taken that lies so far from the window, less than 0 before it. */
    public boolean takes(BigDecimal phi) {
        return (earlier || phi.signum() >= 0)
                && maxPhi.map(most -> phi.abs().compareTo(most) <= 0).orElse(true);
    }
}
