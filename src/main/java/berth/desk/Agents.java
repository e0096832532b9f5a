package berth.desk;

import berth.reservation.ClusterId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The agents that put reservations in place, one for each cluster, as known since this process became active. They are not recorded,
 * because a running agent reports again within a minute. Thread-safe.
 */
public final class Agents {

    private final Map<ClusterId, Agent> known = new ConcurrentHashMap<>();
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
     * @param heardAt the time of the report, in seconds since the epoch
     * @param until the end of its lease, in seconds since the epoch, before which no other agent may report for the cluster
     */
    public record Agent(String name, Optional<String> version, OptionalLong sequence, long heardAt, long until) {}

    /** Whether an agent may report for a cluster. */
    public sealed interface Turn {
        /** It may, and no other agent may until its lease ends. */
        record Granted() implements Turn {}

        /** Another agent has the lease. */
        record Taken(Agent by) implements Turn {}
    }

    /** Records a report of an agent and gives it the lease of the cluster, unless another agent has the lease. */
    public Turn hear(ClusterId cluster, Agent agent) {
        if (!known.containsKey(cluster)) {
            Gauge.builder("berth.agent.silent", this, it -> it.silent(cluster))
                    .description(
                            "Time since the last call of the cluster's agent. The metric appears with its first call.")
                    .baseUnit("seconds")
                    .tag("cluster", cluster.value())
                    .register(registry);
        }
        var speaker = known.compute(
                cluster,
                (_, before) -> before == null || before.name.equals(agent.name) || before.until <= agent.heardAt
                        ? agent
                        : before);
        return speaker.name.equals(agent.name) ? new Turn.Granted() : new Turn.Taken(speaker);
    }

    private long silent(ClusterId cluster) {
        return of(cluster)
                .map(agent -> clock.instant().getEpochSecond() - agent.heardAt)
                .orElse(0L);
    }

    /** Returns the last agent of a cluster, even if its lease is over. */
    public Optional<Agent> of(ClusterId cluster) {
        return Optional.ofNullable(known.get(cluster));
    }
}
