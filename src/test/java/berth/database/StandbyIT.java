package berth.database;

import static berth.store.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.booking.store.PostgresRecords;
import berth.cluster.Cluster;
import berth.engine.Answer.Done;
import berth.engine.Desks;
import berth.engine.Ledger;
import berth.engine.NoBudgets;
import berth.outcome.Outcome;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.store.PersistenceSuite;
import berth.store.Samples;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Promises with PostgreSQL standbys, of which one takes over. */
@Tag("full")
class StandbyIT {

    private static final Duration SERVED_AGAIN = Duration.ofSeconds(12);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Replicated.Template template;

    @BeforeAll
    static void makeTemplate() throws Exception {
        template = Replicated.Template.in(directory);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @Import(PersistenceSuite.Wiring.class)
    static class Watched {}

    /** The part of a Berth that records promises, with four clients. */
    private static final class Berth implements AutoCloseable {

        private final ConfigurableApplicationContext context;
        private final Cluster cluster = Cluster.of("c" + Samples.id(), 1_000_000);
        private final Desks desks;
        private final Queue<ReservationId> acknowledged = new ConcurrentLinkedQueue<>();
        private final AtomicLong struck = new AtomicLong(Long.MAX_VALUE);
        private final AtomicLong served = new AtomicLong(Long.MAX_VALUE);
        private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
        private volatile boolean isStopped;

        Berth(Replicated servers, Path data) {
            context = new SpringApplicationBuilder(Watched.class)
                    .web(WebApplicationType.NONE)
                    .run(
                            "--spring.datasource.url=" + servers.url(),
                            "--spring.datasource.username=postgres",
                            "--berth.database.copies=2",
                            "--berth.data-dir=" + data,
                            "--management.endpoint.health.validate-group-membership=false");
            desks = new Desks(
                    get(Ledger.class),
                    get(PostgresRecords.class),
                    NoBudgets.none(),
                    Threads.OF_THE_JVM,
                    get(InstantSource.class),
                    Duration.ofSeconds(20),
                    new SimpleMeterRegistry());
            assertThat(desks.create(cluster, Optional.empty())).isInstanceOf(Outcome.Done.class);
        }

        <T> T get(Class<T> type) {
            return context.getBean(type);
        }

        Future<Boolean> isReserved() {
            return clients.submit(this::reserve);
        }

        boolean reserve() {
            long sent = System.nanoTime();
            var id = Samples.reservationId();
            var reserve = new Reserve(
                    id,
                    new Origin(new AccountName("alice"), ServiceClass.STANDARD),
                    RequestedTerms.of(OptionalLong.of(NOW + 3600), OptionalLong.empty(), 600, 4),
                    OptionalLong.empty(),
                    OptionalLong.empty());
            boolean isDone = desks.decide(cluster.id(), reserve) instanceof Done;
            if (isDone) {
                acknowledged.add(id);
                if (sent >= struck.get()) {
                    served.accumulateAndGet(System.nanoTime(), Math::min);
                }
            }
            return isDone;
        }

        /** Starts the clients, and waits until they work. */
        void load() throws InterruptedException {
            int before = acknowledged.size();
            for (int i = 0; i < 4; i++) {
                clients.submit(() -> {
                    while (!isStopped) {
                        Thread.sleep(reserve() ? 5 : 20);
                    }
                    return null;
                });
            }
            while (acknowledged.size() < before + 100) {
                Thread.sleep(5);
            }
        }

        void struck() {
            served.set(Long.MAX_VALUE);
            struck.set(System.nanoTime());
        }

        Duration sinceStruck() {
            return Duration.ofNanos(System.nanoTime() - struck.get());
        }

        /** Returns how long it took until a request made since then was granted. */
        Duration servedAgain() throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (served.get() == Long.MAX_VALUE && System.nanoTime() < end) {
                Thread.sleep(5);
            }
            assertThat(served.get()).as("it serves again").isNotEqualTo(Long.MAX_VALUE);
            return Duration.ofNanos(served.get() - struck.get());
        }

        void losesNothing() throws Exception {
            isStopped = true;
            clients.shutdown();
            assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(acknowledged).hasSizeGreaterThan(20);
            var live = get(Ledger.class).takeOver(cluster.id()).live();
            assertThat(live.stream().map(one -> one.id())).containsAll(acknowledged);
        }

        @Override
        public void close() {
            isStopped = true;
            desks.close();
            clients.shutdownNow();
            context.close();
        }
    }

