package berth.instances.store;

import berth.instances.Instance;
import berth.instances.Instances;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The only instance on its database. */
public record SingleInstance(Instance only, InstantSource clock) implements Instances {

    @Override
    public Turn turn() {
        return new Turn.Here();
    }

    @Override
    public List<Instance> all() {
        return List.of(only.heard(clock.instant()));
    }

    @Override
    public Optional<Instance> self() {
        return Optional.of(only);
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }
}
