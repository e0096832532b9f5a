package berth.store;

import static berth.store.Seconds.optional;
import static berth.store.Seconds.orNull;

import berth.availability.PlacementPolicy;
import berth.cluster.Admission;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
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
import berth.cluster.Visibility;
import berth.pricing.Cancellation;
import berth.pricing.LoadStep;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.sla.MoveBounds;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;

/** All fields of a cluster except its id and version, as used in its own row and in the rows of its versions. */
@Embeddable
@NullUnmarked
class ClusterFields {

    int pes;
    int granule;
    String peNames;
    BigDecimal rating;

    @Convert(converter = LabelsConverter.class)
    Map<String, String> labels;

    @Enumerated(EnumType.STRING)
    Binding binding;

    @Enumerated(EnumType.STRING)
    Admission admission;

    @Enumerated(EnumType.STRING)
    PlacementPolicy placement;

    @Enumerated(EnumType.STRING)
    ReplanOrder replanOrder;

    @Enumerated(EnumType.STRING)
    Juggling juggling;

    @Enumerated(EnumType.STRING)
    Reshaping reshaping;

    boolean pullForward;
    Integer maxMoves;
    Integer maxMovesPerReservation;
    Long maxShift;
    BigDecimal moveRebate;

    BigDecimal alternativesMaxPhi;

    @Enumerated(EnumType.STRING)
    AvailabilityMethod availability;

    BigDecimal makespanWeight;
    BigDecimal minAvailability;
    int maxSlots;
    long minSlotGap;
    long horizon;
    long notice;
    Long claimWithin;
    Long defaultSlack;
    long leadTime;
    Long maxDuration;
    BigDecimal reservableShare;
    BigDecimal advanceShare;
    Long maxHold;
    Long maxJobDuration;

    @Enumerated(EnumType.STRING)
    JobIntake jobs;

    @Enumerated(EnumType.STRING)
    Visibility visibility;

    @Enumerated(EnumType.STRING)
    EnforcementRule enforcement;

    @Enumerated(EnumType.STRING)
    ProjectRule projects;

    @Enumerated(EnumType.STRING)
    IntakeOrder intakeOrder;

    long intakeWindow;
    int intakeLevels;
    int intakeJobsPerUser;

    @Enumerated(EnumType.STRING)
    PriceFunction priceFunction;

    String currency;
    BigDecimal pricePerPeHour;
    BigDecimal premiumFactor;
    BigDecimal flexibilityDiscount;
    BigDecimal latenessDiscount;
    BigDecimal latenessScale;
    BigDecimal preemptionIncentive;
    BigDecimal shapeDiscount;
    BigDecimal renegotiationSurcharge;
    BigDecimal breachCredit;

    @Convert(converter = LoadProfileConverter.class)
    List<LoadStep> loadProfile;

    long cancellationFreeUntil;
    BigDecimal cancellationShare;
    BigDecimal returnShare;
    Long flexibilityScale;

