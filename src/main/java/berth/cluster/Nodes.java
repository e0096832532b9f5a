package berth.cluster;

import static berth.sla.Components.checked;

import berth.availability.PeSet;
import berth.sla.Excerpt;
import berth.sla.InvalidFigure;
import berth.sla.Settable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The nodes of a cluster. Berth allocates nodes whole: node k consists of {@code granule} PEs, starting at PE {@code k * granule}, and
 * every allocation is a multiple of the granule. Code that chooses PEs needs no knowledge of nodes, because adding or removing whole nodes
 * leaves whole nodes, and the lowest-numbered PEs of such a set form whole nodes if their number is a multiple of the granule.
 *
 * @param granule number of PEs in a node; reservations, jobs and outages take whole nodes, that is, multiples of it. It cannot be changed
 *     later; 1 if left out
 * @param names names of the nodes in Slurm's notation, in the order of their PEs: one name for each {@code granule} PEs
 */
public record Nodes(
        @Settable(min = "1", max = "" + Cluster.MAX_PES, example = "1")
        int granule,

        @Settable(name = "peNames") List<String> names) {

    /** Every PE is a node. */
    public static final Nodes SINGLE_PES = new Nodes(1, List.of());

    /** The most nodes that can have names. The plan lists the node names of each placement, so the limit bounds its size. */
    public static final int MAX_NAMES = 16_384;

    /** The longest short form of all names, in characters. */
    public static final int LONGEST_NAMES = 10_000;

    private static final int SHOWN = 100;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** @throws InvalidFigure if a figure is out of range, a name is invalid, or two nodes have the same name */
    public Nodes {
        checked(Nodes.class, "granule", granule);
        names = List.copyOf(names);
        if (names.size() > MAX_NAMES) {
            throw tooLong(names.getFirst());
        }
        var before = new HashSet<String>();
        for (var name : names) {
            if (!NAME.matcher(name).matches()) {
                throw new InvalidFigure(
                        "peNames",
                        name,
                        "must have 1 to 63 letters, digits, points, hyphens and underscores each, beginning with a letter or digit");
            }
            if (!before.add(name)) {
                throw new InvalidFigure("peNames", name, "must all be different");
            }
        }
        var folded = HostList.foldInOrder(names);
        if (folded.length() > LONGEST_NAMES) {
            throw tooLong(folded);
        }
    }

    private static InvalidFigure tooLong(String list) {
        return new InvalidFigure(
                "peNames",
                shown(list),
                "must have at most %d names, and at most %d characters in the short form, such as n[1-16]"
                        .formatted(MAX_NAMES, LONGEST_NAMES));
    }

    /**
     * Creates nodes with the names of a list.
     *
     * @param list the short form of the names, such as {@code n[1-16]}; empty if the nodes have no names
     * @throws InvalidFigure as the constructor does, and if the list cannot be read
     */
    public static Nodes of(int granule, Optional<String> list) {
        return new Nodes(granule, list.map(Nodes::expanded).orElse(List.of()));
    }

    /**
     * Returns the names in a list such as {@code n[1-16]}.
     *
     * @throws InvalidFigure if the list cannot be read
     */
    public static List<String> expanded(String list) {
        if (list.length() > LONGEST_NAMES) {
            throw tooLong(list);
        }
        try {
            var names = HostList.expand(list);
            if (names.isEmpty()) {
                throw new InvalidFigure(
                        "peNames", list, "names no node; leave it out, or name a node for each granule of PEs");
            }
            return names;
        } catch (InvalidFigure e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidFigure(
                    "peNames",
                    list,
                    "is not a list of nodes such as n[1-16]: " + shown(String.valueOf(e.getMessage())));
        }
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : Excerpt.of(text, SHOWN) + "...";
    }

    /** Returns the short form of the names in the order of their PEs; empty if the nodes have no names. */
    public Optional<String> list() {
        return names.isEmpty() ? Optional.empty() : Optional.of(HostList.foldInOrder(names));
    }

    /** Returns the same nodes with other names. */
    public Nodes named(List<String> others) {
        return new Nodes(granule, others);
    }

    /** Rounds a number of PEs down to whole nodes. */
    int floor(int pes) {
        return pes - pes % granule;
    }

    /** Returns the reason why {@code pes} PEs are not whole nodes; empty if they are. */
    public Optional<String> broken(int pes) {
        long next = pes + (granule - (long) pes % granule);
        return pes % granule == 0
                ? Optional.empty()
                : Optional.of("must be a multiple of %d, the PEs per node of this cluster, but is %d; ask for %d"
                        .formatted(granule, pes, next));
    }

    /** Returns the reason why these PEs are not whole nodes; empty if they are. */
    public Optional<String> broken(PeSet ids) {
        return ids.isOfBlocks(granule)
                ? Optional.empty()
                : Optional.of("must be whole nodes; each node has %d PEs, and its first PE is a multiple of %d"
                        .formatted(granule, granule));
    }

    /** Returns the short form of the names of these PEs' nodes; empty if the nodes have no names. */
    public Optional<String> list(PeSet ids) {
        var some = names(ids);
        return some.isEmpty() ? Optional.empty() : Optional.of(HostList.foldInOrder(some));
    }

    /** Returns the names of these PEs' nodes in order; empty if the nodes have no names or do not exist. */
    public List<String> names(PeSet ids) {
        return IntStream.range(0, Math.min(names.size(), (ids.length() + granule - 1) / granule))
                .filter(node -> ids.contains(node * granule))
                .mapToObj(names::get)
                .toList();
    }
}
