package berth.workload;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;

/**
 * How long jobs run (Lublin and Feitelson): the natural logarithm of the seconds is hyper-gamma, that is drawn
 * from one of two gamma distributions, and from the one of long runs the more often the more PEs the job has.
 *
 * @param shortShape shape of the gamma distribution of short runs
 * @param shortScale its scale; the mean is shape times scale
 * @param longShape shape of that of long runs
 * @param longScale its scale
 * @param slope how much the probability of a short run changes with each PE
 * @param intercept that probability for no PEs; the result is cut to [0, 1]
 */
public record JobRunTimes(
        double shortShape, double shortScale, double longShape, double longScale, double slope, double intercept) {
    /** A greater exponent is drawn again, as the authors' program does: the longest run is 162754 s, some 45 h. */
    private static final double LARGEST_EXPONENT = 12;

    /** @throws IllegalArgumentException if a shape or scale is not positive */
    public JobRunTimes {
        if (!(shortShape > 0 && shortScale > 0 && longShape > 0 && longScale > 0)) {
            throw new IllegalArgumentException("Shapes (%s, %s) and scales (%s, %s) of run times must be positive."
                    .formatted(shortShape, longShape, shortScale, longScale));
        }
    }

    /** The same run times on a machine whose jobs have {@code factor} times the PEs: the slope is less by it. */
    JobRunTimes stretched(double factor) {
        return new JobRunTimes(shortShape, shortScale, longShape, longScale, slope / factor, intercept);
    }

    double shortShare(int pes) {
        return Math.clamp(slope * pes + intercept, 0, 1);
    }

    Draws draws(UniformRandomProvider random) {
        return new Draws(this, random);
    }

    /** The random draws; not thread-safe. */
    static final class Draws {
        private final JobRunTimes model;
        private final UniformRandomProvider random;
        private final ContinuousSampler shortRuns;
        private final ContinuousSampler longRuns;

        private Draws(JobRunTimes model, UniformRandomProvider random) {
            this.model = model;
            this.random = random;
            this.shortRuns = AhrensDieterMarsagliaTsangGammaSampler.of(random, model.shortShape, model.shortScale);
            this.longRuns = AhrensDieterMarsagliaTsangGammaSampler.of(random, model.longShape, model.longScale);
        }

        /** Whole seconds, 1 to 162754. */
        long sample(int pes) {
            double shortShare = model.shortShare(pes);
            double exponent = exponent(shortShare);
            while (exponent > LARGEST_EXPONENT) {
                exponent = exponent(shortShare);
            }
            return (long) Math.exp(exponent);
        }

        private double exponent(double shortShare) {
            return random.nextDouble() <= shortShare ? shortRuns.sample() : longRuns.sample();
        }
    }
}
