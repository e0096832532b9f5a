package berth.lab.workload;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.statistics.distribution.GammaDistribution;

/**
 * The submissions of jobs (Lublin and Feitelson). The natural logarithm of the seconds between two submissions has a gamma distribution,
 * and the gaps are shorter in busy half-hours of the day. The activity of the 48 half-hours follows a gamma distribution that begins at
 * five in the morning, with a mean of 1. The draws begin at midnight.
 *
 * @param shape the shape of the gamma distribution of the gaps
 * @param scale its scale, less than 1
 * @param cycleShape the shape of the gamma distribution of the daily cycle
 * @param cycleScale its scale, in half-hours
 * @param stretch the factor on each gap; 1 in the authors' program
 */
record JobArrivals(double shape, double scale, double cycleShape, double cycleScale, double stretch) {
    /**
     * The largest exponent of a gap. A greater one is drawn again, as in the authors' program, so the longest gap before stretching is
     * about five days.
     */
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
     * Returns the mean gap in seconds over busy and quiet hours: the mean of the exponential of a gamma distribution that is cut at the
     * largest exponent.
     */
    public double meanGap() {
        double tilted = GammaDistribution.of(shape, scale / (1 - scale)).cumulativeProbability(LARGEST_EXPONENT);
        double kept = GammaDistribution.of(shape, scale).cumulativeProbability(LARGEST_EXPONENT);
        return stretch * Math.pow(1 - scale, -shape) * tilted / kept;
    }

    /** Returns the same arrivals, denser or sparser, so that the mean gap is {@code seconds}. The length of the day stays the same. */
    public JobArrivals withMeanGap(double seconds) {
        return new JobArrivals(shape, scale, cycleShape, cycleScale, stretch * seconds / meanGap());
    }

    /** Returns the activity of each half-hour of the day from midnight; the mean is 1. */
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

    /** The submissions, one after another; not thread-safe. */
    static final class Draws {
        private final ContinuousSampler exponents;
        private final double stretch;
        private final double[] cycle;
        private long halfHour;
        /** How much of the activity of {@code halfHour} the jobs so far have used. */
        private double spent;

        private Draws(JobArrivals model, UniformRandomProvider random) {
            this.exponents = AhrensDieterMarsagliaTsangGammaSampler.of(random, model.shape, model.scale);
            this.stretch = model.stretch;
            this.cycle = model.cycle();
        }

        /** Returns the time of the next submission, in seconds since midnight of the first day. */
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
