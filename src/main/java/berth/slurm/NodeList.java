package berth.slurm;

import berth.availability.PeSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The nodes of a cluster in the order of its PEs: PE 0 is the first. Append new nodes, and never take one from the middle. */
final class NodeList {

    private final List<String> names;
    private final Map<String, Integer> pes = new HashMap<>();

    /**
     * The nodes of a list such as {@code n[1-16]}.
     *
     * @throws IllegalArgumentException if it names none, or one twice
     */
    NodeList(String text) {
        names = List.copyOf(HostList.expand(text));
        if (names.isEmpty()) {
            throw new IllegalArgumentException("There is no node in " + text + ".");
        }
        for (var name : names) {
            if (pes.put(name, pes.size()) != null) {
                throw new IllegalArgumentException("Node " + name + " is named twice.");
            }
        }
    }

    private NodeList(List<String> names) {
        this.names = names;
        names.forEach(name -> pes.put(name, pes.size()));
    }

    /** Those of the first PEs: nodes may be named before the cluster has their PEs. */
    NodeList first(int count) {
        return count >= names.size() ? this : new NodeList(names.subList(0, count));
    }

    /** In the order of the PEs. */
    List<String> names() {
        return names;
    }

    int size() {
        return names.size();
    }

    boolean has(String node) {
        return pes.containsKey(node);
    }

    /** The PEs that these nodes are; those of other clusters are passed over. */
    PeSet pes(Collection<String> nodes) {
        return PeSet.of(nodes.stream()
                .filter(this::has)
                .mapToInt(node -> Objects.requireNonNull(pes.get(node)))
                .sorted()
                .toArray());
    }

    /** @throws IllegalArgumentException if there are fewer nodes than PEs */
    SortedSet<String> names(PeSet ids) {
        if (ids.length() > names.size()) {
            throw new IllegalArgumentException(
                    "There are PEs up to %d, and %d nodes.".formatted(ids.length() - 1, names.size()));
        }
        return new TreeSet<>(IntStream.range(0, ids.length())
                .filter(ids::contains)
                .mapToObj(names::get)
                .toList());
    }
}
