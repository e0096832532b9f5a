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
 * The agents that put reservations in place on the machines, each of one cluster, so far as they were heard of since this process decides.
 * Not recorded: an agent that lives is heard of again within a minute. Safe to use from any thread.
 */
public final class Agents {

    private final Map<ClusterId, Agent> known = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final MeterRegistry registry;

    /** @param registry where it is told for how long each agent has been silent */
    public Agents(InstantSource clock, MeterRegistry registry) {
        this.clock = clock;
        this.registry = registry;
    }

    /**
     * An agent as it was heard of last.
     *
     * @param name that no other agent of the cluster has
     * @param version of its program
     * @param sequence of the last event of the cluster that it has acted on
     * @param heardAt when that was, seconds since the epoch
     * @param until as long as no other agent may speak for the cluster
     */
    public record Agent(String name, Optional<String> version, OptionalLong sequence, long heardAt, long until) {}

    /** Whether an agent may speak for a cluster. */
    public sealed interface Turn {
        /** It may, and nobody else until its lease ends. */
        record Granted() implements Turn {}

        /** Another one does. */
        record Taken(Agent by) implements Turn {}
    }

    /** Hears of an agent, which speaks for the cluster from now on, unless the lease of another one lasts. */
    public Turn hear(ClusterId cluster, Agent agent) {
        if (!known.containsKey(cluster)) {
            Gauge.builder("berth.agent.silent", this, it -> it.silent(cluster))
                    .description("Time since the agent of a cluster was heard of last")
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

    /** Whoever spoke for a cluster last, be its lease over or not. */
    public Optional<Agent> of(ClusterId cluster) {
        return Optional.ofNullable(known.get(cluster));
    }
}
