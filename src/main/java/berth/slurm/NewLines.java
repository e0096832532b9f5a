package berth.slurm;

import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;

/** Logs what is new since the last pass. */
final class NewLines {

    private final Consumer<String> log;
    private Set<String> last = Set.of();

    NewLines(Consumer<String> log) {
        this.log = log;
    }

    /** Logs the lines that were not there the last time. */
    void log(Collection<String> lines) {
        lines.stream().filter(line -> !last.contains(line)).forEach(log);
        last = Set.copyOf(lines);
    }
}