    private static void tell(String what, Duration servedAgain) {
        System.out.printf(Locale.ROOT, "%s: first promise after %.1f s%n", what, servedAgain.toMillis() / 1000.0);
    }

    @Test
    void aPromotedStandbyHasEveryAcknowledgedReservation(@TempDir Path data) throws Exception {
        try (var servers = Replicated.start(template, data, 3);
                var berth = new Berth(servers, data.resolve("berth"))) {
            berth.load();
            servers.server(0).kill();
            berth.struck();
            servers.server(1).promote();
            var promoted = berth.sinceStruck();
            var servedAgain = berth.servedAgain();
            tell("primary killed, standby promoted after %s".formatted(promoted), servedAgain);
            assertThat(servedAgain.minus(promoted)).isLessThan(SERVED_AGAIN);

            servers.server(0).start();
            isNotUsed(servers.server(0), berth);
            servers.server(0).waitFor("");
            isNotUsed(servers.server(0), berth);
            isRefusedAtStart(servers.server(0), data);

            berth.losesNothing();
            assertThat(berth.get(MeterRegistry.class)
                            .get("berth.database.timeline")
                            .gauge()
                            .value())
                    .isEqualTo(2);
        }
    }

    /** Checks that Berth does not use an old primary, which claims to be writable but whose writes are lost. */
    private static void isNotUsed(Replicated.Server old, Berth berth) throws Exception {
        berth.get(Connections.class).connectAnew();
        berth.struck();
        tell("the old one is back", berth.servedAgain());
        // a session without a client may still wait there for the standby
        old.until(() -> old.ask("select count(*) from pg_stat_activity where application_name like 'berth %'"
                        + " and wait_event is distinct from 'SyncRep'")
                .equals("0"));
        assertThat(old.ask("select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"))
                .isEqualTo("00000001");
    }

    /** Checks that the data directory prevents a start with the old primary. */
    private static void isRefusedAtStart(Replicated.Server old, Path data) throws Exception {
        var next = Files.createDirectory(data.resolve("next"));
        Files.copy(data.resolve("berth").resolve(AcknowledgedPositions.NAME), next.resolve(AcknowledgedPositions.NAME));
        try (var directory = new DataDirectory(next);
                var acknowledged = new AcknowledgedPositions(directory)) {
            var durability = new Durability(1, acknowledged::doubt);
            assertThatThrownBy(() -> new WriterLock(
                            new NamedDatabase(old.url(), "postgres", ""),
                            new Generation(_ -> {}),
                            durability,
                            InstanceMode.ONE))
                    .isInstanceOfSatisfying(
                            StartRefused.class,
                            refused -> assertThat(refused.remedy()).contains("remove the file acknowledged"))
                    .hasMessageContaining("it is on timeline 1, but timeline 2 is already in use");
        }
    }

