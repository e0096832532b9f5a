package berth.cluster;

import berth.availability.PlacementPolicy;
import berth.sla.InvalidFigure;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The rules of a cluster.
 *
 * @param placement the policy that chooses among the places that fit a run
 * @param replanning when and how Berth replans the waiting queue
 * @param horizon how far ahead the cluster takes reservations, in seconds from now, at least 1
 * @param notice how long before its planned start a reservation stops moving, in seconds, not negative
 * @param claimWithin how long after the start the owner must claim a reservation before Berth releases it, in seconds, at least 1; empty if
 *     no claim is needed. It applies to reservations accepted under this rule
 * @param alternativesMaxPhi how far an alternative may lie from the window, in run times, in [0, 1000]
 * @param availability the rules for reservations alongside batch jobs
 * @param limits the limits for every reservation and job
 * @param jobs the source of batch jobs; journal rows older than this field lack it, which means OPEN
 * @param visibility what clients may see of other accounts' reservations; journal rows older than this field lack it, which means MAP
 * @param enforcement whether an agent puts reservations in place; journal rows older than this field lack it, which means NONE
 * @param defaultSlack the slack of a request that asks for neither slack nor a deadline, in seconds, at least 1; empty for none
 * @param projects under which labels requests may be filed; journal rows older than this field lack it, which means ANY
 */
