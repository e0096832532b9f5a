package berth.slurm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Lets reservations begin a little earlier and end a little later in Slurm than Berth has promised, on nodes that nobody else has then.
 * Slurm needs a few seconds to start a job and rounds time limits up to minutes: without a margin, a job whose limit is the booked time
 * would not fit before the next reservation. If two reservations share a gap, the later one begins earlier before the earlier one ends
 * later.
 */
final class Margins {

    /** A time in which somebody has a node, in seconds since the epoch. */
    private record Taken(long start, long end) {}

    private final long margin;
    private final long now;
    /** By node: each start, and the latest end of what starts by then. */
    private final Map<String, NavigableMap<Long, Long>> latestEnds = new HashMap<>();

    private Margins(long margin, long now, Map<String, List<Taken>> byNode) {
        this.margin = margin;
        this.now = now;
        byNode.forEach((node, all) -> {
            all.sort(Comparator.comparingLong(Taken::start));
            var ends = new TreeMap<Long, Long>();
            long latest = Long.MIN_VALUE;
            for (var taken : all) {
                latest = Math.max(latest, taken.end());
                ends.put(taken.start(), latest);
            }
            latestEnds.put(node, ends);
        });
    }

    /**
     * Returns the reservations with their margins, in the same order. No two of them overlap that did not before. O(n log n) for n nodes of
     * reservations and jobs.
     *
     * @param promised the reservations as Berth has promised them
     * @param foreign the reservations in Slurm that are not this agent's
     * @param margin the largest margin on either side, in seconds
     */
    static List<MachineReservation> widened(
            List<MachineReservation> promised,
            Collection<MachineReservation> foreign,
            Collection<SlurmJob> jobs,
            long margin,
            long now) {
        var byNode = new HashMap<String, List<Taken>>();
        for (var some : List.of(promised, foreign)) {
            some.forEach(each -> add(byNode, each.nodes(), new Taken(each.start(), each.end())));
        }
        // a job in a reservation ends with it
        jobs.stream()
                .filter(job -> job.isRunning() && job.reservations().isEmpty())
                .forEach(job -> add(byNode, job.nodes(), new Taken(Long.MIN_VALUE, job.end(now))));
        var margins = new Margins(margin, now, byNode);
        return promised.stream()
                .map(each -> each.at(each.start() - margins.before(each), each.end() + margins.after(each)))
                .toList();
    }

    private static void add(Map<String, List<Taken>> byNode, Collection<String> nodes, Taken taken) {
        nodes.forEach(
                node -> byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(taken));
    }

    /** Returns how much earlier a reservation may begin; it never begins before now because of its margin. */
    private long before(MachineReservation each) {
        return each.nodes().stream()
                .mapToLong(node -> before(each.start(), node))
                .min()
                .orElse(0);
    }

    private long before(long start, String node) {
        var earlier = ends(node).lowerEntry(start);
        long room = earlier == null ? margin : start - earlier.getValue();
        return Math.clamp(room, 0, Math.clamp(start - now, 0, margin));
    }

    private NavigableMap<Long, Long> ends(String node) {
        return Objects.requireNonNull(latestEnds.get(node));
    }

    private long after(MachineReservation each) {
        return each.nodes().stream().mapToLong(node -> after(each, node)).min().orElse(0);
    }

    private long after(MachineReservation each, String node) {
        var next = ends(node).higherKey(each.start());
        return next == null ? margin : Math.clamp(next - before(next, node) - each.end(), 0, margin);
    }
}
