package berth.lab.workload;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * The numbers of PEs of jobs (Lublin and Feitelson). Some jobs have one PE. For the others, the binary logarithm is uniform in two stages
 * and usually rounded to a whole number.
 *
 * @param serialShare the probability of a job with one PE, in [0, 1]
 * @param powerOfTwoShare the probability of a size that is made a power of two, in [0, 1 - serialShare]
 * @param low the least binary logarithm of the other sizes
 * @param medium the border of the two stages, in [low, high]
 * @param high the greatest binary logarithm, at most 24
 * @param lowShare the probability of the lower stage, in [0, 1]
 */
public record JobSizes(
        double serialShare, double powerOfTwoShare, double low, double medium, double high, double lowShare) {
    private static final double MAX = 24;

    /** @throws IllegalArgumentException if a figure is out of its range */
    public JobSizes {
        if (!(serialShare >= 0 && powerOfTwoShare >= 0 && serialShare + powerOfTwoShare <= 1)) {
            throw new IllegalArgumentException(
                    "The shares of serial jobs (%s) and of powers of two (%s) must each be at least 0 and together at most 1."
                            .formatted(serialShare, powerOfTwoShare));
        }
        if (!(low >= 0 && low <= medium && medium <= high && high <= MAX && lowShare >= 0 && lowShare <= 1)) {
            throw new IllegalArgumentException(
                    "The sizes must rise from low (%s) over medium (%s) to high (%s) and lie between 0 and %s, and the share of the lower stage (%s) must lie between 0 and 1."
                            .formatted(low, medium, high, MAX, lowShare));
        }
    }

    /** Returns the sizes on a machine with 2^{@code doublings} times as many PEs; the upper stage keeps its width. */
    JobSizes doubled(double doublings) {
        return new JobSizes(serialShare, powerOfTwoShare, low, medium + doublings, high + doublings, lowShare);
    }

    JobSizes withLowShare(double other) {
        return new JobSizes(serialShare, powerOfTwoShare, low, medium, high, other);
    }

    int sample(UniformRandomProvider random) {
        double kind = random.nextDouble();
        if (kind <= serialShare) {
            return 1;
        }
        double logarithm = twoStageUniform(random);
        boolean isPowerOfTwo = kind <= serialShare + powerOfTwoShare;
        return (int) Math.round(Math.pow(2, isPowerOfTwo ? Math.round(logarithm) : logarithm));
    }

    private double twoStageUniform(UniformRandomProvider random) {
        return random.nextDouble() <= lowShare
                ? low + (medium - low) * random.nextDouble()
                : medium + (high - medium) * random.nextDouble();
    }
}
