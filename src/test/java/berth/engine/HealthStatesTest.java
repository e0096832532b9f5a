package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.cluster.Cluster;
import berth.engine.MemoryLedger.Fault;
import berth.instances.Instance;
import berth.instances.Instances;
import berth.instances.Instances.Turn;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.runtime.RestartNeeded;
import berth.runtime.Threads;
import berth.runtime.Timekeeper;
import berth.scheduling.commands.Reserve;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.PayloadApplicationEvent;

/** Plays each row of the table of states in docs/how-to/operations.md, with the groups of components that the service has. */
@Timeout(60)
class HealthStatesTest {

    private static final Pattern ROW = Pattern.compile("\\| (.+) \\| (\\d{3}) \\| (\\d{3}) \\| (\\d{3}) \\|");
    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final Cluster SMALL = Cluster.of("small", 4);
    private static final Cluster LARGE = Cluster.of("large", 8);

    /** The cause of each state, by its name in the table. */
    private static final Map<String, Consumer<Play>> STATES = new LinkedHashMap<>();

    static {
        STATES.put("Berth starts, or opens its desks", _ -> {});
        STATES.put("Berth works", Play::open);
        STATES.put("one desk of several cannot record", play -> {
            play.open();
            play.loseRecords(SMALL);
        });
        STATES.put("no desk can record", play -> {
            play.open();
            play.loseRecords(SMALL);
            play.loseRecords(LARGE);
        });
        STATES.put("the database does not respond, or is not durable", play -> {
            play.open();
            play.fails("db", "durability");
        });
        STATES.put("the disk of the data directory is full", play -> {
            play.open();
            play.fails("diskSpace");
        });
        STATES.put("the tables for reading are behind", play -> {
            play.open();
            play.fails("projection");
        });
        STATES.put("Berth does not trust the clock", play -> {
            play.open();
            play.clock.advance(Duration.ofHours(1));
            play.nanos += Duration.ofSeconds(2).toNanos();
            assertThat(play.timekeeper.instant()).isBefore(NOON.plusSeconds(60));
        });
        STATES.put("a standby that passes calls on", play -> play.turn = new Turn.There(another()));
        STATES.put("a standby that cannot reach the active instance, or that could not take over", play -> {
            play.turn = new Turn.There(another());
            play.fails("instances");
        });
        STATES.put("no instance is active", play -> play.turn = new Turn.Nobody());
        STATES.put("a desk that worked cannot be opened again", play -> {
            play.open();
            play.needRestart(RestartNeeded.Cause.DESK_LOST);
        });
        STATES.put("another process has become the writer", play -> {
            play.open();
            play.needRestart(RestartNeeded.Cause.REPLACED);
        });
        STATES.put("Berth ends after SIGTERM", play -> {
            play.open();
            AvailabilityChangeEvent.publish(play.context(), ReadinessState.REFUSING_TRAFFIC);
        });
    }

    private static Instance another() {
        return new Instance(
                UUID.randomUUID(),
                "another",
                URI.create("http://10.0.0.7:8080"),
                "1",
                Instance.State.ACTIVE,
                NOON,
                NOON);
    }

