package berth.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Finds the nodes that are out of service, and delays doubtful reports. It remembers only since when each node has been out. */
final class OutNodes {

    /** How long the agent waits before it reports that most nodes are out: their reservations would fail, and a network may come back. */
    private static final Duration CONFIRMATION_TIME = Duration.ofMinutes(1);

    /** How long a node that has come back still counts as out, because it may fail again. */
    private static final Duration PROBATION = Duration.ofMinutes(1);

    private final Map<String, Sighting> seen = new HashMap<>();

    /**
     * A node that is out of service.
     *
     * @param since when it was first seen out of service
     * @param lately when it was last seen out of service
     * @param reason its first reason, which does not change while it is out of service
     */
    private record Sighting(Instant since, Instant lately, String reason) {}

    /** The nodes that are out of service. */
    sealed interface Found {

        /** The nodes that are out or will be, by name. */
        record Out(Map<String, AgentReport.Out> nodes) implements Found {}

        /** So many nodes are out that the agent does not report them yet. */
        record TooMany(int count) implements Found {}
    }

    /**
     * Finds the nodes that are out of service.
     *
     * @param ours the reservations of this agent: on a draining node, the jobs in one of them may run to their end
     */
    Found find(Collection<SlurmNode> all, NodeList nodes, Collection<MachineReservation> ours, Instant now) {
        var found = new HashMap<String, AgentReport.Out>();
        for (var node : all) {
            if (!nodes.has(node.name())) {
                continue;
            }
            if (node.isOut()) {
                seen.merge(
                        node.name(),
                        new Sighting(now, now, node.said()),
                        (before, again) -> new Sighting(before.since(), again.lately(), before.reason()));
            } else if (node.isDraining()) {
                var until = ours.stream()
                        .filter(each -> each.start() <= now.getEpochSecond()
                                && each.nodes().contains(node.name()))
                        .mapToLong(MachineReservation::end)
                        .max();
                found.put(node.name(), new AgentReport.Out(until, OptionalLong.empty(), node.said()));
            }
        }
        seen.values().removeIf(each -> !each.lately().plus(PROBATION).isAfter(now));
        boolean areMost = seen.size() > 1 && seen.size() * 2 > nodes.size();
        if (areMost
                && seen.values().stream()
                        .anyMatch(each -> each.since().plus(CONFIRMATION_TIME).isAfter(now))) {
            return new Found.TooMany(seen.size());
        }
        seen.forEach((node, since) ->
                found.put(node, new AgentReport.Out(OptionalLong.empty(), OptionalLong.empty(), since.reason())));
        return new Found.Out(found);
    }
}
