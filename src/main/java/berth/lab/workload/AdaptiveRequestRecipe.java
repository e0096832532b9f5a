package berth.lab.workload;

import berth.outcome.Outcome;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Preemption;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A recipe that makes adaptive requests from the jobs of a log, as paper 003 does for its experiments (table 1). With R the PEs that a job
 * asked for and T its run time:
 *
 * <ul>
 *   <li>R^max = R, and R^min = 0.8 R, or R if R is at most 10; T^min = T, and the run time on fewer PEs lies on the straight line to T^max
 *       = T R^max / R^min;
 *   <li>a run of an hour or more can be split into up to 10 parts, at every tenth, each with its own shape;
 *   <li>a fifth of the requests pay three times the price ({@link ServiceClass#PREMIUM}) and have a deadline of 5 T after the submission;
 *       the others have three days more.
 * </ul>
 *
 * <p>Where the paper is unclear: R^min is rounded up. Each request is premium, or preemptible, with its probability, independently of the
 * others. The table says that 20 % can be split and the text says 60 %, so the share is a parameter. There is no budget, because the
 * paper's scheduler (Algorithm 1) ignores it. Jobs that ran for less than a minute, have no PEs or are larger than the machine are skipped.
 *
 * <p>Recipes are values: equal recipes draw equal requests from the same jobs in the same order. Whether a request is premium depends only
 * on the seed. A request that is preemptible at one share is preemptible at every larger one.
 *
 * @param machinePes the PEs of the machine, at least 1
 * @param seed the seed of the random draws
 * @param isMoldable whether requests have more than one shape
 * @param preemptibleShare the probability that a request can be split, in [0, 1]
 * @param deadline the rule for deadlines
 */
public record AdaptiveRequestRecipe(
        int machinePes, long seed, boolean isMoldable, double preemptibleShare, Deadline deadline) {
    private static final long SHORTEST_SPLIT = 3600;
    private static final int LARGEST_RIGID = 10;
    private static final double PREMIUM_SHARE = 0.2;
    private static final long STANDARD_DELAY = 3 * 86_400;
    private static final Preemption TENTHS = new Preemption(OptionalInt.of(10), new BigDecimal("0.1"), true);

    /** The deadline of a request, in run times after its submission. Requests of the standard class get three days more. */
    public enum Deadline {
        /** The factor of the paper's table, which has D = T · 5. */
        FIVE_RUN_TIMES(5),
        /** The table's comment on the factor read literally: the five run times begin when the run would end, so D = T · 6. */
        FIVE_AFTER_THE_RUN(6);

        private final long runTimes;

        Deadline(long runTimes) {
            this.runTimes = runTimes;
        }
    }

    /** Creates the recipe of our main reading: the deadline is five run times after the submission. */
    public AdaptiveRequestRecipe(int machinePes, long seed, boolean isMoldable, double preemptibleShare) {
        this(machinePes, seed, isMoldable, preemptibleShare, Deadline.FIVE_RUN_TIMES);
    }

    /** @throws IllegalArgumentException if a value is out of its range */
    public AdaptiveRequestRecipe {
        if (machinePes < 1 || !(preemptibleShare >= 0 && preemptibleShare <= 1)) {
            throw new IllegalArgumentException(
                    "The PEs of a machine (%d) must be positive, and the share of preemptible requests (%s) must lie between 0 and 1."
                            .formatted(machinePes, preemptibleShare));
        }
    }

    /** Starts the random draws. */
    public Draws draws() {
        return new Draws(this);
    }

    /** The random draws, one job after another; not thread-safe. */
    public static final class Draws {
        private final AdaptiveRequestRecipe recipe;
        private final UniformRandomProvider premium;
        private final UniformRandomProvider preemptible;

        private Draws(AdaptiveRequestRecipe recipe) {
            this.recipe = recipe;
            var source = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(recipe.seed);
            this.premium = source.jump();
            this.preemptible = source;
        }

        /** Returns the request that {@code job} becomes, or the reason why it becomes none. */
        public Outcome<AdaptiveRequest, SkipReason> requestOf(SwfJob job) {
            return SkipReason.reason(job, recipe.machinePes)
                    .<Outcome<AdaptiveRequest, SkipReason>>map(Outcome.NotDone::new)
                    .orElseGet(() -> new Outcome.Done<>(drawn(job)));
        }

        private AdaptiveRequest drawn(SwfJob job) {
            // both are drawn for every request, so that one does not shift the other
            boolean isPremium = premium.nextDouble() < PREMIUM_SHARE;
            boolean maySplit = preemptible.nextDouble() < recipe.preemptibleShare;
            long deadline = job.submit() + recipe.deadline.runTimes * job.runTime() + (isPremium ? 0 : STANDARD_DELAY);
            int pes = (int) job.pes();
            return new AdaptiveRequest(
                    new ReservationRequest(job.number(), job.submit(), job.submit(), deadline, job.runTime(), pes),
                    recipe.isMoldable ? moldability(pes) : Optional.empty(),
                    maySplit && job.runTime() >= SHORTEST_SPLIT ? Optional.of(TENTHS) : Optional.empty(),
                    isPremium ? ServiceClass.PREMIUM : ServiceClass.STANDARD);
        }

        private static Optional<Moldability> moldability(int most) {
            int least = most <= LARGEST_RIGID ? most : Math.ceilDiv(4 * most, 5);
            return least == most
                    ? Optional.empty()
                    : Optional.of(
                            new Moldability.Function(least, most, Speedup.CHORD, Optional.empty(), AllowedPes.ANY));
        }
    }
}
