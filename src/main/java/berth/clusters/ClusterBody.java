package berth.clusters;

import berth.availability.PlacementPolicy;
import berth.booking.web.EffectsBody;
import berth.booking.web.RemoteAnswers;
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
import berth.http.Fields;
import berth.http.NumberOrText;
import berth.http.Problem;
import berth.http.Required;
import berth.http.Texts;
import berth.peers.Peer;
import berth.pricing.Cancellation;
import berth.pricing.LoadStep;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.sla.InvalidFigure;
import berth.sla.MoveBounds;
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
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * A cluster with its rules and prices. Only administrators see the address of another Berth that runs it.
 *
 * @param id name of the cluster, also in URLs
 * @param pes number of processing elements
 * @param granule number of PEs in a node; reservations, jobs and outages take whole nodes, that is, multiples of it. It cannot be changed
 *     later; 1 if left out
 * @param peNames names of the nodes in Slurm's notation, in the order of their PEs: one name for each {@code granule} PEs
 * @param rating speed relative to a standard PE
 * @param labels names and values that describe what the cluster offers
 * @param binding when Berth settles which PEs a reservation gets
 * @param admission whether the cluster accepts new reservations
 * @param policy rules of the cluster
 * @param intake how the cluster takes in requests for reservations
 * @param tariff prices of the PEs
 * @param peer the other Berth that runs this cluster; if left out, this Berth runs it. With {@code peer}, send only {@code id}: the other
 *     Berth keeps the remaining fields
 * @param effects how the change would affect existing reservations; only in the response to a dry run, never in a request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(example = "{\"id\":\"sp2\",\"pes\":128}")
