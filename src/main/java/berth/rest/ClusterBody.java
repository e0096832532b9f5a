package berth.rest;

import berth.availability.PlacementPolicy;
import berth.broker.Peer;
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
import berth.cluster.Nodes;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.cluster.Reshaping;
import berth.cluster.Visibility;
import berth.pricing.Cancellation;
import berth.pricing.LoadStep;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.sla.InvalidFigure;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster. Whoever is not an administrator sees its public card only: id, PEs, their nodes, rating,
 * labels, tariff, and of the rules {@code visibility}.
 *
 * @param id its name, in URLs too
 * @param pes processing elements
 * @param granule how many PEs a node is: reservations, jobs and outages take multiples of it, whole nodes; for good. 1, if left out
 * @param peNames what the nodes are called, as Slurm writes them, in the order of their PEs: one for each {@code granule} of them
 * @param rating its speed relative to a standard PE
 * @param labels what it has to offer
 * @param binding when it is settled which PEs a reservation gets
 * @param admission whether it takes new reservations
 * @param policy its rules
 * @param intake how requests for reservations are taken in
 * @param tariff what its PEs cost
 * @param peer the other Berth that it is a cluster of; none, if left out. With it goes the id alone: all else is there
 * @param effects what the change would do to what is booked; told by a dry run alone, and never sent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(example = "{\"id\":\"sp2\",\"pes\":128}")
