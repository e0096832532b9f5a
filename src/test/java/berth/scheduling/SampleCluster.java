package berth.scheduling;

import berth.approval.ClusterApproval;
import berth.availability.PlacementPolicy;
import berth.cluster.Admission;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.Limits;
import berth.cluster.MoveRules;
import berth.cluster.Nodes;
import berth.cluster.Policy;
import berth.cluster.ProjectRule;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.cluster.Reshaping;
import berth.pricing.Cancellation;
import berth.pricing.Tariff;
import berth.sla.MoveBounds;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Clusters of a size and with rules; the defaults are those of {@link #of}. */
public final class SampleCluster {

    public static final long HORIZON = 1_000;

    /** A cent per PE and second, and half of it for a start one run time after the ready time. */
    public static final Tariff CENT_PER_SECOND = Tariff.STANDARD
            .with("pricePerPeHour", new BigDecimal("36"))
            .with("flexibilityDiscount", BigDecimal.ZERO)
            .with("latenessDiscount", new BigDecimal("0.5"))
            .with("latenessScale", BigDecimal.ONE)
            .with("shapeDiscount", BigDecimal.ZERO);

    /** Returns {@link #CENT_PER_SECOND} with another price of a PE-hour, another surcharge, and a rule for late cancellations. */
    public static Tariff tariff(BigDecimal pricePerPeHour, BigDecimal surcharge, Cancellation cancellation) {
        return CENT_PER_SECOND
                .with("pricePerPeHour", pricePerPeHour)
                .with("renegotiationSurcharge", surcharge)
                .with("cancellation", cancellation)
                .with("returnShare", BigDecimal.ZERO)
                .with("flexibilityScale", OptionalLong.empty());
    }

    /** Returns a tariff with another share for returned time, and another scale of slack, in seconds. */
    public static Tariff tariff(Tariff like, String returnShare, OptionalLong flexibilityScale) {
        return like.with("returnShare", new BigDecimal(returnShare)).with("flexibilityScale", flexibilityScale);
    }

    private final Cluster cluster;

    private SampleCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Returns a cluster that takes reservations up to {@link #HORIZON}, moves them until they start, and limits nothing. */
    public static SampleCluster of(int pes) {
        var policy = Policy.STANDARD
                .with("replanning", Replanning.of(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST))
                .with("horizon", HORIZON)
                .with("notice", 0);
        return like(Cluster.of("sp2", pes).with("policy", policy).with("tariff", CENT_PER_SECOND));
    }

    public static SampleCluster like(Cluster cluster) {
        return new SampleCluster(cluster);
    }

    public Cluster cluster() {
        return cluster;
    }

    public SampleCluster pes(int pes) {
        return like(cluster.with("pes", pes));
    }

    public SampleCluster rating(String rating) {
        return like(cluster.rated(new BigDecimal(rating)));
    }

    public SampleCluster label(String name, String value) {
        return like(cluster.with("labels", Map.of(name, value)));
    }

    public SampleCluster open() {
        return admission(Admission.OPEN);
    }

    public SampleCluster closed() {
        return admission(Admission.CLOSED);
    }

    public SampleCluster retired() {
        return admission(Admission.RETIRED);
    }

    private SampleCluster admission(Admission admission) {
        return like(cluster.with("admission", admission));
    }

    public SampleCluster tariff(Tariff tariff) {
        return like(cluster.charging(tariff));
    }

    /** Divides the cluster into nodes of {@code granule} PEs; there are as many nodes as there were PEs. */
    public SampleCluster granule(int granule) {
        return like(cluster.with("pes", cluster.pes() * granule).with("nodes", new Nodes(granule, List.of())));
    }

    /** Sets the binding; with late binding there is no enforcement. */
    public SampleCluster bound(Binding binding) {
        if (binding == Binding.LATE && cluster.policy().enforcement() != EnforcementRule.NONE) {
            return enforcing(EnforcementRule.NONE).bound(binding);
        }
        return like(cluster.with("binding", binding));
    }

    public SampleCluster placement(PlacementPolicy placement) {
        return policy(was -> was.withPlacement(placement));
    }

    public SampleCluster juggling(Juggling juggling, ReplanOrder order) {
        return replanning(was -> was.when(juggling, order));
    }

    public SampleCluster movingAtMost(int moves) {
        return replanning(was -> was.movingAtMost(moves));
    }

    public SampleCluster reshaping(Reshaping reshaping) {
        return replanning(was -> was.reshaping(reshaping));
    }

    /** Promises each reservation that it is not moved more often or further. */
    public SampleCluster promising(MoveBounds bounds, String rebate) {
        return replanning(was -> was.promising(new MoveRules(bounds, new BigDecimal(rebate))));
    }

    /** Promises each reservation that it is not moved more often. */
    public SampleCluster movingEachAtMost(int moves) {
        return promising(new MoveBounds(OptionalInt.of(moves), OptionalLong.empty()), "0");
    }

    /** Makes promises about moves that differ from seed to seed, and none for every other seed. */
    public SampleCluster promising(int seed) {
        return seed % 2 == 0
                ? this
                : promising(
                        new MoveBounds(
                                seed % 3 == 0 ? OptionalInt.empty() : OptionalInt.of(seed % 3),
                                seed % 7 < 3 ? OptionalLong.of(1 + seed % 7 * 5L) : OptionalLong.empty()),
                        seed % 5 == 0 ? "0.1" : "0");
    }

    public SampleCluster replanning(UnaryOperator<Replanning> change) {
        return policy(was -> was.withReplanning(change.apply(was.replanning())));
    }

    public SampleCluster available(
            AvailabilityMethod method, String makespanWeight, String least, int maxSlots, long gap) {
        var rules = new AvailabilityRules(method, new BigDecimal(makespanWeight), new BigDecimal(least), maxSlots, gap);
        return policy(was -> was.withAvailability(rules));
    }

    public SampleCluster horizon(long seconds) {
        return policy(was -> was.with("horizon", seconds));
    }

    public SampleCluster notice(long seconds) {
        return policy(was -> was.with("notice", seconds));
    }

    /** Sets the slack of requests that ask for neither slack nor a deadline. */
    public SampleCluster defaultSlack(long seconds) {
        return policy(was -> was.with("defaultSlack", OptionalLong.of(seconds)));
    }

    public SampleCluster projects(ProjectRule rule) {
        return policy(was -> was.with("projects", rule));
    }

    public SampleCluster approval(ClusterApproval rules) {
        return policy(was -> was.with("approval", rules));
    }

    public SampleCluster claimWithin(long seconds) {
        return policy(was -> was.with("claimWithin", OptionalLong.of(seconds)));
    }

    /** Sets enforcement, for early binding. */
    public SampleCluster enforcing(EnforcementRule rule) {
        return policy(was -> was.with("enforcement", rule));
    }

    public SampleCluster leadTime(long seconds) {
        return limits(was -> was.with("leadTime", seconds));
    }

    public SampleCluster maxDuration(long seconds) {
        return limits(was -> was.with("maxDuration", OptionalLong.of(seconds)));
    }

    public SampleCluster reservableShare(String share) {
        return limits(was -> was.with("reservableShare", new BigDecimal(share)));
    }

    public SampleCluster advanceShare(String share) {
        return limits(was -> was.with("advanceShare", new BigDecimal(share)));
    }

    public SampleCluster maxHold(long seconds) {
        return policy(was -> was.withLimits(
                was.limits().limiting(OptionalLong.of(seconds), was.limits().maxJobDuration())));
    }

    public SampleCluster maxJobDuration(long seconds) {
        return policy(was -> was.withLimits(was.limits().limiting(was.limits().maxHold(), OptionalLong.of(seconds))));
    }

    public SampleCluster jobs(JobIntake from) {
        return policy(was -> was.withJobs(from));
    }

    private SampleCluster limits(UnaryOperator<Limits> change) {
        return policy(was -> was.withLimits(change.apply(was.limits())));
    }

    private SampleCluster policy(UnaryOperator<Policy> change) {
        return like(cluster.under(change.apply(cluster.policy())));
    }
}