public record Policy(
        PlacementPolicy placement,
        Replanning replanning,
        long horizon,
        long notice,
        OptionalLong claimWithin,
        BigDecimal alternativesMaxPhi,
        AvailabilityRules availability,
        Limits limits,
        JobIntake jobs,
        Visibility visibility,
        EnforcementRule enforcement,
        OptionalLong defaultSlack,
        ProjectRule projects) {

    /** The longest horizon: ten years of 365 days. */
    public static final long MAX_HORIZON = 3650L * 24 * 3600;

    private static final BigDecimal MAX_PHI = new BigDecimal("1000");
    private static final int MAX_DECIMALS = 6;

    /**
     * The default rules: first fit, least moves and then replanning in the order of deadlines, a horizon of 90 days, and a notice of 15
     * minutes.
     */
    public static final Policy STANDARD = new Policy(
            PlacementPolicy.FIRST_FIT,
            Replanning.STANDARD,
            90L * 24 * 3600,
            15 * 60,
            OptionalLong.empty(),
            new BigDecimal("1.0"),
            AvailabilityRules.STANDARD,
            Limits.NONE);

    /**
     * The default rules of the service: as {@link #STANDARD}, with bounds on holds, on jobs, on how many reservations one request may
     * move, and on how much one may delay batch jobs, so that one account cannot take too much from the others, and on how often each
     * reservation may be moved. Alternatives may lie as far away as the client accepts.
     */
    public static final Policy SERVICE = STANDARD.withLimits(Limits.STANDARD)
            .withAlternatives(Policy.MAX_PHI)
            .withReplanning(Replanning.STANDARD
                    .movingAtMost(Replanning.SERVICE_MOVES)
                    .promising(MoveRules.atMost(Replanning.SERVICE_MOVES_PER_RESERVATION)))
            .withAvailability(AvailabilityRules.SERVICE);

    /** Creates rules for a cluster without an agent that takes batch jobs from clients and shows them the map of where runs would fit. */
    public Policy(
            PlacementPolicy placement,
            Replanning replanning,
            long horizon,
            long notice,
            OptionalLong claimWithin,
            BigDecimal alternativesMaxPhi,
            AvailabilityRules availability,
            Limits limits) {
        this(
                placement,
                replanning,
                horizon,
                notice,
                claimWithin,
                alternativesMaxPhi,
                availability,
                limits,
                JobIntake.OPEN,
                Visibility.MAP,
                EnforcementRule.NONE,
                OptionalLong.empty(),
                ProjectRule.ANY);
    }

    /** @throws InvalidFigure if a figure is out of range */
    public Policy {
        jobs = Objects.requireNonNullElse(jobs, JobIntake.OPEN);
        visibility = Objects.requireNonNullElse(visibility, Visibility.MAP);
        enforcement = Objects.requireNonNullElse(enforcement, EnforcementRule.NONE);
        projects = Objects.requireNonNullElse(projects, ProjectRule.ANY);
        var phi = alternativesMaxPhi.stripTrailingZeros();
        if (phi.signum() < 0 || phi.compareTo(MAX_PHI) > 0 || phi.scale() > MAX_DECIMALS) {
            throw new InvalidFigure(
                    "alternativesMaxPhi", alternativesMaxPhi, "must lie between 0 and 1000, with at most 6 decimals");
        }
        alternativesMaxPhi = phi.setScale(Math.max(0, phi.scale()));
        if (horizon < 1 || horizon > MAX_HORIZON) {
            throw new InvalidFigure("horizon", horizon, "must be longer than zero and at most ten years of 365 days");
        }
        if (notice < 0 || notice > MAX_HORIZON) {
            throw new InvalidFigure("notice", notice, "must not be negative, nor exceed ten years");
        }
        if (claimWithin.isPresent() && (claimWithin.getAsLong() < 1 || claimWithin.getAsLong() > MAX_HORIZON)) {
            throw new InvalidFigure(
                    "claimWithin", claimWithin.getAsLong(), "must be longer than zero and at most ten years");
        }
        if (defaultSlack.isPresent() && (defaultSlack.getAsLong() < 1 || defaultSlack.getAsLong() > MAX_HORIZON)) {
            throw new InvalidFigure(
                    "defaultSlack",
                    defaultSlack.getAsLong(),
                    "must be longer than zero and at most ten years; leave it out for none");
        }
    }

    /** Returns the same rules with another placement policy. */
    public Policy withPlacement(PlacementPolicy by) {
        return new Policy(
                by,
                replanning,
                horizon,
                notice,
                claimWithin,
                alternativesMaxPhi,
                availability,
                limits,
                jobs,
                visibility,
                enforcement,
                defaultSlack,
                projects);
    }

    /** Returns the same rules with another way to replan. */
    public Policy withReplanning(Replanning how) {
        return new Policy(
                placement,
                how,
                horizon,
                notice,
                claimWithin,
                alternativesMaxPhi,
                availability,
                limits,
                jobs,
                visibility,
                enforcement,
                defaultSlack,
                projects);
    }

    /** Returns the same rules with another time and order of replanning. */
    public Policy withReplanning(Juggling when, ReplanOrder inOrder) {
        return withReplanning(replanning.when(when, inOrder));
    }

    /** Returns when Berth replans the waiting queue. */
    public Juggling juggling() {
        return replanning.juggling();
    }

    /** Returns the same rules with another horizon and another notice, both in seconds. */
    public Policy withHorizon(long seconds, long fixedBefore) {
        return new Policy(
                placement,
                replanning,
                seconds,
                fixedBefore,
                claimWithin,
                alternativesMaxPhi,
                availability,
                limits,
                jobs,
                visibility,
                enforcement,
                defaultSlack,
                projects);
    }

    /** Returns the same rules with other rules for batch jobs. */
    public Policy withAvailability(AvailabilityRules rules) {
        return new Policy(
                placement,
                replanning,
                horizon,
                notice,
                claimWithin,
                alternativesMaxPhi,
                rules,
                limits,
                jobs,
                visibility,
                enforcement,
                defaultSlack,
                projects);
    }

    /** Returns the same rules with other limits. */
    public Policy withLimits(Limits bounds) {
        return new Policy(
                placement,
                replanning,
                horizon,
                notice,
                claimWithin,
                alternativesMaxPhi,
                availability,
                bounds,
                jobs,
                visibility,
                enforcement,
                defaultSlack,
                projects);
    }

    /** Returns the same rules with alternatives that may lie {@code maxPhi} run times from the window. */
    public Policy withAlternatives(BigDecimal maxPhi) {
        return new Policy(
                placement,
                replanning,
                horizon,
                notice,
                claimWithin,
                maxPhi,
                availability,
                limits,
                jobs,
                visibility,
                enforcement,
                defaultSlack,
                projects);
    }

    /** Returns the same rules with another source of batch jobs. */
    public Policy withJobs(JobIntake from) {
        return new Policy(
                placement,
                replanning,
                horizon,
                notice,
                claimWithin,
                alternativesMaxPhi,
                availability,
                limits,
                from,
                visibility,
                enforcement,
                defaultSlack,
                projects);
    }

    /** Returns the same rules, but no reservation moves to let another in. */
    Policy withoutJuggling() {
        return withReplanning(Juggling.NEVER, replanning.order());
    }
}
