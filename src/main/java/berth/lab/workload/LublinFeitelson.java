package berth.lab.workload;

import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The workload model of U. Lublin and D. G. Feitelson ("The workload on parallel supercomputers: modeling the characteristics of rigid
 * jobs", Journal of Parallel and Distributed Computing 63(11), 2003): sizes, run times and submissions of rigid jobs. Larger jobs run
 * longer, and submissions are denser by day. The constants are those of the authors' program, fitted to machines of 128 PEs.
 *
 * <p>Models are values: equal models draw equal jobs from equal random numbers. Sizes, run times and submissions each have their own stream
 * of random numbers, so replacing the model of one of them does not change the random numbers of the others. Run times still depend on the
 * sizes.
 */
public record LublinFeitelson(JobSizes sizes, JobRunTimes runTimes, JobArrivals arrivals) {
    private static final int FITTED_PES = 128;

    /** Batch and interactive jobs together. */
    public static final LublinFeitelson ALL_JOBS = new LublinFeitelson(
            new JobSizes(0.244, 0.576, 0.8, 4.5, 7, 0.86),
            new JobRunTimes(4.2, 0.94, 312, 0.03, -0.0054, 0.78),
            new JobArrivals(10.2303 * 1.0225, 0.4871, 8.1737, 3.9631, 1));

    /**
     * Returns the model for a Connection Machine CM-5 of 1024 PEs, as in paper 004 (section 5): all jobs are parallel, with sizes that are
     * powers of two from 32 to 1024.
     *
     * <p>Where the paper is unclear: the text has lost the probability of the lower stage, so it is that of {@link #ALL_JOBS}. Run times
     * and submissions are also those of {@link #ALL_JOBS}, because the site's own values are not in the text. The probability of a short
     * run falls with the share of the machine that a job takes; with the authors' slope, made for 128 PEs, no job of 145 PEs or more would
     * ever be short.
     *
     * @param medium the border of the two stages of sizes, 4.5 to 10; 7 for the log of that machine
     */
    public static LublinFeitelson connectionMachine(double medium) {
        double scale = 1024.0 / FITTED_PES;
        return new LublinFeitelson(
                new JobSizes(0, 1, 4.5, medium, 10, ALL_JOBS.sizes.lowShare()),
                ALL_JOBS.runTimes.stretched(scale),
                ALL_JOBS.arrivals);
    }

    /** Returns the same model with sizes for a machine of {@code pes} PEs; run times and submissions stay the same. */
    public LublinFeitelson onMachine(int pes) {
        double doublings = Math.log((double) pes / FITTED_PES) / Math.log(2);
        return new LublinFeitelson(sizes.doubled(doublings), runTimes, arrivals);
    }

    /** Returns the same sizes and submissions with the run times of another model. */
    public LublinFeitelson withRunTimesOf(LublinFeitelson other) {
        return new LublinFeitelson(sizes, other.runTimes, arrivals);
    }

    /** Returns the same model with another probability of the lower stage of sizes, in [0, 1]. */
    public LublinFeitelson withLowShare(double lowShare) {
        return new LublinFeitelson(sizes.withLowShare(lowShare), runTimes, arrivals);
    }

    /** Returns the same jobs with a mean gap of {@code seconds} between submissions. */
    public LublinFeitelson withMeanGap(double seconds) {
        return new LublinFeitelson(sizes, runTimes, arrivals.withMeanGap(seconds));
    }

    /** Starts the draws from streams that do not overlap. Afterwards {@code random} is past these streams. */
    public Draws draws(JumpableUniformRandomProvider random) {
        return new Draws(this, random.jump(), random.jump(), random.jump());
    }

    /** The jobs in the order of submission; not thread-safe. */
    public static final class Draws {
        private final JobSizes sizes;
        private final UniformRandomProvider sizeRandom;
        private final JobRunTimes.Draws runTimes;
        private final JobArrivals.Draws arrivals;

        private Draws(
                LublinFeitelson model,
                UniformRandomProvider arrivalRandom,
                UniformRandomProvider sizeRandom,
                UniformRandomProvider runTimeRandom) {
            this.sizes = model.sizes;
            this.sizeRandom = sizeRandom;
            this.runTimes = model.runTimes.draws(runTimeRandom);
            this.arrivals = model.arrivals.draws(arrivalRandom);
        }

        /** Returns the next job. */
        public ModelJob next() {
            int pes = sizes.sample(sizeRandom);
            return new ModelJob(arrivals.next(), pes, runTimes.sample(pes));
        }
    }
}
