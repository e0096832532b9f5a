package berth.workload;

import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Makes advance reservations of the jobs of a log, as paper 000 does for its experiments (section 4.1): a job of run time
 * Te submitted at Tsub is to be done by D = Tsub + Te·p, with p drawn from a Poisson distribution of mean 5, and may
 * start at D − Te at the earliest, so its window leaves no slack. Jobs that ran for less than a minute are left out. For
 * a share of the requests the window is longer; the paper draws how much longer from a Poisson distribution too.
 *
 * <p>What the paper leaves open, and our reading:
 *
 * <ul>
 *   <li>p = 0 (0.67 % of the draws) would put the start before the request: it is drawn again until p ≥ 1, so the mean
 *       of p is 5.03.
 *   <li>The longer window moves D later by Te·k/100, k of Poisson mean {@code flexibility}, and leaves the ready time:
 *       the sentence in the paper sets "λ ← φ = 50 %", and φ is elsewhere a share of Te. Parts of a second are dropped.
 *   <li>The paper makes half of each workload flexible; here each request is flexible with the probability {@code
 *       flexibleShare}, independently of the others.
 *   <li>PEs are those the job asked for, or was given where the request is unknown; jobs without PEs or larger than the
 *       machine are left out.
 * </ul>
 *
 * <p>The recipe is a value: equal recipes draw equal requests from the same jobs in the same order. Ready times do not
 * depend on the two settings of flexibility, and a request that is flexible at one share is so at every larger one.
 *
 * @param machinePes PEs of the machine, at least 1
 * @param seed of the random draws
 * @param flexibleShare probability that a request is flexible, in [0, 1]
 * @param flexibility mean extension of a flexible window in percent of the run time, in [0, 10000]
 * @param zero what becomes of p = 0
 */
public record AdvanceReservationRecipe(
        int machinePes, long seed, double flexibleShare, double flexibility, ZeroLateness zero) {
    private static final double MEAN_LATENESS = 5;
    private static final DiscreteSampler NONE = () -> 0;

    /** What becomes of a request whose p is 0, so that it would start before it is made. */
    public enum ZeroLateness {
        /** Its p is drawn again until it is positive. */
        DRAWN_AGAIN,
        /** Its p is 1: it is to start at once. */
        STARTS_AT_ONCE
    }

    /** The recipe as we read the paper: p = 0 is drawn again. */
    public AdvanceReservationRecipe(int machinePes, long seed, double flexibleShare, double flexibility) {
        this(machinePes, seed, flexibleShare, flexibility, ZeroLateness.DRAWN_AGAIN);
    }

    /** @throws IllegalArgumentException if a value is out of its range */
    public AdvanceReservationRecipe {
        if (machinePes < 1) {
            throw new IllegalArgumentException("The PEs (%d) of a machine must be positive.".formatted(machinePes));
        }
        if (!(flexibleShare >= 0 && flexibleShare <= 1)) {
            throw new IllegalArgumentException(
                    "The share of flexible requests (%s) must lie within 0 and 1.".formatted(flexibleShare));
        }
        if (!(flexibility >= 0 && flexibility <= 10_000)) {
            throw new IllegalArgumentException(
                    "The flexibility (%s) must lie within 0 and 10000 percent of the run time.".formatted(flexibility));
        }
    }

    /** Starts the draws afresh. */
    public Draws draws() {
        return new Draws(this);
    }

    /** The random draws, one job after the other; not thread-safe. */
    public static final class Draws {
        private final AdvanceReservationRecipe recipe;
        private final DiscreteSampler lateness;
        private final UniformRandomProvider flexible;
        private final DiscreteSampler extension;

        private Draws(AdvanceReservationRecipe recipe) {
            this.recipe = recipe;
            // streams of one seed that do not overlap, so that flexibility leaves the ready times alone
            var source = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(recipe.seed);
            this.lateness = PoissonSampler.of(source.jump(), MEAN_LATENESS);
            this.flexible = source.jump();
            this.extension = recipe.flexibility == 0 ? NONE : PoissonSampler.of(source, recipe.flexibility);
        }

        /** The request that {@code job} becomes, or why it becomes none. */
        public RecipeResult requestOf(SwfJob job) {
            return SkipReason.reason(job, recipe.machinePes)
                    .<RecipeResult>map(reason -> reason)
                    .orElseGet(() -> drawn(job));
        }

        private ReservationRequest drawn(SwfJob job) {
            long readyTime = job.submit() + job.runTime() * (positiveLateness() - 1);
            long deadline = readyTime + job.runTime() + extension(job.runTime());
            return new ReservationRequest(
                    job.number(), job.submit(), readyTime, deadline, job.runTime(), (int) job.pes());
        }

        private int positiveLateness() {
            int p = lateness.sample();
            while (p < 1 && recipe.zero == ZeroLateness.DRAWN_AGAIN) {
                p = lateness.sample();
            }
            return Math.max(p, 1);
        }

        /** Draws for rigid requests too, so that the draws of the others do not depend on the share. */
        private long extension(long runTime) {
            boolean isFlexible = flexible.nextDouble() < recipe.flexibleShare;
            int percent = extension.sample();
            return isFlexible ? runTime * percent / 100 : 0;
        }
    }
}
