package berth.lab.experiment.advisor;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Columns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The settings that an operator chooses. Without replanning ({@link Juggling#NEVER}) the order has no effect, so all orders count as one
 * setting, that of the standard order.
 *
 * @param placement the placement policy
 * @param juggling when the waiting queue is replanned
 * @param order the replan order
 * @param binding when PEs are chosen
 */
record Setting(PlacementPolicy placement, Juggling juggling, ReplanOrder order, Binding binding) {

    /** The setting of a cluster with defaults. */
    static final Setting STANDARD = of(Cluster.of("standard", 1));

    /**
     * The order of equivalent settings from the plainest. Placement at the earliest start comes first, then late binding, then no
     * replanning, then the standard replan order; an earlier one of these outweighs the later ones.
     */
    static final Comparator<Setting> PLAINEST_FIRST = Comparator.comparing(Setting::placement)
            .thenComparing(Setting::binding)
            .thenComparing(Setting::juggling)
            .thenComparing(setting -> setting.order != STANDARD.order)
            .thenComparing(Setting::order);

    /** The columns of a table. */
    static final Columns<Setting> COLUMNS = new Columns<Setting>()
            .with("placement", Setting::placement)
            .with("juggling", Setting::juggling)
            .with("order", Setting::order)
            .with("binding", Setting::binding);

    Setting {
        if (juggling == Juggling.NEVER) {
            order = Policy.STANDARD.replanning().order();
        }
    }

    /** Returns the setting of a cluster. */
    static Setting of(Cluster cluster) {
        var policy = cluster.policy();
        return new Setting(
                policy.placement(), policy.juggling(), policy.replanning().order(), cluster.binding());
    }

    /** Returns all combinations of these, without duplicates. */
    static List<Setting> crossing(
            Collection<PlacementPolicy> placements,
            Collection<Juggling> jugglings,
            Collection<ReplanOrder> orders,
            Collection<Binding> bindings) {
        List<Setting> all = new ArrayList<>();
        for (PlacementPolicy placement : placements) {
            for (Juggling juggling : jugglings) {
                for (ReplanOrder order : orders) {
                    bindings.forEach(binding -> all.add(new Setting(placement, juggling, order, binding)));
                }
            }
        }
        return all.stream().distinct().toList();
    }

    /** Returns the cluster with this setting. */
    Cluster on(Cluster cluster) {
        return cluster.under(cluster.policy().withPlacement(placement).withReplanning(juggling, order))
                .bound(binding);
    }

    /** Returns when the queue is replanned and, if it matters, in which order. */
    String replacing() {
        return juggling == Juggling.NEVER ? juggling.name() : juggling + " " + order;
    }

    /** Returns a text as in {@code FIRST_FIT, ALWAYS FIFO, LATE}. */
    String words() {
        return "%s, %s, %s".formatted(placement, replacing(), binding);
    }

    /** Returns the JSON body of the request that gives a cluster this setting, except the binding. */
    String change() {
        return body(true, juggling != Juggling.NEVER, true);
    }

    /**
     * Returns the JSON body of the request that gives a cluster this setting, except the binding; only what differs, and empty if nothing
     * does. Without juggling the order in force is not known.
     */
    Optional<String> changeOf(Setting inForce) {
        boolean isReordered =
                juggling != Juggling.NEVER && (inForce.juggling == Juggling.NEVER || order != inForce.order);
        boolean isReplaced = placement != inForce.placement;
        boolean isJuggled = juggling != inForce.juggling;
        return isReplaced || isReordered || isJuggled
                ? Optional.of(body(isReplaced, isReordered, isJuggled))
                : Optional.empty();
    }

    private String body(boolean hasPlacement, boolean hasOrder, boolean hasJuggling) {
        List<String> fields = new ArrayList<>();
        if (hasPlacement) {
            fields.add("\"placement\":\"%s\"".formatted(placement));
        }
        if (hasOrder) {
            fields.add("\"replanOrder\":\"%s\"".formatted(order));
        }
        if (hasJuggling) {
            fields.add("\"juggling\":\"%s\"".formatted(juggling));
        }
        return "{\"policy\":{%s}}".formatted(String.join(",", fields));
    }
}