record ClusterBody(
        @Required @Nullable String id,
        @Nullable Integer pes,
        @Nullable Integer granule,
        @Nullable String peNames,
        @Nullable BigDecimal rating,
        @Nullable Map<String, @Nullable String> labels,
        @Nullable Binding binding,
        @Nullable Admission admission,
        @Nullable PolicyBody policy,
        @Nullable IntakeBody intake,
        @Nullable TariffBody tariff,
        @Nullable PeerBody peer,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        EffectsBody effects) {

    /**
     * Another Berth.
     *
     * @param url its address, http or https, without {@code /api/v1}
     * @param token with which it lets this one in, of an account with role CLIENT; never shown
     * @param cluster the name of the cluster there
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PeerBody(
            @Nullable String url,
            @Nullable String token,
            @Nullable String cluster) {}

    /** A cluster of another Berth, as that told last; its administrator sees where it is. */
    static ClusterBody of(Peer peer, boolean isAdministrator) {
        var card = RemoteAnswers.read(peer.card(), ClusterBody.class);
        return new ClusterBody(
                peer.id().value(),
                card.pes,
                card.granule,
                card.peNames,
                card.rating,
                card.labels,
                null,
                null,
                null,
                null,
                card.tariff,
                isAdministrator
                        ? new PeerBody(
                                peer.url().toString(), null, peer.cluster().value())
                        : null,
                null);
    }

    /**
     * The rules of a cluster.
     *
     * @param placement which of the places that fit is taken
     * @param replanOrder in which order waiting reservations are placed anew
     * @param juggling when waiting reservations are moved to let another in
     * @param reshaping whether moldable runs that are moved may change their shape
     * @param pullForward whether waiting reservations are moved when PEs become free earlier than planned
     * @param maxMoves the most reservations that one request may move
     * @param horizon how far ahead reservations are taken
     * @param notice how long before its planned start a reservation is not moved any more
     * @param claimWithin how soon after its start a reservation must be claimed, or it is released
     * @param alternativesMaxPhi how far from what was asked for an alternative may lie, in run times
     * @param availability how it is told how well the batch jobs do without a slot
     * @param makespanWeight the weight of the makespan in that, the rest being that of the average completion time
     * @param minAvailability below which no slot is granted: 0 lets reservations delay any batch job but the next one
     * @param maxSlots the most slots that a probe looks at where there are batch jobs
     * @param minSlotGap how far apart these lie at the least
     * @param limits what any reservation or job may ask for
     * @param jobs who hands in batch jobs
     * @param visibility what clients may see of what others have
     * @param enforcement whether an agent puts reservations in place on the machine; needs {@code binding} EARLY, unless NONE
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PolicyBody(
            @Nullable PlacementPolicy placement,
            @Nullable ReplanOrder replanOrder,
            @Nullable Juggling juggling,
            @Nullable Reshaping reshaping,
            @Nullable Boolean pullForward,
            @Nullable Integer maxMoves,
            @Nullable String horizon,
            @Nullable String notice,
            @Nullable String claimWithin,
            @Nullable BigDecimal alternativesMaxPhi,
            @Nullable AvailabilityMethod availability,
            @Nullable BigDecimal makespanWeight,
            @Nullable BigDecimal minAvailability,
            @Nullable Integer maxSlots,
            @Nullable String minSlotGap,
            @Nullable LimitsBody limits,
            @Nullable JobIntake jobs,
            @Nullable Visibility visibility,
            @Nullable EnforcementRule enforcement) {
        private static final PolicyBody STANDARD = showing(null);

        /** Says this much, and nothing else. */
        private static PolicyBody showing(@Nullable Visibility visibility) {
            return new PolicyBody(
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    visibility,
                    null);
        }
    }

    /**
     * How requests for reservations are taken in.
     *
     * @param order in which they are decided
     * @param window for how long they are collected, from the first on; means nothing for ARRIVAL
     * @param levels how many levels of priority are told apart: accounts that lie within half of them compete by the length
     *     of their runs
     * @param jobsPerUser how many requests of an account a round decides before those of lower priority
     */
    record IntakeBody(
            @Nullable IntakeOrder order,
            @Nullable String window,
            @Nullable Integer levels,
            @Nullable Integer jobsPerUser) {
        private static final IntakeBody STANDARD = new IntakeBody(null, null, null, null);
    }

    /**
     * What any reservation or job may ask for.
     *
     * @param leadTime how long before its start it must be asked for
     * @param maxDuration the longest run, in this cluster's time
     * @param reservableShare the share of the PEs that may be reserved at one time
     * @param advanceShare the share of the runs on the cluster that may be booked ahead
     * @param maxHold the longest that a slot may be held without being confirmed; 15 minutes, if left out
     * @param maxJobDuration the longest estimate of a batch job that Berth starts; a day, if left out
     */
    record LimitsBody(
            @Nullable String leadTime,
            @Nullable String maxDuration,
            @Nullable BigDecimal reservableShare,
            @Nullable BigDecimal advanceShare,
            @Nullable String maxHold,
            @Nullable String maxJobDuration) {
        private static final LimitsBody NONE = new LimitsBody(null, null, null, null, null, null);
    }

    /**
     * What the PEs of a cluster cost.
     *
     * @param function how the price is made
     * @param currency of all prices
     * @param pricePerPeHour the price of one PE for one hour, before all discounts
     * @param premiumFactor what PREMIUM accounts pay of the standard price
     * @param flexibilityDiscount the share taken off as flexibility grows without end
     * @param latenessDiscount the share taken off a start that comes late
     * @param latenessScale the run times of waiting that earn the whole lateness discount
     * @param preemptionIncentive the share taken off for a run that may be split
     * @param shapeDiscount the share taken off as the number of shapes grows without end
     * @param renegotiationSurcharge the share added to the price of terms that were made tighter
     * @param breachCredit the share of the price that is credited for a breach
     * @param loadProfile what a run costs more where more of the cluster is booked, by rising shares
     * @param cancellation what is owed for what is given up late
     */
    record TariffBody(
            @Nullable PriceFunction function,
            @Nullable String currency,
            @Nullable String pricePerPeHour,
            @Nullable BigDecimal premiumFactor,
            @Nullable BigDecimal flexibilityDiscount,
            @Nullable BigDecimal latenessDiscount,
            @Nullable BigDecimal latenessScale,
            @Nullable BigDecimal preemptionIncentive,
            @Nullable BigDecimal shapeDiscount,
            @Nullable BigDecimal renegotiationSurcharge,
            @Nullable BigDecimal breachCredit,
            @Nullable List<@Nullable LoadStepBody> loadProfile,
            @Nullable CancellationBody cancellation) {
        private static final TariffBody STANDARD =
                new TariffBody(null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /**
     * What is owed for what is given up late.
     *
     * @param freeUntil how long before its start a reservation can be given up for nothing
     * @param share of its price that is owed after that
     */
    @Schema(name = "Cancellation")
    record CancellationBody(
            @Nullable String freeUntil, @Nullable BigDecimal share) {}

    /**
     * What a run costs more where much is booked.
     *
     * @param above the share of the cluster that others have booked in the time of the run: the step holds above it
     * @param factor on the price
     */
    record LoadStepBody(
            @Required @Nullable BigDecimal above,
            @Required @Nullable BigDecimal factor) {}

    /**
     * The cluster that is asked for.
     *
     * @param version of the cluster that it is to change; 0 for a new one
     * @throws Problem naming every field that is wrong, or the first that is still to come
     */
    Cluster toCluster(int version) {
        var fields = new Fields(this);
        var name = fields.required("id", id, "x");
        int size = fields.required("pes", pes, 1);
        var nodes =
                fields.figures("", () -> Nodes.of(orElse(granule, 1), Optional.ofNullable(peNames)), Nodes.SINGLE_PES);
        var offered = fields.labels("labels", labels);
        var rules = policy(fields);
        var collected = intake(fields);
        var prices = tariff(fields);
        requireNoEffects(fields);
        var cluster = fields.figures(
                "",
                () -> new Cluster(
                        new ClusterId(name),
                        size,
                        nodes,
                        orElse(rating, BigDecimal.ONE),
                        offered,
                        orElse(binding, Binding.LATE),
                        orElse(admission, Admission.OPEN),
                        rules,
                        collected,
                        prices,
                        version),
                Cluster.of("x", 1));
        fields.check();
        return cluster;
    }

    void requireNoEffects(Fields fields) {
        if (effects != null) {
            fields.invalid("effects", null, "is told by a dry run; leave it out");
        }
    }

    private Policy policy(Fields fields) {
        var given = orElse(policy, PolicyBody.STANDARD);
        var limits = orElse(given.limits, LimitsBody.NONE);
        var standard = Policy.SERVICE;
        var bounds = fields.figures(
                "policy.limits.",
                () -> new Limits(
                        fields.durationUp("policy.limits.leadTime", limits.leadTime)
                                .orElse(0),
                        fields.durationUp("policy.limits.maxDuration", limits.maxDuration),
                        orElse(limits.reservableShare, BigDecimal.ONE),
                        orElse(limits.advanceShare, BigDecimal.ONE),
                        orStandard(
                                fields.durationUp("policy.limits.maxHold", limits.maxHold),
                                standard.limits().maxHold()),
                        orStandard(
                                fields.durationUp("policy.limits.maxJobDuration", limits.maxJobDuration),
                                standard.limits().maxJobDuration())),
                Limits.NONE);
        return fields.figures(
                "policy.",
                () -> new Policy(
                        orElse(given.placement, standard.placement()),
                        replanning(given, standard.replanning()),
                        fields.durationUp("policy.horizon", given.horizon).orElse(standard.horizon()),
                        fields.durationUp("policy.notice", given.notice).orElse(standard.notice()),
                        fields.durationUp("policy.claimWithin", given.claimWithin),
                        orElse(given.alternativesMaxPhi, standard.alternativesMaxPhi()),
                        availability(given, fields),
                        bounds,
                        orElse(given.jobs, standard.jobs()),
                        orElse(given.visibility, standard.visibility()),
                        orElse(given.enforcement, standard.enforcement())),
                standard);
    }

    private static OptionalLong orStandard(OptionalLong given, OptionalLong standard) {
        return given.isPresent() ? given : standard;
    }

    private static Replanning replanning(PolicyBody given, Replanning standard) {
        if (given.maxMoves != null && given.maxMoves > Replanning.MAX_SERVICE_MOVES) {
            throw new InvalidFigure(
                    "maxMoves",
                    given.maxMoves,
                    "must be at most %d: all others wait while they are moved".formatted(Replanning.MAX_SERVICE_MOVES));
        }
        return new Replanning(
                orElse(given.juggling, standard.juggling()),
                orElse(given.replanOrder, standard.order()),
                orElse(given.reshaping, standard.reshaping()),
                orElse(given.pullForward, standard.pullForward()),
                given.maxMoves == null ? standard.maxMoves() : OptionalInt.of(given.maxMoves));
    }

    private static AvailabilityRules availability(PolicyBody given, Fields fields) {
        var standard = AvailabilityRules.STANDARD;
        return new AvailabilityRules(
                orElse(given.availability, standard.method()),
                orElse(given.makespanWeight, standard.makespanWeight()),
                orElse(given.minAvailability, standard.minAvailability()),
                orElse(given.maxSlots, standard.maxSlots()),
                fields.durationUp("policy.minSlotGap", given.minSlotGap).orElse(standard.minSlotGap()));
    }

    private Intake intake(Fields fields) {
        var given = orElse(intake, IntakeBody.STANDARD);
        var standard = Intake.STANDARD;
        return fields.figures(
                "intake.",
                () -> new Intake(
                        orElse(given.order, standard.order()),
                        fields.durationUp("intake.window", given.window).orElse(standard.window()),
                        orElse(given.levels, standard.levels()),
                        orElse(given.jobsPerUser, standard.jobsPerUser())),
                standard);
    }

    private Tariff tariff(Fields fields) {
        var given = orElse(tariff, TariffBody.STANDARD);
        var standard = Tariff.STANDARD;
        var currency = given.currency == null
                ? standard.currency()
                : fields.currency("tariff.currency", given.currency).orElse(standard.currency());
        var price = given.pricePerPeHour == null
                ? standard.pricePerPeHour()
                : fields.amount("tariff.pricePerPeHour", given.pricePerPeHour).orElse(standard.pricePerPeHour());
        var profile = loadProfile(given.loadProfile, fields);
        var cancellation = given.cancellation;
        var freeUntil = cancellation == null
                ? OptionalLong.empty()
                : fields.durationUp("tariff.cancellation.freeUntil", cancellation.freeUntil);
        var share = cancellation == null ? null : cancellation.share;
        return fields.figures(
                "tariff.",
                () -> new Tariff(
                        orElse(given.function, standard.function()),
                        currency,
                        price,
                        orElse(given.premiumFactor, standard.premiumFactor()),
                        orElse(given.flexibilityDiscount, standard.flexibilityDiscount()),
                        orElse(given.latenessDiscount, standard.latenessDiscount()),
                        orElse(given.latenessScale, standard.latenessScale()),
                        orElse(given.preemptionIncentive, standard.preemptionIncentive()),
                        orElse(given.shapeDiscount, standard.shapeDiscount()),
                        orElse(given.renegotiationSurcharge, standard.renegotiationSurcharge()),
                        orElse(given.breachCredit, standard.breachCredit()),
                        profile,
                        new Cancellation(
                                freeUntil.orElse(standard.cancellation().freeUntil()),
                                orElse(share, standard.cancellation().share()))),
                standard);
    }

    private static List<LoadStep> loadProfile(@Nullable List<@Nullable LoadStepBody> given, Fields fields) {
        var steps = new ArrayList<LoadStep>();
        for (var step : given == null ? List.<@Nullable LoadStepBody>of() : given) {
            var path = "tariff.loadProfile[%d]".formatted(steps.size());
            if (step == null) {
                fields.required(path, step, new LoadStepBody(null, null));
            }
            var above = step == null ? BigDecimal.ZERO : fields.required(path + ".above", step.above, BigDecimal.ZERO);
            var factor = step == null ? BigDecimal.ONE : fields.required(path + ".factor", step.factor, BigDecimal.ONE);
            steps.add(new LoadStep(above, factor));
        }
        return fields.hasErrors() ? List.of() : steps;
    }

    private static <T> T orElse(@Nullable T given, T standard) {
        return given == null ? standard : given;
    }

    static ClusterBody of(Cluster cluster) {
        var card = cardOf(cluster);
        return new ClusterBody(
                card.id,
                card.pes,
                card.granule,
                card.peNames,
                card.rating,
                card.labels,
                cluster.binding(),
                cluster.admission(),
                of(cluster.policy()),
                of(cluster.intake()),
                card.tariff,
                null,
                null);
    }

    /** A cluster as it would be. */
    static ClusterBody of(Cluster cluster, EffectsBody effects) {
        var body = of(cluster);
        return new ClusterBody(
                body.id,
                body.pes,
                body.granule,
                body.peNames,
                body.rating,
                body.labels,
                body.binding,
                body.admission,
                body.policy,
                body.intake,
                body.tariff,
                null,
                effects);
    }

    private static IntakeBody of(Intake intake) {
        return new IntakeBody(intake.order(), Texts.duration(intake.window()), intake.levels(), intake.jobsPerUser());
    }

    private static PolicyBody of(Policy policy) {
        var replanning = policy.replanning();
        var availability = policy.availability();
        var limits = policy.limits();
        return new PolicyBody(
                policy.placement(),
                replanning.order(),
                replanning.juggling(),
                replanning.reshaping(),
                replanning.pullForward(),
                replanning.maxMoves().isPresent() ? replanning.maxMoves().getAsInt() : null,
                Texts.duration(policy.horizon()),
                Texts.duration(policy.notice()),
                Texts.duration(policy.claimWithin()),
                policy.alternativesMaxPhi(),
                availability.method(),
                availability.makespanWeight(),
                availability.minAvailability(),
                availability.maxSlots(),
                Texts.duration(availability.minSlotGap()),
                new LimitsBody(
                        Texts.duration(limits.leadTime()),
                        Texts.duration(limits.maxDuration()),
                        limits.reservableShare(),
                        limits.advanceShare(),
                        Texts.duration(limits.maxHold()),
                        Texts.duration(limits.maxJobDuration())),
                policy.jobs(),
                policy.visibility(),
                policy.enforcement());
    }

    /** What everybody may know: size, nodes, speed, labels, prices, and what is shown of what others have. */
    static ClusterBody cardOf(Cluster cluster) {
        var tariff = cluster.tariff();
        return new ClusterBody(
                cluster.id().value(),
                cluster.pes(),
                cluster.nodes().granule(),
                Texts.orNull(cluster.nodes().list()),
                cluster.rating(),
                new TreeMap<>(cluster.labels()),
                null,
                null,
                PolicyBody.showing(cluster.policy().visibility()),
                null,
                new TariffBody(
                        tariff.function(),
                        tariff.currency().getCurrencyCode(),
                        price(tariff),
                        tariff.premiumFactor(),
                        tariff.flexibilityDiscount(),
                        tariff.latenessDiscount(),
                        tariff.latenessScale(),
                        tariff.preemptionIncentive(),
                        tariff.shapeDiscount(),
                        tariff.renegotiationSurcharge(),
                        tariff.breachCredit(),
                        tariff.loadProfile().stream()
                                .<@Nullable LoadStepBody>map(step -> new LoadStepBody(step.above(), step.factor()))
                                .toList(),
                        new CancellationBody(
                                Texts.duration(tariff.cancellation().freeUntil()),
                                tariff.cancellation().share())),
                null,
                null);
    }

    /** With the decimals of the currency at least. */
    private static String price(Tariff tariff) {
        var price = tariff.pricePerPeHour();
        int decimals = Math.max(price.scale(), tariff.currency().getDefaultFractionDigits());
        return price.setScale(decimals).toPlainString();
    }
}
