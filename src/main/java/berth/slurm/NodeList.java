package berth.slurm;

import berth.availability.PeSet;
import berth.cluster.Nodes;
import berth.sla.InvalidFigure;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The nodes of a cluster in the order of its PEs: the first node has PE 0 and the PEs that follow. New nodes may only be appended, and no
 * node may be removed from the middle.
 */
final class NodeList {

    private final Nodes nodes;
    private final Map<String, Integer> places = new HashMap<>();

    private NodeList(Nodes nodes) {
        this.nodes = nodes;
        nodes.names().forEach(name -> places.put(name, places.size()));
    }

    /**
     * Returns the nodes of a list such as {@code n[1-16]}, each with {@code granule} PEs.
     *
     * @throws IllegalArgumentException if the list is empty or names a node twice
     */
    static NodeList of(int granule, String text) {
        try {
            return new NodeList(Nodes.of(granule, Optional.of(text)));
        } catch (InvalidFigure e) {
            throw new IllegalArgumentException("The list of nodes %s.".formatted(e.rule()), e);
        }
    }

    /** Returns the nodes of the first PEs. Nodes may be named before the cluster has their PEs. */
    NodeList first(int pes) {
        int count = pes / nodes.granule();
        return count >= size() ? this : new NodeList(nodes.named(names().subList(0, count)));
    }

    /** Returns the names of the nodes in the order of the PEs. */
    List<String> names() {
        return nodes.names();
    }

    int size() {
        return nodes.names().size();
    }

    /** Returns the number of PEs of so many nodes. */
    int pes(int count) {
        return count * nodes.granule();
    }

    boolean has(String node) {
        return places.containsKey(node);
    }

    /** Returns the PEs of some nodes. Nodes of other clusters are ignored. */
    PeSet pes(Collection<String> some) {
        return PeSet.of(some.stream()
                .filter(this::has)
                .distinct()
                .mapToInt(node -> pes(Objects.requireNonNull(places.get(node))))
                .sorted()
                .flatMap(first -> IntStream.range(first, first + nodes.granule()))
                .toArray());
    }

    /** Returns the nodes of those of some PEs that these nodes have. */
    SortedSet<String> namesWithin(PeSet ids) {
        return names(ids.and(PeSet.range(0, pes(size()))));
    }

    /**
     * Returns the nodes of some PEs.
     *
     * @throws IllegalArgumentException if the nodes have fewer PEs
     */
    SortedSet<String> names(PeSet ids) {
        if (ids.length() > pes(size())) {
            throw new IllegalArgumentException("There are PEs up to number %d, but only %d nodes with %d PEs each."
                    .formatted(ids.length() - 1, size(), nodes.granule()));
        }
        return new TreeSet<>(nodes.names(ids));
    }
}
