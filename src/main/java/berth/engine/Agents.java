package berth.engine;

import berth.reservation.ClusterId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The agents that put reservations in place, one for each cluster, as known since this process became active. They are not recorded,
 * because a running agent reports again within a minute. Thread-safe.
 */
public final class Agents {

    private final Map<ClusterId, Agent> known = new ConcurrentHashMap<>();
    private final Map<ClusterId, Long> followedAt = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final MeterRegistry registry;

    /**
     * Creates an empty set of agents.
     *
     * @param registry gets a metric of how long each agent has been silent
     */
    public Agents(InstantSource clock, MeterRegistry registry) {
        this.clock = clock;
        this.registry = registry;
    }

    /**
     * An agent and its last report.
     *
     * @param name unique among the agents of the cluster
     * @param version the version of its program
     * @param sequence the last event of the cluster on which it has acted
     * @param machine the machine that it makes follow the plan
     * @param ahead how long before its start it puts a reservation in place at the latest, in seconds
     * @param fault why it does not follow the plan
     * @param heardAt the time of the report, in seconds since the epoch
     * @param until the end of its lease, in seconds since the epoch, before which no other agent may report for the cluster
     */
    public record Agent(
            String name,
            Optional<String> version,
            OptionalLong sequence,
            Optional<Machine> machine,
            OptionalLong ahead,
            Optional<String> fault,
            long heardAt,
            long until) {

        private Agent refused(String why) {
            return new Agent(name, version, sequence, machine, ahead, Optional.of(why), heardAt, heardAt);
        }

        private boolean hasLease(long now) {
            return until > now;
        }
    }

    /**
     * The nodes of a machine that follow the plan of a cluster.
     *
     * @param name the name of the machine
     * @param nodes the names of the nodes
     */
    public record Machine(String name, Set<String> nodes) {
        public Machine {
            nodes = Set.copyOf(nodes);
        }

        private Optional<String> shared(Machine other) {
            return name.equals(other.name)
                    ? nodes.stream().filter(other.nodes::contains).min(Comparator.naturalOrder())
                    : Optional.empty();
        }
    }

    /** Whether an agent may report for a cluster. */
    public sealed interface Turn {
        /** It may, and no other agent may until its lease ends. */
        record Granted() implements Turn {}

        /** Another agent has the lease. */
        record Taken(Agent by) implements Turn {}

        /** The agent of another cluster makes one of its nodes follow the plan of that cluster. */
        record Shared(String node, ClusterId by) implements Turn {

            /** Returns why the agent may not report, and what to do. */
            public String why() {
                return "Node %s also belongs to cluster %s, but a node can belong to only one cluster. Give this cluster other nodes, or stop the agent of the other one."
                        .formatted(node, by.value());
            }
        }
    }

    /** Records a report of an agent and gives it the lease of the cluster, unless another agent has the lease or one of the nodes. */
    public synchronized Turn hear(ClusterId cluster, Agent agent) {
        if (!known.containsKey(cluster)) {
            Gauge.builder("berth.agent.silent", this, it -> it.silent(cluster))
                    .description(
                            "Time since the last call in which the cluster's agent reported no fault. The metric appears with its first call.")
                    .baseUnit("seconds")
                    .tag("cluster", cluster.value())
                    .register(registry);
        }
        var before = known.get(cluster);
        if (before != null && !before.name.equals(agent.name) && before.hasLease(agent.heardAt)) {
            return new Turn.Taken(before);
        }
        var shared = shared(cluster, agent);
        if (agent.fault.isEmpty() && shared.isEmpty()) {
            followedAt.put(cluster, agent.heardAt);
        } else {
            followedAt.putIfAbsent(cluster, agent.heardAt);
        }
        known.put(cluster, shared.map(turn -> agent.refused(turn.why())).orElse(agent));
        return shared.<Turn>map(turn -> turn).orElseGet(Turn.Granted::new);
    }

    private Optional<Turn.Shared> shared(ClusterId cluster, Agent agent) {
        return agent.machine.flatMap(machine -> known.entrySet().stream()
                .filter(other ->
                        !other.getKey().equals(cluster) && other.getValue().hasLease(agent.heardAt))
                .flatMap(other -> other.getValue().machine.flatMap(machine::shared).stream()
                        .map(node -> new Turn.Shared(node, other.getKey())))
                .findFirst());
    }

    private long silent(ClusterId cluster) {
        long now = clock.instant().getEpochSecond();
        return now - followedAt.getOrDefault(cluster, now);
    }

    /** Returns the last agent of a cluster, even if its lease is over. */
    public Optional<Agent> of(ClusterId cluster) {
        return Optional.ofNullable(known.get(cluster));
    }
}
