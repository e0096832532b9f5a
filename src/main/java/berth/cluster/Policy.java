package berth.cluster;

import static berth.sla.Components.checked;

import berth.approval.ClusterApproval;
import berth.availability.PlacementPolicy;
import berth.sla.Configuration;
import berth.sla.Inline;
import berth.sla.InvalidFigure;
import berth.sla.LeavesOutEmpty;
import berth.sla.Settable;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The rules of a cluster. Rows of the journal leave out {@code jobs}, {@code visibility}, {@code enforcement}, {@code projects} and {@code approval} while
 * they have their defaults.
 *
 * @param placement the rule that chooses among the places that fit a run
 * @param replanning when and how Berth replans the waiting queue
 * @param horizon how far ahead the cluster accepts reservations
 * @param notice how long before its planned start a reservation can no longer be moved
 * @param claimWithin how soon after its start the owner must claim a reservation; otherwise Berth releases it
 * @param alternativesMaxPhi how far from the requested window an alternative may lie, in run times
 * @param availability the rules for reservations alongside batch jobs
 * @param limits bounds for every reservation and job
 * @param jobs the source of the batch jobs: clients, an outside batch system, or none
 * @param visibility how much clients may see of other accounts' reservations and jobs
 * @param enforcement whether an agent puts reservations in place on the machine; any value but NONE requires the {@code binding} EARLY
 * @param defaultSlack the slack of a request that asks for neither slack nor a deadline; without it, such a run stays where it is put
 * @param projects under which labels requests may be filed
 * @param approval which requests a person must approve before they are confirmed
 */
@LeavesOutEmpty
public record Policy(
        @Settable PlacementPolicy placement,
        @Inline Replanning replanning,

        @Settable(min = "1", max = MAX_TIME, example = "P90D")
        long horizon,

        @Settable(min = "0", max = MAX_TIME, example = "PT15M")
        long notice,

        @Settable(min = "1", max = MAX_TIME, example = "PT10M")
        OptionalLong claimWithin,

        @Settable(min = "0", max = "1000", example = "1") BigDecimal alternativesMaxPhi,
        @Inline AvailabilityRules availability,
        @Settable Limits limits,
        @Settable JobIntake jobs,
        @Settable Visibility visibility,
        @Settable EnforcementRule enforcement,

        @Settable(min = "1", max = MAX_TIME, hint = "leave it out for none", example = "PT6H")
        OptionalLong defaultSlack,

        @Settable ProjectRule projects,
        @Settable ClusterApproval approval)
        implements Configuration<Policy> {

    /** The longest horizon: ten years of 365 days. */
    public static final long MAX_HORIZON = 3650L * 24 * 3600;

    /** The longest time in the rules of a cluster, in seconds. */
    static final String MAX_TIME = "" + MAX_HORIZON;

    private static final BigDecimal MAX_PHI = new BigDecimal("1000");

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
            Limits.NONE,
            JobIntake.OPEN,
            Visibility.MAP,
            EnforcementRule.NONE,
            OptionalLong.empty(),
            ProjectRule.ANY,
            ClusterApproval.NONE);

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

    /** @throws InvalidFigure if a figure is out of range */
    public Policy {
        jobs = Objects.requireNonNullElse(jobs, JobIntake.OPEN);
        visibility = Objects.requireNonNullElse(visibility, Visibility.MAP);
        enforcement = Objects.requireNonNullElse(enforcement, EnforcementRule.NONE);
        projects = Objects.requireNonNullElse(projects, ProjectRule.ANY);
        approval = Objects.requireNonNullElse(approval, ClusterApproval.NONE);
        alternativesMaxPhi = checked(Policy.class, "alternativesMaxPhi", alternativesMaxPhi);
        checked(Policy.class, "horizon", horizon);
        checked(Policy.class, "notice", notice);
        checked(Policy.class, "claimWithin", claimWithin);
        checked(Policy.class, "defaultSlack", defaultSlack);
    }

    /** Returns the same rules with another placement policy. */
    public Policy withPlacement(PlacementPolicy by) {
        return with("placement", by);
    }

    /** Returns the same rules with another way to replan. */
    public Policy withReplanning(Replanning how) {
        return with("replanning", how);
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
        return with("horizon", seconds).with("notice", fixedBefore);
    }

    /** Returns the same rules with other rules for batch jobs. */
    public Policy withAvailability(AvailabilityRules rules) {
        return with("availability", rules);
    }

    /** Returns the same rules with other limits. */
    public Policy withLimits(Limits bounds) {
        return with("limits", bounds);
    }

    /** Returns the same rules with alternatives that may lie {@code maxPhi} run times from the window. */
    public Policy withAlternatives(BigDecimal maxPhi) {
        return with("alternativesMaxPhi", maxPhi);
    }

    /** Returns the same rules with another source of batch jobs. */
    public Policy withJobs(JobIntake from) {
        return with("jobs", from);
    }

    /** Returns the same rules, but no reservation moves to let another in. */
    Policy withoutJuggling() {
        return withReplanning(Juggling.NEVER, replanning.order());
    }
}
