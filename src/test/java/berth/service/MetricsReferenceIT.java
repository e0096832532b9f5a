package berth.service;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import berth.http.CallsUnderWay;
import berth.http.ProblemWriter;
import berth.instances.SharedInstance;
import berth.instances.WriterRole;
import berth.instances.web.ActiveAddress;
import berth.instances.web.Relay;
import berth.runtime.Threads;
import berth.slurm.AgentRegistry;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.distribution.HistogramSupport;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.json.JsonMapper;

/** Keeps {@code docs/reference/metrics.md} in step with the meters that Berth registers. */
class MetricsReferenceIT extends ServiceSuite {

    private static final Path COPY = Path.of("docs", "reference", "metrics.md");
    private static final String WRITE = "berth.reference.write";

    /** Labels with too many values to list. */
    private static final Set<String> OPEN = Set.of("cluster", "code");

    @Autowired
    @SuppressWarnings("NullAway.Init")
    MeterRegistry registry;

    @Test
    void theReferenceMatchesTheMeters() throws Exception {
        admin.put("/api/v1/clusters/demo/enforcement", "{\"agent\":\"head1\",\"reservations\":[]}");
        var text = """
                # Metrics

                <!-- Made by MetricsReferenceIT from the meters that Berth registers. Do not edit. -->

                `GET /actuator/prometheus` returns these metrics to accounts with the role ADMIN or VIEWER; [operations](../how-to/operations.md#metrics) says
                how to set up Prometheus. A histogram or summary has `_count` and `_sum`, and the highest value of the last minutes in `_max`. A
                histogram also has `_bucket`. No label names an account or holds text that a client sent.

                ## Service

                %s
                ## Several instances

                A service with `BERTH_INSTANCES_MODE=MANY` has these, too.

                %s
                ## Slurm agent

                The agent opens no port. With `--metrics FILE` it writes these to a file after each pass, for node_exporter's textfile collector or the
                like.

                %s""".formatted(table(registry), table(ofSeveralInstances()), table(AgentRegistry.of("demo")));
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(COPY, text);
        }
        assertThat(COPY)
                .as("%s is out of date. Rewrite it: mvn test -Dtest=MetricsReferenceIT -D%s=true", COPY, WRITE)
                .hasContent(text);
    }

    private static String table(MeterRegistry registry) {
        var meters = registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("berth."))
                .collect(groupingBy(meter -> exposedName(registry, meter), TreeMap::new, toList()));
        assertThat(meters).isNotEmpty();
        var rows = new StringBuilder("| metric | type | unit | labels | meaning |\n| --- | --- | --- | --- | --- |\n");
        meters.forEach((name, same) -> rows.append(row(name, same)));
        return rows.toString();
    }

    private static String exposedName(MeterRegistry registry, Meter meter) {
        var id = meter.getId();
        var name = registry.config().namingConvention().name(id.getName(), id.getType(), id.getBaseUnit());
        return id.getType() == Meter.Type.COUNTER && !name.endsWith("_total") ? name + "_total" : name;
    }

    private static String row(String name, List<Meter> meters) {
        var id = meters.getFirst().getId();
        var description = Objects.requireNonNullElse(id.getDescription(), "");
        assertThat(description)
                .as("the description of %s", name)
                .matches("[A-Z0-9].*\\.")
                .doesNotContain("|");
        return "| `%s` | %s | %s | %s | %s |\n"
                .formatted(name, type(meters.getFirst()), unit(id), labels(meters), description);
    }

    private static String type(Meter meter) {
        return switch (meter.getId().getType()) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case TIMER, DISTRIBUTION_SUMMARY ->
                meter instanceof HistogramSupport histogram
                                && histogram.takeSnapshot().histogramCounts().length > 0
                        ? "histogram"
                        : "summary";
            default -> throw new AssertionError(meter.getId());
        };
    }

    private static String unit(Meter.Id id) {
        return id.getType() == Meter.Type.TIMER ? "seconds" : Objects.requireNonNullElse(id.getBaseUnit(), "");
    }

    private static String labels(List<Meter> meters) {
        var values = new TreeMap<String, Set<String>>();
        for (var meter : meters) {
            for (var tag : meter.getId().getTags()) {
                values.computeIfAbsent(tag.getKey(), _ -> new TreeSet<>()).add(tag.getValue());
            }
        }
        return values.entrySet().stream().map(MetricsReferenceIT::label).collect(joining("; "));
    }

    private static String label(Map.Entry<String, Set<String>> label) {
        return "`%s`".formatted(label.getKey())
                + (OPEN.contains(label.getKey())
                        ? ""
                        : label.getValue().stream().map("`%s`"::formatted).collect(joining(", ", ": ", "")));
    }

    /** Returns what only an instance among several registers. */
    private static MeterRegistry ofSeveralInstances() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var member = new SharedInstance(
                () -> {
                    throw new AssertionError();
                },
                new Nobody(),
                () -> {
                    throw new AssertionError();
                },
                Duration.ofSeconds(5),
                Threads.OF_THE_JVM,
                registry);
        var unused = new Relay(
                member,
                Duration.ZERO,
                new ActiveAddress(member, Duration.ofSeconds(5), registry),
                new CallsUnderWay(new CallsUnderWay.Bounds(1, 1, 1, 1)),
                new ProblemWriter(JsonMapper.shared()),
                registry);
        return registry;
    }

    /** Takes no place. */
    private static final class Nobody implements WriterRole {
        @Override
        public void rehearse() {}

        @Override
        public void follow() {}

        @Override
        public void take() {}

        @Override
        public void open() {}

        @Override
        public void replaced(String successor) {}

        @Override
        public void leave() {}
    }
}
