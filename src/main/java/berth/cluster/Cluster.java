package berth.cluster;

import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.sla.InvalidFigure;
import berth.sla.Labels;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster and the rules under which it is reserved.
 *
 * @param id its name, in URLs too
 * @param pes processing elements, at least 1
 * @param nodes how many PEs a node is, of which {@code pes} is a multiple, and what the nodes are called; rows of the journal from before it could be
 *     said say nothing, which is a PE each
 * @param rating its speed relative to a standard PE: a run takes its duration divided by this; in {@code [0.01, 1000]}
 * @param labels what it has to offer, for {@code requires}
 * @param binding when it is settled which PEs a reservation gets; early at most for {@link #MAX_PES_EARLY}
 * @param admission whether it takes new reservations
 * @param policy its rules; reservations are put in place by an agent only where PEs are bound early
 * @param intake how it takes requests in
 * @param tariff what its PEs cost
 * @param version how often it was changed since it was created
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

    /** The most where PEs are bound early: a set of PEs is kept for every step in time. */
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
                    "must be at most %d where PEs are bound early; bind them LATE".formatted(MAX_PES_EARLY));
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
                    "must name a node for each %d of the %d PEs, which are %d, and names %d"
                            .formatted(
                                    granule, pes, pes / granule, nodes.names().size()));
        }
        if (policy.enforcement() != EnforcementRule.NONE && binding != Binding.EARLY) {
            throw new InvalidFigure(
                    "policy.enforcement",
                    policy.enforcement(),
                    "must be NONE where PEs are bound late: an agent must know which they are; bind them EARLY");
        }
        var stripped = rating.stripTrailingZeros();
        if (rating.compareTo(LEAST_RATING) < 0 || rating.compareTo(MAX_RATING) > 0 || stripped.scale() > MAX_DECIMALS) {
            throw new InvalidFigure("rating", rating, "must lie between 0.01 and 1000, with at most 6 decimals");
        }
        rating = stripped.setScale(Math.max(0, stripped.scale()));
        Labels.require("labels", labels);
        labels = Map.copyOf(labels);
    }

    /** A cluster of that size under the standard rules. */
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

    /** The same cluster in that version. */
    public Cluster inVersion(int number) {
        return new Cluster(id, pes, nodes, rating, labels, binding, admission, policy, intake, tariff, number);
    }

    /** The same cluster under other rules. */
    public Cluster under(Policy rules) {
        return new Cluster(id, pes, nodes, rating, labels, binding, admission, rules, intake, tariff, version);
    }

    /** The same cluster, where PEs are bound then. */
    public Cluster bound(Binding when) {
        return new Cluster(id, pes, nodes, rating, labels, when, admission, policy, intake, tariff, version);
    }

    /** The same cluster at other prices. */
    public Cluster charging(Tariff prices) {
        return new Cluster(id, pes, nodes, rating, labels, binding, admission, policy, intake, prices, version);
    }

    /** The same cluster, where PEs are had in such nodes. */
    public Cluster dividedInto(Nodes others) {
        return new Cluster(id, pes, others, rating, labels, binding, admission, policy, intake, tariff, version);
    }

    /** The same cluster, so much faster than a standard one. */
    public Cluster rated(BigDecimal speed) {
        return new Cluster(id, pes, nodes, speed, labels, binding, admission, policy, intake, tariff, version);
    }

    /** The same cluster, where nobody is moved to let another in. */
    public Cluster withoutJuggling() {
        return under(policy.withoutJuggling());
    }

    /** The same cluster, where reservations may delay any batch job but the first of the queue. */
    public Cluster withoutMinAvailability() {
        return under(policy.beside(policy.availability().withoutMinimum()));
    }

    /** The PEs of whole nodes that reservations may take at one time; may be 0 where the reservable share of a small cluster is. */
    public int reservablePes() {
        return nodes.floor(policy.limits().reservable(pes));
    }

    /** The first of the required labels that the cluster does not carry. */
    public Optional<Entry<String, String>> missing(Map<String, String> required) {
        return required.entrySet().stream()
                .filter(label -> !label.getValue().equals(labels.get(label.getKey())))
                .findFirst();
    }
}
