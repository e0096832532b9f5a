package berth.workload;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.statistics.distribution.GammaDistribution;

/**
 * When jobs are submitted (Lublin and Feitelson): the natural logarithm of the seconds between two submissions
 * is gamma distributed, and a second passes as quickly as the half-hour of the day is busy. The business of the 48
 * half-hours follows a gamma distribution that begins at five in the morning; their mean is 1. Day and draws begin at
 * midnight.
 *
 * @param shape of the gamma distribution of the gaps
 * @param scale of it, less than 1
 * @param cycleShape of the gamma distribution of the daily cycle
 * @param cycleScale of it, in half-hours
 * @param stretch by which each gap is multiplied; 1 in the authors' program
 */
public record JobArrivals(double shape, double scale, double cycleShape, double cycleScale, double stretch) {
    /** A greater exponent is drawn again, as the authors' program does: the longest gap is some five days. */
    private static final double LARGEST_EXPONENT = 13;

    private static final int HALF_HOURS = 48;
    private static final int FIRST_HALF_HOUR = 11;
    private static final double HALF_HOUR = 1800;

    /** @throws IllegalArgumentException if a figure is not positive, or the gaps would have no mean */
    public JobArrivals {
        if (!(shape > 0 && scale > 0 && scale < 1 && cycleShape > 0 && cycleScale > 0 && stretch > 0)) {
            throw new IllegalArgumentException(
                    "Shapes (%s, %s), scales (%s below 1, %s) and the stretch (%s) of arrivals must be positive."
                            .formatted(shape, cycleShape, scale, cycleScale, stretch));
        }
    }

    /**
     * The mean of the gaps in seconds, busy and quiet hours together. It is that of the exponential of a gamma
     * distribution that ends at the largest exponent.
     */
    public double meanGap() {
        double tilted = GammaDistribution.of(shape, scale / (1 - scale)).cumulativeProbability(LARGEST_EXPONENT);
        double kept = GammaDistribution.of(shape, scale).cumulativeProbability(LARGEST_EXPONENT);
        return stretch * Math.pow(1 - scale, -shape) * tilted / kept;
    }

    /** The same arrivals, made denser or sparser so that the mean gap is {@code seconds}; the day keeps its length. */
    public JobArrivals withMeanGap(double seconds) {
        return new JobArrivals(shape, scale, cycleShape, cycleScale, stretch * seconds / meanGap());
    }

    /** How busy each half-hour of the day is, from midnight on; the mean is 1. */
    double[] cycle() {
        GammaDistribution gamma = GammaDistribution.of(cycleShape, cycleScale);
        double whole = gamma.probability(FIRST_HALF_HOUR - 0.5, FIRST_HALF_HOUR + HALF_HOURS - 0.5);
        double[] cycle = new double[HALF_HOURS];
        for (int i = FIRST_HALF_HOUR; i < FIRST_HALF_HOUR + HALF_HOURS; i++) {
            cycle[(i - 1) % HALF_HOURS] = gamma.probability(i - 0.5, i + 0.5) * HALF_HOURS / whole;
        }
        return cycle;
    }

    Draws draws(UniformRandomProvider random) {
        return new Draws(this, random);
    }

    /** The submissions, one after the other; not thread-safe. */
    static final class Draws {
        private final ContinuousSampler exponents;
        private final double stretch;
        private final double[] cycle;
        private long halfHour;
        /** How much of the present half-hour's business is spent. */
        private double spent;

        private Draws(JobArrivals model, UniformRandomProvider random) {
            this.exponents = AhrensDieterMarsagliaTsangGammaSampler.of(random, model.shape, model.scale);
            this.stretch = model.stretch;
            this.cycle = model.cycle();
        }

        /** When the next job is submitted, in seconds since midnight of the first day. */
        double next() {
            spent += gap() / HALF_HOUR;
            while (spent > business()) {
                spent -= business();
                halfHour++;
            }
            return (halfHour + spent / business()) * HALF_HOUR;
        }

        private double business() {
            return cycle[(int) (halfHour % HALF_HOURS)];
        }

        private double gap() {
            double exponent = exponents.sample();
            while (exponent > LARGEST_EXPONENT) {
                exponent = exponents.sample();
            }
            return stretch * Math.exp(exponent);
        }
    }
}
