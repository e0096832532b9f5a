package berth.lab.workload;

import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A recipe that makes advance reservations from the jobs of a log, as paper 000 does for its experiments (section 4.1). A job of run time
 * Te submitted at Tsub has the deadline D = Tsub + Te·p, with p from a Poisson distribution of mean 5, and the ready time D − Te, so its
 * window leaves no slack. Jobs that ran for less than a minute are skipped. A share of the requests get a longer window, by an amount from
 * another Poisson distribution.
 *
 * <p>Where the paper is unclear:
 *
 * <ul>
 *   <li>p = 0 (0.67 % of the draws) would put the start before the request. It is drawn again until p ≥ 1, so the mean of p is 5.03.
 *   <li>A longer window moves D later by Te·k/100, with k of Poisson mean {@code flexibility}, and leaves the ready time unchanged. The
 *       paper sets "λ ← φ = 50 %", and φ is elsewhere a share of Te. Fractions of a second are dropped.
 *   <li>The paper makes half of each workload flexible. Here each request is flexible with the probability {@code flexibleShare},
 *       independently of the others.
 *   <li>The PEs are those that the job asked for, or those that it got if the log does not say. Jobs without PEs or larger than the machine
 *       are skipped.
 * </ul>
 *
 * <p>Recipes are values: equal recipes draw equal requests from the same jobs in the same order. Ready times do not depend on the two
 * settings of flexibility, and a request that is flexible at one share is flexible at every larger one.
 *
 * @param machinePes the PEs of the machine, at least 1
 * @param seed the seed of the random draws
 * @param flexibleShare the probability that a request is flexible, in [0, 1]
 * @param flexibility the mean extension of a flexible window in percent of the run time, in [0, 10000]
 * @param zero what happens to p = 0
 */
public record AdvanceReservationRecipe(
        int machinePes, long seed, double flexibleShare, double flexibility, ZeroLateness zero) {
    private static final double MEAN_LATENESS = 5;
    private static final DiscreteSampler NONE = () -> 0;

    /** The treatment of a request with p = 0, which would start before it is made. */
    public enum ZeroLateness {
        /** p is drawn again until it is positive. */
        DRAWN_AGAIN,
        /** p is set to 1, so the ready time is the time of the request. */
        STARTS_AT_ONCE
    }

    /** Creates the recipe of our main reading: p = 0 is drawn again. */
    public AdvanceReservationRecipe(int machinePes, long seed, double flexibleShare, double flexibility) {
        this(machinePes, seed, flexibleShare, flexibility, ZeroLateness.DRAWN_AGAIN);
    }

    /** @throws IllegalArgumentException if a value is out of its range */
    public AdvanceReservationRecipe {
        if (machinePes < 1) {
            throw new IllegalArgumentException("The PEs of a machine (%d) must be positive.".formatted(machinePes));
        }
        if (!(flexibleShare >= 0 && flexibleShare <= 1)) {
            throw new IllegalArgumentException(
                    "The share of flexible requests (%s) must lie between 0 and 1.".formatted(flexibleShare));
        }
        if (!(flexibility >= 0 && flexibility <= 10_000)) {
            throw new IllegalArgumentException(
                    "The flexibility (%s) must lie between 0 and 10000 percent of the run time."
                            .formatted(flexibility));
        }
    }

    /** Starts the random draws. */
    public Draws draws() {
        return new Draws(this);
    }

    /** The random draws, one job after another; not thread-safe. */
    public static final class Draws {
        private final AdvanceReservationRecipe recipe;
        private final DiscreteSampler lateness;
        private final UniformRandomProvider flexible;
        private final DiscreteSampler extension;

        private Draws(AdvanceReservationRecipe recipe) {
            this.recipe = recipe;
            // streams of one seed that do not overlap, so that flexibility does not change the ready times
            var source = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(recipe.seed);
            this.lateness = PoissonSampler.of(source.jump(), MEAN_LATENESS);
            this.flexible = source.jump();
            this.extension = recipe.flexibility == 0 ? NONE : PoissonSampler.of(source, recipe.flexibility);
        }

        /** Returns the request that {@code job} becomes, or the reason why it becomes none. */
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

        /** Draws the extension of the window, for rigid requests too, so that other requests' draws do not depend on the share. */
        private long extension(long runTime) {
            boolean isFlexible = flexible.nextDouble() < recipe.flexibleShare;
            int percent = extension.sample();
            return isFlexible ? runTime * percent / 100 : 0;
        }
    }
}
