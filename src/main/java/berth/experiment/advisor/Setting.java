package berth.experiment.advisor;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.experiment.Columns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What an operator chooses. Where the waiting queue is never placed anew there is nothing that its order could change
 * ({@link Juggling#NEVER}: what has a place keeps it), so all orders are one setting there, that of the standard order.
 *
 * @param placement which of the places that fit a run gets
 * @param juggling when the waiting queue is placed anew
 * @param order in which it is
 * @param binding when it is settled which PEs a reservation gets
 */
record Setting(PlacementPolicy placement, Juggling juggling, ReplanOrder order, Binding binding) {

    /** Those of a cluster that is told nothing else. */
    static final Setting STANDARD = of(Cluster.of("standard", 1));

    /**
     * Of settings that come to the same the first is the one to take: it takes the earliest start, binds late and moves
     * nobody, or as few of these differ as can be.
     */
    static final Comparator<Setting> PLAINEST_FIRST = Comparator.comparing(Setting::placement)
            .thenComparing(Setting::binding)
            .thenComparing(Setting::juggling)
            .thenComparing(setting -> setting.order != STANDARD.order)
            .thenComparing(Setting::order);

    /** Of a table. */
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

    private static Setting of(Cluster cluster) {
        var policy = cluster.policy();
        return new Setting(
                policy.placement(), policy.juggling(), policy.replanning().order(), cluster.binding());
    }

    /** All that can be made of these, none twice. */
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

    /** The cluster with these settings. */
    Cluster on(Cluster cluster) {
        return cluster.under(cluster.policy().placing(placement).replanning(juggling, order))
                .bound(binding);
    }

    /** When the queue is placed anew, and in which order if that matters. */
    String replacing() {
        return juggling == Juggling.NEVER ? juggling.name() : juggling + " " + order;
    }

    /** As in {@code FIRST_FIT, ALWAYS FIFO, LATE}. */
    String words() {
        return "%s, %s, %s".formatted(placement, replacing(), binding);
    }

    /** What to send to a cluster to have it follow this setting: the body of a change, but for the binding. */
    String change() {
        String ordered = juggling == Juggling.NEVER ? "" : "\"replanOrder\":\"%s\",".formatted(order);
        return "{\"policy\":{\"placement\":\"%s\",%s\"juggling\":\"%s\"}}".formatted(placement, ordered, juggling);
    }
}
