package berth.persistence;

import berth.desk.Instance;
import berth.desk.Instances;
import java.time.InstantSource;
import java.util.List;

/** The only instance on its database. */
record SingleInstance(Instance self, InstantSource clock) implements Instances {

    @Override
    public Turn turn() {
        return new Turn.Here();
    }

    @Override
    public List<Instance> all() {
        return List.of(self.heard(clock.instant()));
    }
}
