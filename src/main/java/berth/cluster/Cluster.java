package berth.cluster;

import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.sla.InvalidFigure;
import berth.sla.Labels;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster and its rules for reservations.
 *
 * @param id the name of the cluster, which also appears in URLs
 * @param pes the number of processing elements, at least 1
 * @param nodes the size and the names of the nodes; {@code pes} is a multiple of the size. Journal rows older than this field lack it,
 *     which means that each PE is a node
 * @param rating the speed relative to a standard PE, in {@code [0.01, 1000]}: a run takes its duration divided by the rating
 * @param labels the properties that requests can ask for with {@code requires}
 * @param binding when Berth chooses the PEs of a reservation; early binding needs at most {@link #MAX_PES_EARLY} PEs
 * @param admission whether the cluster takes new reservations
 * @param policy the rules of the cluster; an agent can put reservations in place only if PEs are bound early
 * @param intake how the cluster takes in requests
 * @param tariff the prices of its PEs
 * @param version rises by one with each change; 0 at first, unless the name was that of another cluster before
 */
public record Cluster(
        ClusterId id,
        int pes,
        Nodes nodes,
        BigDecimal rating,
        Map<String, String> labels,
        Binding binding,
        Admission admission,
        Policy policy,
        Intake intake,
        Tariff tariff,
        int version) {

    /** The most PEs a cluster may have. */
    public static final int MAX_PES = 10_000_000;

    /** The most PEs a cluster with early binding may have. The limit is lower because Berth keeps a set of PEs for every step in time. */
    public static final int MAX_PES_EARLY = 65_536;

    private static final BigDecimal LEAST_RATING = new BigDecimal("0.01");
    private static final BigDecimal MAX_RATING = new BigDecimal("1000");
    private static final int MAX_DECIMALS = 6;

    /** @throws InvalidFigure if a figure is out of range */
    public Cluster {
        if (!id.isWellFormed()) {
            throw new InvalidFigure("id", id.value(), "must have 1 to 63 lower-case letters, digits and hyphens");
        }
        if (pes < 1 || pes > MAX_PES) {
            throw new InvalidFigure("pes", pes, "must lie between 1 and " + MAX_PES);
        }
        if (binding == Binding.EARLY && pes > MAX_PES_EARLY) {
            throw new InvalidFigure(
                    "pes",
                    pes,
                    "must be at most %d with the binding EARLY; choose fewer PEs or the binding LATE"
                            .formatted(MAX_PES_EARLY));
        }
        nodes = Objects.requireNonNullElse(nodes, Nodes.SINGLE_PES);
        int granule = nodes.granule();
        if (pes % granule != 0) {
            throw new InvalidFigure("pes", pes, "must be a multiple of granule, %d".formatted(granule));
        }
        if (!nodes.names().isEmpty() && nodes.names().size() != pes / granule) {
            throw new InvalidFigure(
                    "peNames",
                    nodes.list().orElseThrow(),
                    "must name one node for each %d of the %d PEs, so %d nodes, but names %d"
                            .formatted(
                                    granule, pes, pes / granule, nodes.names().size()));
        }
        if (policy.enforcement() != EnforcementRule.NONE && binding != Binding.EARLY) {
            throw new InvalidFigure(
                    "policy.enforcement",
                    policy.enforcement(),
                    "must be NONE with the binding LATE, because an agent needs the numbers of the PEs; choose the binding EARLY");
        }
        var stripped = rating.stripTrailingZeros();
        if (rating.compareTo(LEAST_RATING) < 0 || rating.compareTo(MAX_RATING) > 0 || stripped.scale() > MAX_DECIMALS) {
            throw new InvalidFigure("rating", rating, "must lie between 0.01 and 1000, with at most 6 decimals");
        }
        rating = stripped.setScale(Math.max(0, stripped.scale()));
        Labels.require("labels", labels);
        labels = Map.copyOf(labels);
    }

    /** Returns a cluster with {@code pes} PEs and the standard rules. */
    public static Cluster of(String id, int pes) {
        return new Cluster(
                new ClusterId(id),
                pes,
                Nodes.SINGLE_PES,
                BigDecimal.ONE,
                Map.of(),
                Binding.LATE,
                Admission.OPEN,
                Policy.STANDARD,
                Intake.STANDARD,
                Tariff.STANDARD,
                0);
    }

    /** Returns the same cluster with another version number. */
    public Cluster inVersion(int number) {
        return new Cluster(id, pes, nodes, rating, labels, binding, admission, policy, intake, tariff, number);
    }

    /** Returns the same cluster with other rules. */
    public Cluster under(Policy rules) {
        return new Cluster(id, pes, nodes, rating, labels, binding, admission, rules, intake, tariff, version);
    }

    /** Returns the same cluster with another binding. */
    public Cluster bound(Binding when) {
        return new Cluster(id, pes, nodes, rating, labels, when, admission, policy, intake, tariff, version);
    }

    /** Returns the same cluster with other prices. */
    public Cluster charging(Tariff prices) {
        return new Cluster(id, pes, nodes, rating, labels, binding, admission, policy, intake, prices, version);
    }

    /** Returns the same cluster with other nodes. */
    public Cluster dividedInto(Nodes others) {
        return new Cluster(id, pes, others, rating, labels, binding, admission, policy, intake, tariff, version);
    }

    /** Returns the same cluster with another rating. */
    public Cluster rated(BigDecimal speed) {
        return new Cluster(id, pes, nodes, speed, labels, binding, admission, policy, intake, tariff, version);
    }

    /** Returns the same cluster, but no reservation moves to let another in. */
    public Cluster withoutJuggling() {
        return under(policy.withoutJuggling());
    }

    /** Returns the same cluster with a minimum availability of 0: a reservation may delay any batch job except the first in the queue. */
    public Cluster withoutMinAvailability() {
        return under(policy.withAvailability(policy.availability().withoutMinimum()));
    }

    /**
     * Returns how many PEs reservations may take at one time, rounded down to whole nodes. The result is 0 if a small cluster has a small
     * reservable share.
     */
    public int reservablePes() {
        return nodes.floor(policy.limits().reservable(pes));
    }

    /** Returns why the cluster does not carry the required labels; empty if it does ({@link Labels#missing}). */
    public Optional<Violation> missing(Map<String, String> required) {
        return Labels.missing(required, labels);
    }
}
