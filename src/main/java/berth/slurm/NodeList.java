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

/** The nodes of a cluster in the order of its PEs: the first is PE 0 and those after it. Append new nodes, and never take one from the middle. */
final class NodeList {

    private final Nodes nodes;
    private final Map<String, Integer> places = new HashMap<>();

    private NodeList(Nodes nodes) {
        this.nodes = nodes;
        nodes.names().forEach(name -> places.put(name, places.size()));
    }

    /**
     * The nodes of a list such as {@code n[1-16]}, each of {@code granule} PEs.
     *
     * @throws IllegalArgumentException if it names none, or one twice
     */
    static NodeList of(int granule, String text) {
        try {
            return new NodeList(Nodes.of(granule, Optional.of(text)));
        } catch (InvalidFigure e) {
            throw new IllegalArgumentException("It %s.".formatted(e.rule()), e);
        }
    }

    /** Those of the first PEs: nodes may be named before the cluster has their PEs. */
    NodeList first(int pes) {
        int count = pes / nodes.granule();
        return count >= size() ? this : new NodeList(nodes.named(names().subList(0, count)));
    }

    /** In the order of the PEs. */
    List<String> names() {
        return nodes.names();
    }

    int size() {
        return nodes.names().size();
    }

    /** How many PEs so many nodes are. */
    int pes(int count) {
        return count * nodes.granule();
    }

    boolean has(String node) {
        return places.containsKey(node);
    }

    /** The PEs that these nodes are; those of other clusters are passed over. */
    PeSet pes(Collection<String> some) {
        return PeSet.of(some.stream()
                .filter(this::has)
                .distinct()
                .mapToInt(node -> pes(Objects.requireNonNull(places.get(node))))
                .sorted()
                .flatMap(first -> IntStream.range(first, first + nodes.granule()))
                .toArray());
    }

    /** @throws IllegalArgumentException if there are fewer nodes than PEs */
    SortedSet<String> names(PeSet ids) {
        if (ids.length() > pes(size())) {
            throw new IllegalArgumentException(
                    "There are PEs up to %d, and %d nodes of %d.".formatted(ids.length() - 1, size(), nodes.granule()));
        }
        return new TreeSet<>(nodes.names(ids));
    }
}