record ClusterBody(
        @Required @Nullable String id,
        @Nullable Integer pes,
        @Nullable Integer granule,
        @Nullable String peNames,
        @Nullable BigDecimal rating,

        @JsonDeserialize(contentUsing = NumberOrText.class) @Nullable
        Map<String, @Nullable String> labels,

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
     * @param token token of an account with role CLIENT at the other Berth; never returned
     * @param cluster id of the cluster at the other Berth
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PeerBody(
            @Nullable String url,
            @Nullable String token,
            @Nullable String cluster) {}

    /** Returns a cluster of another Berth as that Berth last reported it. Only an administrator sees the address of the other Berth. */
    public static ClusterBody of(Peer peer, boolean isAdministrator) {
        var card = RemoteAnswers.read(peer.card(), ClusterBody.class);
        return new ClusterBody(
                peer.id().value(),
                card.pes,
                card.granule,
                card.peNames,
                card.rating,
                card.labels,
                card.binding,
                card.admission,
                card.policy,
                card.intake,
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
     * @param placement the rule that chooses among the places that fit a run
     * @param replanOrder the order in which waiting reservations are placed again
     * @param juggling when Berth moves waiting reservations to make room for another
     * @param reshaping whether moldable runs that are moved may change their shape
     * @param pullForward whether Berth moves waiting reservations forward when PEs become free earlier than planned
     * @param maxMoves the most reservations that Berth may move for one request
     * @param maxMovesPerReservation how often Berth may move each reservation for others. It counts for reservations made or agreed anew
     *     while it holds
     * @param maxShift by how much a move may make a reservation begin sooner and end later than agreed; anywhere in its window, if left out
     * @param moveRebate the share of its price that a reservation gets back for each move
     * @param horizon how far ahead the cluster accepts reservations
     * @param notice how long before its planned start a reservation can no longer be moved
     * @param claimWithin how soon after its start the owner must claim a reservation; otherwise Berth releases it
     * @param alternativesMaxPhi how far from the requested window an alternative may lie, in run times
     * @param availability how Berth measures the effect of a slot on the batch jobs
     * @param makespanWeight weight of the makespan in that measure; the average completion time has the remaining weight
     * @param minAvailability the lowest availability at which a slot is granted; with 0, reservations may delay every batch job except the
     *     next one
     * @param maxSlots the most slots that a probe spreads over the window
     * @param minSlotGap the least time between two such slots
     * @param limits bounds for every reservation and job
     * @param jobs the source of the batch jobs: clients, an outside batch system, or none
     * @param visibility how much clients may see of other accounts' reservations and jobs
     * @param enforcement whether an agent puts reservations in place on the machine; any value but NONE requires the {@code binding} EARLY
     * @param defaultSlack the slack of a request that asks for neither slack nor a deadline; without it, such a run stays where it is put
     * @param projects under which labels requests may be filed
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PolicyBody(
            @Nullable PlacementPolicy placement,
            @Nullable ReplanOrder replanOrder,
            @Nullable Juggling juggling,
            @Nullable Reshaping reshaping,
            @Nullable Boolean pullForward,
            @Nullable Integer maxMoves,
            @Nullable Integer maxMovesPerReservation,
            @Nullable String maxShift,
            @Nullable BigDecimal moveRebate,
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
            @Nullable EnforcementRule enforcement,
            @Nullable String defaultSlack,
            @Nullable ProjectRule projects) {
        private static final PolicyBody STANDARD = new PolicyBody(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null);
    }

    /**
     * Intake of a cluster: how it takes in requests for reservations.
     *
     * @param order the order in which requests are decided
     * @param window how long requests are collected, counted from the first one; has no effect with ARRIVAL
     * @param levels number of priority levels: accounts whose priorities differ by at most half of this number compete by the length of
     *     their runs
     * @param jobsPerUser how many requests of one account a round decides before those of accounts with a lower priority
     */
    record IntakeBody(
            @Nullable IntakeOrder order,
            @Nullable String window,
            @Nullable Integer levels,
            @Nullable Integer jobsPerUser) {
        private static final IntakeBody STANDARD = new IntakeBody(null, null, null, null);
    }

    /**
     * Bounds for every reservation and job.
     *
     * @param leadTime the least time between a request and the start of its run
     * @param maxDuration the longest run, in this cluster's time
     * @param reservableShare the largest share of the PEs that reservations may take at one time
     * @param advanceShare the largest share of the runs on the cluster, batch jobs included, that may be booked ahead
     * @param maxHold the longest time that a slot may be held without being confirmed; 15 minutes if left out
     * @param maxJobDuration the longest estimate of a batch job that Berth starts; a day if left out
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
     * Prices of the PEs of a cluster.
     *
     * @param function how Berth calculates the price
     * @param currency currency of all prices
     * @param pricePerPeHour price of one PE for one hour, before all discounts. In a request it may also be a number
     * @param premiumFactor factor on the standard price for accounts with the service class PREMIUM
     * @param flexibilityDiscount the share of the price that the discount approaches as flexibility grows
     * @param latenessDiscount the share of the price taken off for a late start
     * @param latenessScale how late a start must be for the full lateness discount, in run times
     * @param preemptionIncentive the share of the price taken off for a run that may be split
     * @param shapeDiscount the share of the price that the discount approaches as the number of shapes grows
     * @param renegotiationSurcharge the share of the price added when terms become tighter
     * @param breachCredit the share of the price that is credited for a breach, 0 to 1
     * @param loadProfile factors on the price that apply when much of the cluster is booked, by rising share
     * @param cancellation the charge for a late cancellation
     * @param returnShare the share of the price of PE-time that is taken off if an owner returns it while the run goes on
     * @param flexibilityScale how much slack earns half of {@code flexibilityDiscount}; null for as much as the run time
     */
    record TariffBody(
            @Nullable PriceFunction function,
            @Nullable String currency,

            @JsonDeserialize(using = NumberOrText.class) @Nullable
            String pricePerPeHour,

            @Nullable BigDecimal premiumFactor,
            @Nullable BigDecimal flexibilityDiscount,
            @Nullable BigDecimal latenessDiscount,
            @Nullable BigDecimal latenessScale,
            @Nullable BigDecimal preemptionIncentive,
            @Nullable BigDecimal shapeDiscount,
            @Nullable BigDecimal renegotiationSurcharge,
            @Nullable BigDecimal breachCredit,
            @Nullable List<@Nullable LoadStepBody> loadProfile,
            @Nullable CancellationBody cancellation,
            @Nullable BigDecimal returnShare,
            @Nullable String flexibilityScale) {
        private static final TariffBody STANDARD = new TariffBody(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /**
     * The charge for a late cancellation.
     *
     * @param freeUntil how long before its start a reservation can still be cancelled free of charge
     * @param share the share of the price that is owed for a later cancellation
     */
    @Schema(name = "Cancellation")
    record CancellationBody(
            @Nullable String freeUntil, @Nullable BigDecimal share) {}

    /**
     * A factor on the price that applies when much of the cluster is booked.
     *
     * @param above the step applies if the reservations of other accounts take more than this share of the cluster during the run
     * @param factor factor on the price
     */
    record LoadStepBody(
            @Required @Nullable BigDecimal above,
            @Required @Nullable BigDecimal factor) {

        static List<@Nullable LoadStepBody> of(Tariff tariff) {
            return tariff.loadProfile().stream()
                    .<@Nullable LoadStepBody>map(step -> new LoadStepBody(step.above(), step.factor()))
                    .toList();
        }
    }

    /**
     * Returns the cluster that the request describes.
     *
     * @param version version of the cluster that the request changes; 0 for a new cluster
     * @throws Problem naming every invalid field, or the first one if later fields could not be checked
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
            fields.invalid("effects", null, "is only returned by a dry run. Leave it out.");
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
                        replanning(given, standard.replanning(), fields),
                        fields.durationUp("policy.horizon", given.horizon).orElse(standard.horizon()),
                        fields.durationUp("policy.notice", given.notice).orElse(standard.notice()),
                        fields.durationUp("policy.claimWithin", given.claimWithin),
                        orElse(given.alternativesMaxPhi, standard.alternativesMaxPhi()),
                        availability(given, fields),
                        bounds,
                        orElse(given.jobs, standard.jobs()),
                        orElse(given.visibility, standard.visibility()),
                        orElse(given.enforcement, standard.enforcement()),
                        fields.durationUp("policy.defaultSlack", given.defaultSlack),
                        orElse(given.projects, standard.projects())),
                standard);
    }

    private static OptionalLong orStandard(OptionalLong given, OptionalLong standard) {
        return given.isPresent() ? given : standard;
    }

    private static Replanning replanning(PolicyBody given, Replanning standard, Fields fields) {
        if (given.maxMoves != null && given.maxMoves > Replanning.MAX_SERVICE_MOVES) {
            throw new InvalidFigure(
                    "maxMoves",
                    given.maxMoves,
                    "must be at most %d, because other requests wait while reservations are moved"
                            .formatted(Replanning.MAX_SERVICE_MOVES));
        }
        return new Replanning(
                orElse(given.juggling, standard.juggling()),
                orElse(given.replanOrder, standard.order()),
                orElse(given.reshaping, standard.reshaping()),
                orElse(given.pullForward, standard.pullForward()),
                given.maxMoves == null ? standard.maxMoves() : OptionalInt.of(given.maxMoves),
                moves(given, standard.moves(), fields));
    }

    private static MoveRules moves(PolicyBody given, MoveRules standard, Fields fields) {
        int most = orElse(
                given.maxMovesPerReservation, standard.bounds().maxMoves().orElseThrow());
        if (most < 1 || most > MoveBounds.MAX_MOVES) {
            throw new InvalidFigure(
                    "maxMovesPerReservation",
                    most,
                    "must lie between 1 and %d; to allow no moves, set juggling to NEVER"
                            .formatted(MoveBounds.MAX_MOVES));
        }
        return new MoveRules(
                new MoveBounds(OptionalInt.of(most), fields.durationUp("policy.maxShift", given.maxShift)),
                orElse(given.moveRebate, standard.rebate()));
    }

    private static AvailabilityRules availability(PolicyBody given, Fields fields) {
        var standard = AvailabilityRules.SERVICE;
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
        var flexibilityScale = fields.durationUp("tariff.flexibilityScale", given.flexibilityScale);
        if (given.breachCredit != null && given.breachCredit.compareTo(BigDecimal.ONE) > 0) {
            fields.invalid("tariff.breachCredit", given.breachCredit, "must lie between 0 and 1");
        }
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
                                orElse(share, standard.cancellation().share())),
                        orElse(given.returnShare, standard.returnShare()),
                        flexibilityScale),
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

    public static ClusterBody of(Cluster cluster) {
        var tariff = cluster.tariff();
        return new ClusterBody(
                cluster.id().value(),
                cluster.pes(),
                cluster.nodes().granule(),
                Texts.orNull(cluster.nodes().list()),
                cluster.rating(),
                new TreeMap<>(cluster.labels()),
                cluster.binding(),
                cluster.admission(),
                of(cluster.policy()),
                of(cluster.intake()),
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
                        tariff.breachCredit().min(BigDecimal.ONE),
                        LoadStepBody.of(tariff),
                        new CancellationBody(
                                Texts.duration(tariff.cancellation().freeUntil()),
                                tariff.cancellation().share()),
                        tariff.returnShare(),
                        Texts.duration(tariff.flexibilityScale())),
                null,
                null);
    }

    /** Returns the response to a dry run: the cluster as it would be after the change, with the effects of the change. */
    public static ClusterBody of(Cluster cluster, EffectsBody effects) {
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
                number(replanning.maxMoves()),
                number(replanning.moves().bounds().maxMoves()),
                Texts.duration(replanning.moves().bounds().maxShift()),
                replanning.moves().rebate(),
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
                policy.enforcement(),
                Texts.duration(policy.defaultSlack()),
                policy.projects());
    }

    private static @Nullable Integer number(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    /** Returns the price per PE-hour with at least the decimals of the currency. */
    static String price(Tariff tariff) {
        var price = tariff.pricePerPeHour();
        int decimals = Math.max(price.scale(), tariff.currency().getDefaultFractionDigits());
        return price.setScale(decimals).toPlainString();
    }
}
