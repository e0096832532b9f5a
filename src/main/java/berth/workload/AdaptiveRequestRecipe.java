package berth.workload;

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
 * Makes adaptive requests of the jobs of a log, as paper 003 does for its experiments (table 1). With R the PEs that a job
 * asked for and T its run time:
 *
 * <ul>
 *   <li>R^max = R, and R^min = 0.8 R, or R where that is up to 10; T^min = T, and the run time on fewer PEs lies on the
 *       straight line to T^max = T R^max / R^min;
 *   <li>it may be split into up to 10 parts, after each tenth of it, each part in a shape of its own; never where T is
 *       less than an hour;
 *   <li>a fifth of the requests pays three times the price ({@link ServiceClass#PREMIUM}); their deadline is 5 T after the
 *       submission, that of the others three days later.
 * </ul>
 *
 * What the paper leaves open, and our reading: R^min is rounded up; each request is premium, and preemptible, with its
 * probability, independently of the others; the table says that 20 % may be split, the text 60 %, so the share is a
 * parameter. No budget is asked for: the scheduler of the paper (Algorithm 1) does not look at it. Jobs of less than a
 * minute, without PEs or larger than the machine are left out.
 *
 * <p>The recipe is a value: equal recipes draw equal requests from the same jobs in the same order. Whether a request is
 * premium depends on the seed alone, and one that is preemptible at one share is so at every larger one.
 *
 * @param machinePes PEs of the machine, at least 1
 * @param seed of the random draws
 * @param isMoldable whether requests have more than one shape
 * @param preemptibleShare probability that a request may be split, in [0, 1]
 * @param deadline when requests are to be done
 */
public record AdaptiveRequestRecipe(
        int machinePes, long seed, boolean isMoldable, double preemptibleShare, Deadline deadline) {
    private static final long SHORTEST_SPLIT = 3600;
    private static final int LARGEST_RIGID = 10;
    private static final double PREMIUM_SHARE = 0.2;
    private static final long STANDARD_DELAY = 3 * 86_400;
    private static final Preemption TENTHS = new Preemption(OptionalInt.of(10), new BigDecimal("0.1"), true);

    /** When a request is to be done, in run times after its submission; the standard delay comes on top. */
    public enum Deadline {
        /** The factor of the table, which has D = T · 5. */
        FIVE_RUN_TIMES(5),
        /** The table's comment on the factor: it gives the time by which the deadline is later still. */
        FIVE_AFTER_THE_RUN(6);

        private final long runTimes;

        Deadline(long runTimes) {
            this.runTimes = runTimes;
        }
    }

    /** The recipe as we read the paper: the deadline is five run times after the submission. */
    public AdaptiveRequestRecipe(int machinePes, long seed, boolean isMoldable, double preemptibleShare) {
        this(machinePes, seed, isMoldable, preemptibleShare, Deadline.FIVE_RUN_TIMES);
    }

    /** @throws IllegalArgumentException if a value is out of its range */
    public AdaptiveRequestRecipe {
        if (machinePes < 1 || !(preemptibleShare >= 0 && preemptibleShare <= 1)) {
            throw new IllegalArgumentException(
                    "The PEs (%d) of a machine must be positive, the share of preemptible requests (%s) within 0 and 1."
                            .formatted(machinePes, preemptibleShare));
        }
    }

    /** What a job becomes. */
    public sealed interface Made {
        /** A request. */
        record Request(AdaptiveRequest request) implements Made {}

        /** Nothing. */
        record Nothing(SkipReason reason) implements Made {}
    }

    /** Starts the draws afresh. */
    public Draws draws() {
        return new Draws(this);
    }

    /** The random draws, one job after the other; not thread-safe. */
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

        /** The request that {@code job} becomes, or why it becomes none. */
        public Made requestOf(SwfJob job) {
            return SkipReason.reason(job, recipe.machinePes)
                    .<Made>map(Made.Nothing::new)
                    .orElseGet(() -> new Made.Request(drawn(job)));
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
