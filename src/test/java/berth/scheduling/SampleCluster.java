package berth.scheduling;

import berth.availability.PlacementPolicy;
import berth.cluster.Admission;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.Intake;
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
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.sla.MoveBounds;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Clusters of a size and with rules; the defaults are those of {@link #of}. */
final class SampleCluster {

    static final long HORIZON = 1_000;

    /** A cent per PE and second, and half of it for a start one run time after the ready time. */
    static final Tariff CENT_PER_SECOND = new Tariff(
            PriceFunction.BERTH,
            Currency.getInstance("USD"),
            new BigDecimal("36"),
            new BigDecimal("3"),
            BigDecimal.ZERO,
            new BigDecimal("0.5"),
            BigDecimal.ONE,
            Tariff.STANDARD.preemptionIncentive(),
            BigDecimal.ZERO,
            new BigDecimal("0.1"),
            BigDecimal.ONE,
            List.of());

    /** Returns {@link #CENT_PER_SECOND} with another price of a PE-hour, another surcharge, and a rule for late cancellations. */
    static Tariff tariff(BigDecimal pricePerPeHour, BigDecimal surcharge, Cancellation cancellation) {
        return new Tariff(
                CENT_PER_SECOND.function(),
                CENT_PER_SECOND.currency(),
                pricePerPeHour,
                CENT_PER_SECOND.premiumFactor(),
                CENT_PER_SECOND.flexibilityDiscount(),
                CENT_PER_SECOND.latenessDiscount(),
                CENT_PER_SECOND.latenessScale(),
                CENT_PER_SECOND.preemptionIncentive(),
                CENT_PER_SECOND.shapeDiscount(),
                surcharge,
                CENT_PER_SECOND.breachCredit(),
                CENT_PER_SECOND.loadProfile(),
                cancellation,
                BigDecimal.ZERO,
                OptionalLong.empty());
    }

    /** Returns a tariff with another share for returned time, and another scale of slack, in seconds. */
    static Tariff tariff(Tariff like, String returnShare, OptionalLong flexibilityScale) {
        return new Tariff(
                like.function(),
                like.currency(),
                like.pricePerPeHour(),
                like.premiumFactor(),
                like.flexibilityDiscount(),
                like.latenessDiscount(),
                like.latenessScale(),
                like.preemptionIncentive(),
                like.shapeDiscount(),
                like.renegotiationSurcharge(),
                like.breachCredit(),
                like.loadProfile(),
                like.cancellation(),
                new BigDecimal(returnShare),
                flexibilityScale);
    }

    private final Cluster cluster;

    private SampleCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Returns a cluster that takes reservations up to {@link #HORIZON}, moves them until they start, and limits nothing. */
    static SampleCluster of(int pes) {
        var policy = new Policy(
                PlacementPolicy.FIRST_FIT,
                Replanning.of(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST),
                HORIZON,
                0,
                OptionalLong.empty(),
                BigDecimal.ONE,
                AvailabilityRules.STANDARD,
                Limits.NONE);
        return like(new Cluster(
                new ClusterId("sp2"),
                pes,
                Nodes.SINGLE_PES,
                BigDecimal.ONE,
                Map.of(),
                Binding.LATE,
                Admission.OPEN,
                policy,
                Intake.STANDARD,
                CENT_PER_SECOND,
                0));
    }

    static SampleCluster like(Cluster cluster) {
        return new SampleCluster(cluster);
    }

    Cluster cluster() {
        return cluster;
    }

    SampleCluster pes(int pes) {
        return with(pes, cluster.rating(), cluster.labels(), cluster.admission(), cluster.policy(), cluster.tariff());
    }

    SampleCluster rating(String rating) {
        return with(
                cluster.pes(),
                new BigDecimal(rating),
                cluster.labels(),
                cluster.admission(),
                cluster.policy(),
                cluster.tariff());
    }

    SampleCluster label(String name, String value) {
        return with(
                cluster.pes(),
                cluster.rating(),
                Map.of(name, value),
                cluster.admission(),
                cluster.policy(),
                cluster.tariff());
    }

    SampleCluster open() {
        return admission(Admission.OPEN);
    }

    SampleCluster closed() {
        return admission(Admission.CLOSED);
    }

    private SampleCluster admission(Admission admission) {
        return with(cluster.pes(), cluster.rating(), cluster.labels(), admission, cluster.policy(), cluster.tariff());
    }

    SampleCluster tariff(Tariff tariff) {
        return with(cluster.pes(), cluster.rating(), cluster.labels(), cluster.admission(), cluster.policy(), tariff);
    }

    /** Divides the cluster into nodes of {@code granule} PEs; there are as many nodes as there were PEs. */
    SampleCluster granule(int granule) {
        return like(new Cluster(
                cluster.id(),
                cluster.pes() * granule,
                new Nodes(granule, List.of()),
                cluster.rating(),
                cluster.labels(),
                cluster.binding(),
                cluster.admission(),
                cluster.policy(),
                cluster.intake(),
                cluster.tariff(),
                cluster.version()));
    }

    /** Sets the binding; with late binding there is no enforcement. */
    SampleCluster bound(Binding binding) {
        if (binding == Binding.LATE && cluster.policy().enforcement() != EnforcementRule.NONE) {
            return enforcing(EnforcementRule.NONE).bound(binding);
        }
        return like(new Cluster(
                cluster.id(),
                cluster.pes(),
                cluster.nodes(),
                cluster.rating(),
                cluster.labels(),
                binding,
                cluster.admission(),
                cluster.policy(),
                cluster.intake(),
                cluster.tariff(),
                cluster.version()));
    }

    SampleCluster placement(PlacementPolicy placement) {
        return policy(was -> new Policy(
                placement,
                was.replanning(),
                was.horizon(),
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                was.projects()));
    }

    SampleCluster juggling(Juggling juggling, ReplanOrder order) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning().when(juggling, order),
                was.horizon(),
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                was.projects()));
    }

    SampleCluster movingAtMost(int moves) {
        return replanning(was -> was.movingAtMost(moves));
    }

    SampleCluster reshaping(Reshaping reshaping) {
        return replanning(was -> was.reshaping(reshaping));
    }

    /** Promises each reservation that it is not moved more often or further. */
    SampleCluster promising(MoveBounds bounds, String rebate) {
        return replanning(was -> was.promising(new MoveRules(bounds, new BigDecimal(rebate))));
    }

    /** Promises each reservation that it is not moved more often. */
    SampleCluster movingEachAtMost(int moves) {
        return promising(new MoveBounds(OptionalInt.of(moves), OptionalLong.empty()), "0");
    }

    /** Makes promises about moves that differ from seed to seed, and none for every other seed. */
    SampleCluster promising(int seed) {
        return seed % 2 == 0
                ? this
                : promising(
                        new MoveBounds(
                                seed % 3 == 0 ? OptionalInt.empty() : OptionalInt.of(seed % 3),
                                seed % 7 < 3 ? OptionalLong.of(1 + seed % 7 * 5L) : OptionalLong.empty()),
                        seed % 5 == 0 ? "0.1" : "0");
    }

    SampleCluster replanning(UnaryOperator<Replanning> change) {
        return policy(was -> was.withReplanning(change.apply(was.replanning())));
    }

    SampleCluster available(AvailabilityMethod method, String makespanWeight, String least, int maxSlots, long gap) {
        var rules = new AvailabilityRules(method, new BigDecimal(makespanWeight), new BigDecimal(least), maxSlots, gap);
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                was.horizon(),
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                rules,
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                was.projects()));
    }

    SampleCluster horizon(long seconds) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                seconds,
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                was.projects()));
    }

    SampleCluster notice(long seconds) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                was.horizon(),
                seconds,
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                was.projects()));
    }

    /** Sets the slack of requests that ask for neither slack nor a deadline. */
    SampleCluster defaultSlack(long seconds) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                was.horizon(),
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                OptionalLong.of(seconds),
                was.projects()));
    }

    SampleCluster projects(ProjectRule rule) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                was.horizon(),
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                rule));
    }

    SampleCluster claimWithin(long seconds) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                was.horizon(),
                was.notice(),
                OptionalLong.of(seconds),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                was.projects()));
    }

    /** Sets enforcement, for early binding. */
    SampleCluster enforcing(EnforcementRule rule) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                was.horizon(),
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                was.limits(),
                was.jobs(),
                was.visibility(),
                rule,
                was.defaultSlack(),
                was.projects()));
    }

    SampleCluster leadTime(long seconds) {
        return limits(was -> new Limits(seconds, was.maxDuration(), was.reservableShare(), was.advanceShare()));
    }

    SampleCluster maxDuration(long seconds) {
        return limits(
                was -> new Limits(was.leadTime(), OptionalLong.of(seconds), was.reservableShare(), was.advanceShare()));
    }

    SampleCluster reservableShare(String share) {
        return limits(was -> new Limits(was.leadTime(), was.maxDuration(), new BigDecimal(share), was.advanceShare()));
    }

    SampleCluster advanceShare(String share) {
        return limits(
                was -> new Limits(was.leadTime(), was.maxDuration(), was.reservableShare(), new BigDecimal(share)));
    }

    SampleCluster maxHold(long seconds) {
        return policy(was -> was.withLimits(
                was.limits().limiting(OptionalLong.of(seconds), was.limits().maxJobDuration())));
    }

    SampleCluster maxJobDuration(long seconds) {
        return policy(was -> was.withLimits(was.limits().limiting(was.limits().maxHold(), OptionalLong.of(seconds))));
    }

    SampleCluster jobs(JobIntake from) {
        return policy(was -> was.withJobs(from));
    }

    private SampleCluster limits(UnaryOperator<Limits> change) {
        return policy(was -> new Policy(
                was.placement(),
                was.replanning(),
                was.horizon(),
                was.notice(),
                was.claimWithin(),
                was.alternativesMaxPhi(),
                was.availability(),
                change.apply(was.limits())
                        .limiting(was.limits().maxHold(), was.limits().maxJobDuration()),
                was.jobs(),
                was.visibility(),
                was.enforcement(),
                was.defaultSlack(),
                was.projects()));
    }

    private SampleCluster policy(UnaryOperator<Policy> change) {
        return with(
                cluster.pes(),
                cluster.rating(),
                cluster.labels(),
                cluster.admission(),
                change.apply(cluster.policy()),
                cluster.tariff());
    }

    private SampleCluster with(
            int pes, BigDecimal rating, Map<String, String> labels, Admission admission, Policy policy, Tariff tariff) {
        return like(new Cluster(
                cluster.id(),
                pes,
                cluster.nodes(),
                rating,
                labels,
                cluster.binding(),
                admission,
                policy,
                cluster.intake(),
                tariff,
                cluster.version()));
    }
}
