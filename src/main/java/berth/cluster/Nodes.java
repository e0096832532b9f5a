package berth.cluster;

import berth.availability.PeSet;
import berth.sla.InvalidFigure;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The nodes of a cluster, which are had as a whole: node k is the PEs from {@code k * granule} on, {@code granule} of them. Whatever takes PEs
 * takes a multiple of it. Who chooses PEs needs not know of nodes: a set of whole nodes that loses or gains others consists of whole nodes,
 * and so do its lowest-numbered PEs, as many as are a multiple.
 *
 * @param granule how many PEs a node is, at least 1
 * @param names what the nodes are called, in the order of their PEs; none: they have no names
 */
public record Nodes(int granule, List<String> names) {

    /** A PE is a node. */
    public static final Nodes SINGLE_PES = new Nodes(1, List.of());

    /** The most nodes that have names: whoever reads the plan is told those of each placement. */
    public static final int MAX_NAMES = 16_384;

    /** The most characters that the names take, folded. */
    public static final int LONGEST_NAMES = 10_000;

    private static final int SHOWN = 100;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** @throws InvalidFigure if a figure is out of range, a name is none, or two nodes have the same */
    public Nodes {
        if (granule < 1 || granule > Cluster.MAX_PES) {
            throw new InvalidFigure("granule", granule, "must lie between 1 and " + Cluster.MAX_PES);
        }
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
                "must be at most %d names that take at most %d characters when they are folded, such as n[1-16]"
                        .formatted(MAX_NAMES, LONGEST_NAMES));
    }

    /**
     * Nodes that have the names of a list.
     *
     * @param list such as {@code n[1-16]}; empty: they have no names
     * @throws InvalidFigure if it is no list, as well
     */
    public static Nodes of(int granule, Optional<String> list) {
        return new Nodes(granule, list.map(Nodes::expanded).orElse(List.of()));
    }

    private static List<String> expanded(String list) {
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
                    "peNames", list, "is no list of nodes such as n[1-16]: " + shown(String.valueOf(e.getMessage())));
        }
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    /** The names as Slurm writes them, in the order of their PEs; empty if there are none. */
    public Optional<String> list() {
        return names.isEmpty() ? Optional.empty() : Optional.of(HostList.foldInOrder(names));
    }

    /** The same nodes, called otherwise. */
    public Nodes named(List<String> others) {
        return new Nodes(granule, others);
    }

    /** So many PEs without those that are no whole node. */
    int floor(int pes) {
        return pes - pes % granule;
    }

    /** Why so many PEs are no whole nodes, if they are not. */
    public Optional<String> broken(int pes) {
        long next = pes + (granule - (long) pes % granule);
        return pes % granule == 0
                ? Optional.empty()
                : Optional.of("must be a multiple of %d, the PEs of a node of this cluster, and %d is none; ask for %d"
                        .formatted(granule, pes, next));
    }

    /** Why these PEs are no whole nodes, if they are not. */
    public Optional<String> broken(PeSet ids) {
        return ids.isOfBlocks(granule)
                ? Optional.empty()
                : Optional.of(
                        "must be the PEs of whole nodes, each %d from a multiple of %d on".formatted(granule, granule));
    }

    /** The same of these PEs alone. */
    public Optional<String> list(PeSet ids) {
        var some = names(ids);
        return some.isEmpty() ? Optional.empty() : Optional.of(HostList.foldInOrder(some));
    }

    /** The names of the nodes of these PEs, in their order; empty if these have no names, or there are no such nodes. */
    public List<String> names(PeSet ids) {
        return IntStream.range(0, Math.min(names.size(), (ids.length() + granule - 1) / granule))
                .filter(node -> ids.contains(node * granule))
                .mapToObj(names::get)
                .toList();
    }
}
