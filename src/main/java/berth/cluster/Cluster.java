package berth.cluster;

import static berth.sla.Components.checked;

import berth.pricing.Signal;
import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.sla.Configuration;
import berth.sla.Inline;
import berth.sla.InvalidFigure;
import berth.sla.Labels;
import berth.sla.LeavesOutEmpty;
import berth.sla.Settable;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A cluster and its rules for reservations. A run takes its duration divided by the rating. Early binding needs at most {@link
 * #MAX_PES_EARLY} PEs, and an agent can put reservations in place only with early binding. Rows of the journal leave out nodes of single PEs.
 *
 * @param id the name of the cluster, which also appears in URLs
 * @param pes number of processing elements
 * @param nodes the size and the names of the nodes; {@code pes} is a multiple of the size
 * @param unit the word for one PE that people read, such as GPU or core: 1 to 16 letters; PE if left out. Its plural ends in s
 * @param bulletin what the operator has to say to those who book here, such as a coming change
 * @param rating speed relative to a standard PE
 * @param labels names and values that describe what the cluster offers
 * @param binding when Berth settles which PEs a reservation gets
 * @param admission whether the cluster accepts new reservations. Only a cluster without live reservations, waiting requests, batch jobs,
 *     series, and announced outages or maintenances can be retired
 * @param policy rules of the cluster
 * @param intake how the cluster takes in requests for reservations
 * @param tariff prices of the PEs
 * @param version rises by one with each change; 0 at first, unless the name was that of another cluster before
 */
@LeavesOutEmpty
public record Cluster(
        ClusterId id,

        @Settable(min = "1", max = "" + MAX_PES, example = "32")
        int pes,

        @Inline Nodes nodes,
        @Settable String unit,
        @Settable(example = "New drivers on Tuesday") Optional<String> bulletin,
        @Settable(min = "0.01", max = "1000", example = "1") BigDecimal rating,
        @Settable Map<String, String> labels,
        @Settable Binding binding,
        @Settable Admission admission,
        @Settable Policy policy,
        @Settable Intake intake,
        @Settable Tariff tariff,
        int version)
        implements Configuration<Cluster> {

    /** The most PEs a cluster may have. */
    public static final int MAX_PES = 10_000_000;

    /** The most PEs a cluster with early binding may have. The limit is lower because Berth keeps a set of PEs for every step in time. */
    public static final int MAX_PES_EARLY = 65_536;

    /** The word for one PE of a cluster that names no other. */
    public static final String PE = "PE";

    private static final Pattern UNIT = Pattern.compile("[A-Za-z]{1,16}");

    /** @throws InvalidFigure if a figure is out of range */
    public Cluster {
        if (!id.isWellFormed()) {
            throw new InvalidFigure("id", id.value(), "must have 1 to 63 lower-case letters, digits and hyphens");
        }
        checked(Cluster.class, "pes", pes);
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
        unit = Objects.requireNonNullElse(unit, PE);
        if (!UNIT.matcher(unit).matches()) {
            throw new InvalidFigure(
                    "unit", unit, "must be a word of 1 to 16 letters in the singular, such as GPU or core");
        }
        bulletin = Objects.requireNonNullElse(bulletin, Optional.empty());
        if (policy.enforcement() != EnforcementRule.NONE && binding != Binding.EARLY) {
            throw new InvalidFigure(
                    "policy.enforcement",
                    policy.enforcement(),
                    "must be NONE with the binding LATE, because an agent needs the numbers of the PEs; choose the binding EARLY");
        }
        rating = checked(Cluster.class, "rating", rating);
        Labels.require("labels", labels);
        labels = Map.copyOf(labels);
    }

    /** Returns a cluster with {@code pes} PEs and the standard rules. */
    public static Cluster of(String id, int pes) {
        return new Cluster(
                new ClusterId(id),
                pes,
                Nodes.SINGLE_PES,
                PE,
                Optional.empty(),
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
        return with("version", number);
    }

    /** Returns the same cluster with other rules. */
    public Cluster under(Policy rules) {
        return with("policy", rules);
    }

    /** Returns the same cluster with another binding. */
    public Cluster bound(Binding when) {
        return with("binding", when);
    }

    /** Returns the same cluster with other prices. */
    public Cluster charging(Tariff prices) {
        return with("tariff", prices);
    }

    /** Returns the same cluster with other factors on prices by time. */
    public Cluster signalling(Signal factors) {
        return factors.equals(tariff.signal()) ? this : charging(tariff.with("signal", factors));
    }

    /** Returns the same cluster with other nodes. */
    public Cluster dividedInto(Nodes others) {
        return with("nodes", others);
    }

    /** Returns the same cluster with another rating. */
    public Cluster rated(BigDecimal speed) {
        return with("rating", speed);
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

    /** Whether the cluster is out of use. */
    public boolean isRetired() {
        return admission == Admission.RETIRED;
    }

    /** Returns why the cluster does not carry the required labels; empty if it does ({@link Labels#missing}). */
    public Optional<Violation> missing(Map<String, String> required) {
        return Labels.missing(required, labels);
    }
}
