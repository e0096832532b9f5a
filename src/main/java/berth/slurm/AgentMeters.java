package berth.slurm;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;

/**
 * Metrics of an agent, labelled with its cluster; {@code docs/how-to/slurm.md} describes them. The agent opens no port: it writes the metrics to a
 * file, which a collector of such files reads.
 */
final class AgentMeters {

    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Timer passes;
    private final Counter failed;
    private final Counter drifted;
    private final Counter acts;
    private volatile double lastPass;
    private volatile int inPlace;
    private volatile int notInPlace;

    AgentMeters(String cluster) {
        registry.config().commonTags("cluster", cluster);
        passes = Timer.builder("berth.agent.pass")
                .description("Time of a complete pass.")
                .register(registry);
        failed = Counter.builder("berth.agent.passes.failed")
                .description("Passes in which Berth or Slurm did not answer.")
                .register(registry);
        acts = Counter.builder("berth.agent.acts")
                .description("Reservations that the agent created, updated or deleted in Slurm.")
                .register(registry);
        drifted = Counter.builder("berth.agent.drift")
                .description(
                        "Reservations that were in place in Slurm and are no longer, although Berth's plan has not changed: somebody"
                                + " changed them by hand, or Slurm crashed.")
                .register(registry);
        Gauge.builder("berth.agent.last.pass", () -> lastPass)
                .description("Time of the last complete pass, in seconds since the epoch.")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("berth.agent.in.place", () -> inPlace)
                .description("Reservations that are in place in Slurm.")
                .register(registry);
        Gauge.builder("berth.agent.not.in.place", () -> notInPlace)
                .description("Reservations that should be in place in Slurm and are not.")
                .register(registry);
    }

    void acted() {
        acts.increment();
    }

    void drifted(int reservations) {
        drifted.increment(reservations);
    }

    /** Records a completed pass. */
    void passed(Duration took, int there, int missing, Instant now) {
        passes.record(took);
        inPlace = there;
        notInPlace = missing;
        lastPass = now.getEpochSecond();
    }

    void failed() {
        failed.increment();
    }

    String text() {
        return registry.scrape();
    }

    /** Writes the metrics to a file in one step, so that a reader never sees half of them. */
    void write(Path file) throws IOException {
        var half = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(half, text());
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