    static ClusterFields of(Cluster cluster) {
        var fields = new ClusterFields();
        fields.pes = cluster.pes();
        fields.granule = cluster.nodes().granule();
        fields.peNames = cluster.nodes().list().orElse(null);
        fields.rating = cluster.rating();
        fields.labels = cluster.labels();
        fields.binding = cluster.binding();
        fields.admission = cluster.admission();
        var policy = cluster.policy();
        fields.placement = policy.placement();
        var replanning = policy.replanning();
        fields.replanOrder = replanning.order();
        fields.juggling = replanning.juggling();
        fields.reshaping = replanning.reshaping();
        fields.pullForward = replanning.pullForward();
        fields.maxMoves = orNull(replanning.maxMoves());
        var moves = replanning.moves();
        fields.maxMovesPerReservation = orNull(moves.bounds().maxMoves());
        fields.maxShift = orNull(moves.bounds().maxShift());
        fields.moveRebate = moves.rebate();
        fields.alternativesMaxPhi = policy.alternativesMaxPhi();
        var availability = policy.availability();
        fields.availability = availability.method();
        fields.makespanWeight = availability.makespanWeight();
        fields.minAvailability = availability.minAvailability();
        fields.maxSlots = availability.maxSlots();
        fields.minSlotGap = availability.minSlotGap();
        fields.horizon = policy.horizon();
        fields.notice = policy.notice();
        fields.claimWithin = orNull(policy.claimWithin());
        fields.defaultSlack = orNull(policy.defaultSlack());
        fields.leadTime = policy.limits().leadTime();
        fields.maxDuration = orNull(policy.limits().maxDuration());
        fields.reservableShare = policy.limits().reservableShare();
        fields.advanceShare = policy.limits().advanceShare();
        fields.maxHold = orNull(policy.limits().maxHold());
        fields.maxJobDuration = orNull(policy.limits().maxJobDuration());
        fields.jobs = policy.jobs();
        fields.visibility = policy.visibility();
        fields.enforcement = policy.enforcement();
        fields.projects = policy.projects();
        var intake = cluster.intake();
        fields.intakeOrder = intake.order();
        fields.intakeWindow = intake.window();
        fields.intakeLevels = intake.levels();
        fields.intakeJobsPerUser = intake.jobsPerUser();
        var tariff = cluster.tariff();
        fields.priceFunction = tariff.function();
        fields.currency = tariff.currency().getCurrencyCode();
        fields.pricePerPeHour = tariff.pricePerPeHour();
        fields.premiumFactor = tariff.premiumFactor();
        fields.flexibilityDiscount = tariff.flexibilityDiscount();
        fields.latenessDiscount = tariff.latenessDiscount();
        fields.latenessScale = tariff.latenessScale();
        fields.preemptionIncentive = tariff.preemptionIncentive();
        fields.shapeDiscount = tariff.shapeDiscount();
        fields.renegotiationSurcharge = tariff.renegotiationSurcharge();
        fields.breachCredit = tariff.breachCredit();
        fields.loadProfile = tariff.loadProfile();
        fields.cancellationFreeUntil = tariff.cancellation().freeUntil();
        fields.cancellationShare = tariff.cancellation().share();
        fields.returnShare = tariff.returnShare().signum() == 0 ? null : tariff.returnShare();
        fields.flexibilityScale = orNull(tariff.flexibilityScale());
        return fields;
    }

    Cluster toCluster(String id, int version) {
        var limits = new Limits(
                leadTime,
                optional(maxDuration),
                reservableShare,
                advanceShare,
                optional(maxHold),
                optional(maxJobDuration));
        var tariff = new Tariff(
                priceFunction,
                Currency.getInstance(currency),
                pricePerPeHour,
                premiumFactor,
                flexibilityDiscount,
                latenessDiscount,
                latenessScale,
                preemptionIncentive,
                shapeDiscount,
                renegotiationSurcharge,
                breachCredit,
                loadProfile,
                new Cancellation(cancellationFreeUntil, cancellationShare),
                returnShare == null ? BigDecimal.ZERO : returnShare,
                optional(flexibilityScale));
        var policy = new Policy(
                placement,
                new Replanning(
                        juggling,
                        replanOrder,
                        reshaping,
                        pullForward,
                        optional(maxMoves),
                        new MoveRules(
                                new MoveBounds(optional(maxMovesPerReservation), optional(maxShift)), moveRebate)),
                horizon,
                notice,
                optional(claimWithin),
                alternativesMaxPhi,
                new AvailabilityRules(availability, makespanWeight, minAvailability, maxSlots, minSlotGap),
                limits,
                jobs,
                visibility,
                enforcement,
                optional(defaultSlack),
                projects);
        var intake = new Intake(intakeOrder, intakeWindow, intakeLevels, intakeJobsPerUser);
        return new Cluster(
                new ClusterId(id),
                pes,
                Nodes.of(granule, Optional.ofNullable(peNames)),
                rating,
                labels,
                binding,
                admission,
                policy,
                intake,
                tariff,
                version);
    }
}