    @TestFactory
    List<DynamicTest> eachStateHasTheCodesInTheTable() throws IOException {
        var rows = Files.readAllLines(Path.of("docs/how-to/operations.md")).stream()
                .map(ROW::matcher)
                .filter(row -> row.matches() && row.group(2).matches("200|503"))
                .toList();
        assertThat(rows).extracting(row -> row.group(1)).containsExactlyElementsOf(STATES.keySet());
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.group(1),
                        () -> new Play()
                                .check(
                                        Objects.requireNonNull(STATES.get(row.group(1))),
                                        Integer.parseInt(row.group(2)),
                                        Integer.parseInt(row.group(3)),
                                        Integer.parseInt(row.group(4)))))
                .toList();
    }

    /** A service of two clusters, with the components of its health. */
    private static final class Play implements Instances {
        private final SettableClock clock = new SettableClock(NOON);
        private final MemoryLedger ledger = new MemoryLedger(SMALL, LARGE);
        private final Desks desks = new Desks(
                ledger,
                ledger,
                NoBudgets.none(),
                Threads.OF_THE_JVM,
                clock,
                Duration.ofSeconds(1),
                new SimpleMeterRegistry());
        private final Map<String, Status> others = new HashMap<>(Map.of(
                "db", Status.UP,
                "durability", Status.UP,
                "diskSpace", Status.UP,
                "projection", Status.UP,
                "instances", Status.UP));
        private long nanos;
        private final Timekeeper timekeeper = new Timekeeper(clock, () -> nanos, () -> Duration.ofNanos(nanos));
        private Turn turn = new Turn.Here();
        private Optional<ApplicationContext> context = Optional.empty();

        @Override
        public Turn turn() {
            return turn;
        }

        @Override
        public List<Instance> all() {
            return List.of();
        }

        @Override
        public Optional<Instance> self() {
            return Optional.empty();
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }

        void check(Consumer<Play> state, int liveness, int readiness, int health) {
            var configuration = new DeskConfiguration();
            var runner = new WebApplicationContextRunner()
                    .withInitializer(new ConfigDataApplicationContextInitializer())
                    .withPropertyValues("berth.data-dir=target", "management.endpoint.health.cache.time-to-live=0s")
                    .withConfiguration(AutoConfigurations.of(
                            HealthContributorRegistryAutoConfiguration.class,
                            HealthContributorAutoConfiguration.class,
                            AvailabilityHealthContributorAutoConfiguration.class,
                            AvailabilityProbesAutoConfiguration.class,
                            HealthEndpointAutoConfiguration.class))
                    .withBean(ApplicationAvailabilityBean.class)
                    .withBean(
                            "desksHealthIndicator",
                            HealthIndicator.class,
                            () -> configuration.desksHealthIndicator(desks, this))
                    .withBean(
                            "clockHealthIndicator",
                            HealthIndicator.class,
                            () -> configuration.clockHealthIndicator(timekeeper));
            for (var name : others.keySet()) {
                runner = runner.withBean(
                        name + "HealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.status(others.get(name)).build());
            }
            runner.run(context -> {
                this.context = Optional.of(context);
                AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
                AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
                state.accept(this);
                assertThat(List.of(code("liveness"), code("readiness"), code()))
                        .containsExactly(liveness, readiness, health);
            });
            desks.close();
        }

        private int code(String... group) {
            var groups = context().getBean(HealthEndpointGroups.class);
            var asked = Objects.requireNonNull(group.length == 0 ? groups.getPrimary() : groups.get(group[0]));
            var health = Objects.requireNonNull(
                    context().getBean(HealthEndpoint.class).healthForPath(group));
            return asked.getHttpCodeStatusMapper().getStatusCode(health.getStatus());
        }

        ApplicationContext context() {
            return context.orElseThrow();
        }

        void open() {
            desks.recover(SMALL);
        }

        void fails(String... components) {
            for (var component : components) {
                others.put(component, Status.DOWN);
            }
        }

        /** Lets the next commit of a cluster fail, and all attempts to resolve it. */
        void loseRecords(Cluster cluster) {
            ledger.resolveFailures = Integer.MAX_VALUE;
            ledger.faults.add(Fault.FAILS);
            desks.decide(
                    cluster.id(),
                    new Reserve(
                            new ReservationId(UUID.randomUUID()),
                            new Origin(ALICE, ServiceClass.STANDARD),
                            RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 3600, 1),
                            OptionalLong.empty(),
                            OptionalLong.empty()));
            await().until(() -> desks.troubles().containsKey(cluster.id()));
        }

        void needRestart(RestartNeeded.Cause cause) {
            new DeskConfiguration()
                    .end(desks, context())
                    .onApplicationEvent(
                            new PayloadApplicationEvent<>(this, new RestartNeeded(cause, "as the test wants it")));
        }
    }
}
