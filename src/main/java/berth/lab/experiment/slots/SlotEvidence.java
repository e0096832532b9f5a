package berth.lab.experiment.slots;

import berth.lab.experiment.Curves;
import java.util.List;
import java.util.stream.Stream;

/** Both measures along one sweep. */
record SlotEvidence(Curves<SlotPolicy> acceptance, Curves<SlotPolicy> slowdown) {

    /** Whether there are intervals by which to judge. */
    boolean isRepeated() {
        return Stream.of(acceptance, slowdown)
                .flatMap(curves -> curves.lines().values().stream())
                .flatMap(List::stream)
                .allMatch(sample -> sample.size() > 1);
    }
}
