package berth.cluster;

import berth.availability.PlacementPolicy;
import berth.sla.InvalidFigure;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The rules of a cluster.
 *
 * @param placement which of the places that fit a run gets
 * @param replanning when and how the waiting queue is placed anew
 * @param horizon seconds from now up to which it takes reservations, at least 1
 * @param notice seconds before its planned start from which a reservation is not moved any more, not negative
 * @param claimWithin seconds after its start within which the owner must claim a reservation that is accepted under this
 *     rule, or it is released; at least 1; empty: nobody needs to
 * @param alternativesMaxPhi how far from its window an alternative may lie, in run times; in [0, 1000]
 * @param availability how reservations go beside batch jobs
 * @param limits what it allows any reservation
 * @param jobs who hands in its batch jobs; rows of the journal from before it could be said say nothing, which means OPEN
 * @param visibility what clients may see of what others have; rows of the journal from before it could be said say nothing, which
 *     means MAP
 * @param enforcement whether reservations are put in place on the machine; rows of the journal from before it could be said say nothing,
 *     which means NONE
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
        EnforcementRule enforcement) {

    /** The longest horizon: ten years of 365 days. */
    public static final long MAX_HORIZON = 3650L * 24 * 3600;

    private static final BigDecimal MAX_PHI = new BigDecimal("1000");
    private static final int MAX_DECIMALS = 6;

    /**
     * The rules of a cluster unless told otherwise: first fit, the waiting queue placed anew where a newcomer finds no room,
     * earliest deadline first, 90 days ahead, fixed a quarter of an hour before the start.
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
     * The rules of a cluster that serves people unless told otherwise: the same with bounds on what one of them may take from
     * the others, by holds, by jobs and by how many are moved for one request.
     */
    public static final Policy SERVICE =
            STANDARD.limiting(Limits.STANDARD).replanning(Replanning.STANDARD.movingAtMost(Replanning.SERVICE_MOVES));

    /** Of a cluster that takes batch jobs from clients, shows them where runs would fit, and has no agent. */
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
                EnforcementRule.NONE);
    }

    /** @throws InvalidFigure if a figure is out of range */
    public Policy {
        jobs = Objects.requireNonNullElse(jobs, JobIntake.OPEN);
        visibility = Objects.requireNonNullElse(visibility, Visibility.MAP);
        enforcement = Objects.requireNonNullElse(enforcement, EnforcementRule.NONE);
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
    }

    /** The same rules, but for the place that a run gets of those that fit. */
    public Policy placing(PlacementPolicy by) {
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
                enforcement);
    }

    /** The same rules, but for when and how the waiting queue is placed anew. */
    public Policy replanning(Replanning how) {
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
                enforcement);
    }

    /** The same rules, but for when and in which order the waiting queue is placed anew. */
    public Policy replanning(Juggling when, ReplanOrder inOrder) {
        return replanning(replanning.when(when, inOrder));
    }

    /** When the waiting queue is placed anew. */
    public Juggling juggling() {
        return replanning.juggling();
    }

    /** The same rules, but for how far ahead reservations are taken and from when on they are not moved. */
    public Policy ahead(long seconds, long fixedBefore) {
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
                enforcement);
    }

    /** The same rules, but for how reservations go beside batch jobs. */
    public Policy beside(AvailabilityRules rules) {
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
                enforcement);
    }

    /** The same rules, but for what any reservation may ask for. */
    public Policy limiting(Limits bounds) {
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
                enforcement);
    }

    /** The same rules, but for who hands in batch jobs. */
    public Policy takingJobs(JobIntake from) {
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
                enforcement);
    }

    /** The same rules, but that nobody is moved to let another in. */
    Policy withoutJuggling() {
        return replanning(Juggling.NEVER, replanning.order());
    }
}
