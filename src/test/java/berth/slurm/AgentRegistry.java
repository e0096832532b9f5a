package berth.slurm;

import io.micrometer.core.instrument.MeterRegistry;

/** Gives tests of other packages access to the meters of an agent. */
public final class AgentRegistry {
    private AgentRegistry() {}

    public static MeterRegistry of(String cluster) {
        return new AgentMeters(cluster).registry;
    }
}
