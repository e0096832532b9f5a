package berth.lab.workload;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;

/**
 * The run times of jobs (Lublin and Feitelson). The natural logarithm of the seconds is hyper-gamma: it comes from one of two gamma
 * distributions. The more PEs the job has, the more often it comes from the distribution of long runs.
 *
 * @param shortShape the shape of the gamma distribution of short runs
 * @param shortScale its scale; the mean is shape times scale
 * @param longShape the shape of the distribution of long runs
 * @param longScale its scale
 * @param slope the change of the probability of a short run with each PE
 * @param intercept that probability for no PEs; the result is cut to [0, 1]
 */
record JobRunTimes(
        double shortShape, double shortScale, double longShape, double longScale, double slope, double intercept) {
    /**
     * The largest exponent of a run time. A greater one is drawn again, as in the authors' program, so the longest run is 162754 s, about
     * 45 h.
     */
    private static final double LARGEST_EXPONENT = 12;

    /** @throws IllegalArgumentException if a shape or scale is not positive */
    public JobRunTimes {
        if (!(shortShape > 0 && shortScale > 0 && longShape > 0 && longScale > 0)) {
            throw new IllegalArgumentException("Shapes (%s, %s) and scales (%s, %s) of run times must be positive."
                    .formatted(shortShape, longShape, shortScale, longScale));
        }
    }

    /** Returns the run times on a machine whose jobs have {@code factor} times as many PEs: the slope is divided by the factor. */
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

        /** Returns a run time in whole seconds, 1 to 162754. */
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
