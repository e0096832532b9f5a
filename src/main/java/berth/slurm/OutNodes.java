package berth.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Which nodes are out of service, so far as that can be believed. It is remembered only since when. */
final class OutNodes {

    /** That most nodes are out is believed after so long: what is promised there fails, and a network comes back. */
    private static final Duration DOUBT = Duration.ofMinutes(1);

    /** A node that has come back is out for so long yet: it may go again. */
    private static final Duration PROBATION = Duration.ofMinutes(1);

    private final Map<String, Seen> seen = new HashMap<>();

    /**
     * A node that is out of service.
     *
     * @param since when it was first seen so
     * @param lately when it was last seen so
     * @param reason in the words in which it went, which do not change while it is away
     */
    private record Seen(Instant since, Instant lately, String reason) {}

    /** What a look has found. */
    sealed interface Found {

        /** These nodes are out, or will be, by their names. */
        record Out(Map<String, SlurmReport.Out> nodes) implements Found {}

        /** So many are out that it is not believed yet. */
        record TooMany(int count) implements Found {}
    }

    /**
     * Looks at the nodes.
     *
     * @param ours the reservations of this agent: what runs in one on a node that is draining may end
     */
    Found look(Collection<SlurmNode> all, NodeList nodes, Collection<SlurmReservation> ours, Instant now) {
        var told = new HashMap<String, SlurmReport.Out>();
        for (var node : all) {
            if (!nodes.has(node.name())) {
                continue;
            }
            var reason = "%s is %s: %s".formatted(node.name(), node.state(), node.reason());
            if (node.isOut()) {
                seen.merge(
                        node.name(),
                        new Seen(now, now, reason),
                        (before, again) -> new Seen(before.since(), again.lately(), before.reason()));
            } else if (node.isDraining()) {
                var until = ours.stream()
                        .filter(each -> each.start() <= now.getEpochSecond()
                                && each.nodes().contains(node.name()))
                        .mapToLong(SlurmReservation::end)
                        .max();
                told.put(node.name(), new SlurmReport.Out(until, OptionalLong.empty(), reason));
            }
        }
        seen.values().removeIf(each -> !each.lately().plus(PROBATION).isAfter(now));
        boolean areMost = seen.size() > 1 && seen.size() * 2 > nodes.size();
        if (areMost
                && seen.values().stream()
                        .anyMatch(each -> each.since().plus(DOUBT).isAfter(now))) {
            return new Found.TooMany(seen.size());
        }
        seen.forEach((node, since) ->
                told.put(node, new SlurmReport.Out(OptionalLong.empty(), OptionalLong.empty(), since.reason())));
        return new Found.Out(told);
    }
}