    /** It loses what was not on its disk and continues under the same name. */
    @Test
    void aServerThatRecoversFromACrashIsAnotherOne(@TempDir Path data) throws Exception {
        try (var servers = Replicated.start(template, data, 1)) {
            var server = servers.server(0);
            var losses = new AtomicInteger();
            var durability = new Durability(1, _ -> Optional.empty(), losses::incrementAndGet);
            var database = new NamedDatabase(server.url(), "postgres", "");
            try (var one = durability.connect(database, "one");
                    var other = durability.connect(database, "other")) {
                assertThat(other.isValid(5)).isTrue();
                assertThat(losses).hasValue(0);
                var process = server.ask("select pid from pg_stat_activity where application_name = 'one'");

                ProcessHandle.of(Long.parseLong(process)).orElseThrow().destroyForcibly();

                server.until(() -> !other.isValid(5));
                assertThat(one.isValid(5)).isFalse();
            }
            server.until(() -> {
                try (var next = durability.connect(database, "next")) {
                    return next.isValid(5);
                } catch (SQLException e) {
                    return false;
                }
            });
            durability.connect(database, "last").close();
            assertThat(losses).hasValue(1);
        }
    }

    @Test
    void berthGivesUpAHangingPrimary(@TempDir Path data) throws Exception {
        try (var servers = Replicated.start(template, data, 3);
                var berth = new Berth(servers, data.resolve("berth"))) {
            berth.load();
            servers.server(0).hang();
            berth.struck();
            servers.server(1).promote();
            var promoted = berth.sinceStruck();
            var servedAgain = berth.servedAgain();
            tell("primary hangs, standby promoted after %s".formatted(promoted), servedAgain);
            assertThat(servedAgain).isLessThan(SERVED_AGAIN);
            assertThat(berth.get(ProjectionProgress.class).resets()).isPositive();

            servers.server(0).goOn();
            isNotUsed(servers.server(0), berth);
            berth.losesNothing();
        }
    }

    @Test
    void commitsWaitForAStandbyThatIsGoneUntilItIsBackOrHasTakenOver(@TempDir Path data) throws Exception {
        try (var servers = Replicated.start(template, data, 3);
                var berth = new Berth(servers, data.resolve("berth"))) {
            var primary = servers.server(0);
            var durability = berth.get(Durability.class);
            assertThat(berth.reserve()).isTrue();
            servers.server(1).kill();
            var waiting = berth.isReserved();
            assertThatThrownBy(() -> waiting.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            durability.look();
            assertThat(durability.health().getStatus()).isEqualTo(Status.UP);
            assertThat(durability.health().getDetails().get("standbys"))
                    .asString()
                    .contains("1 of the standbys for which commits wait is missing");
            servers.server(1).start();
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
            primary.awaitStandby();
            durability.look();
            assertThat(durability.health().getDetails()).isEmpty();

            primary.waitFor("");
            assertThat(berth.reserve()).isFalse();
            durability.look();
            assertThat(durability.health().getStatus()).isEqualTo(Status.DOWN);
            assertThat(durability.health().getDetails()).containsOnlyKeys("synchronous_standby_names");
            assertThatThrownBy(() -> berth.get(Database.class).write(session -> session))
                    .isInstanceOf(StorageUnavailable.class);
            primary.waitFor("ANY 1 (n1, n2)");
            durability.look();
            assertThat(berth.reserve()).isTrue();
            isRefusedWith(3, primary);
            promotedBesideItsPrimary(servers, berth);
        }
    }

    /** Promotes a standby while the primary continues and waits for it as if it still followed. */
    private static void promotedBesideItsPrimary(Replicated servers, Berth berth) throws Exception {
        berth.load();
        servers.server(1).promote();
        berth.struck();
        var servedAgain = berth.servedAgain();
        tell("standby promoted beside the primary", servedAgain);
        assertThat(servedAgain).isLessThan(SERVED_AGAIN);
        isNotUsed(servers.server(0), berth);
        berth.losesNothing();
    }

    private static void isRefusedWith(int copies, Replicated.Server primary) {
        var durability = new Durability(copies, _ -> Optional.empty());
        assertThatThrownBy(() -> new WriterLock(
                        new NamedDatabase(primary.url(), "postgres", ""),
                        new Generation(_ -> {}),
                        durability,
                        InstanceMode.ONE))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("on 2 of the %d servers".formatted(copies));
    }
}
