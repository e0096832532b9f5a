package berth.persistence;

import static berth.persistence.Samples.NOON;
import static berth.persistence.Samples.NOW;
import static berth.persistence.Samples.USD;
import static berth.persistence.Samples.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.broker.Peer;
import berth.broker.PeerStore;
import berth.cluster.Admission;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.Juggling;
import berth.cluster.Limits;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.cluster.Reshaping;
import berth.desk.Answer;
import berth.desk.Desks;
import berth.desk.Ledger;
import berth.desk.Records.FirstResult;
import berth.desk.Records.FirstResult.Stands;
import berth.desk.Records.RecordedEvent;
import berth.desk.SettableClock;
import berth.desk.Threads;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.Charge;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.reservation.Status.Flag;
import berth.reservation.Tried;
import berth.reservation.Tried.Obstacle;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.Type;
import berth.scheduling.RecordOutage;
import berth.security.AccountStore;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What earlier versions of Berth recorded is served by this one. */
@SpringBootTest(
        classes = PersistenceSuite.Wiring.class,
        properties = "management.endpoint.health.validate-group-membership=false",
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
@DirtiesContext
class MigrationIT {

    private static final ClusterId OLD = new ClusterId("old");

    /** Names their rows. */
    private static final String WAITING = "0193f000-0000-7000-8000-000000000001";

    private static final String HELD = "0193f000-0000-7000-8000-000000000002";
    private static final String OVER = "0193f000-0000-7000-8000-000000000003";
    private static final String MOVED = "0193f000-0000-7000-8000-000000000004";
    private static final String GIVEN_UP = "0193f000-0000-7000-8000-000000000005";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static EmbeddedServer server;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) throws Exception {
        server = new EmbeddedServer(new DataDirectory(directory.resolve("database")));
        recordIn("1");
        recordIn("4");
        recordIn("15");
        registry.add("spring.datasource.url", server::getJdbcUrl);
        registry.add("spring.datasource.username", server::getUsername);
        registry.add("spring.datasource.password", server::getPassword);
        registry.add("berth.data-dir", directory.resolve("service")::toString);
    }

    /** What that version of the database may hold. */
    private static void recordIn(String version) throws Exception {
        Flyway.configure()
                .dataSource(server.getJdbcUrl(), server.getUsername(), server.getPassword())
                .target(version)
                .load()
                .migrate();
        try (var connection =
                DriverManager.getConnection(server.getJdbcUrl(), server.getUsername(), server.getPassword())) {
            var script = new ClassPathResource("version-%s.sql".formatted(version), MigrationIT.class);
            ScriptUtils.executeSqlScript(connection, script);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Autowired
    Ledger ledger;

    @Autowired
    PostgresRecords records;

    @Autowired
    Database database;

    @Autowired
    AccountStore accounts;

    @Autowired
    PeerStore peers;

    @Autowired
    SettableClock clock;

    private final Cluster old = new Cluster(
            OLD,
            8,
            BigDecimal.ONE,
            Map.of(),
            Binding.LATE,
            Admission.OPEN,
            new Policy(
                    PlacementPolicy.FIRST_FIT,
                    Replanning.of(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST)
                            .reshaping(Reshaping.WHERE_NEEDED)
                            .movingAtMost(1_000),
                    8_640_000,
                    900,
                    OptionalLong.empty(),
                    BigDecimal.ONE,
                    AvailabilityRules.STANDARD,
                    Limits.NONE),
            Intake.STANDARD,
            new Tariff(
                    PriceFunction.BERTH,
                    USD,
                    new BigDecimal("0.5"),
                    new BigDecimal("3"),
                    new BigDecimal("0.25"),
                    new BigDecimal("0.125"),
                    new BigDecimal("7"),
                    Tariff.STANDARD.preemptionIncentive(),
                    BigDecimal.ZERO,
                    new BigDecimal("0.1"),
                    BigDecimal.ONE,
                    List.of()),
            0);

    private final long day = NOW + 12 * 3600;

    private final Reservation waiting = new Reservation(
            id(WAITING),
            OLD,
            new Origin(new AccountName("alice"), ServiceClass.PREMIUM, Optional.of("render"), Optional.of("film")),
            terms(
                    new Window(day, day + 86_400),
                    3600,
                    4,
                    Optional.of(usd("20.50")),
                    QosScenario.INTERVAL), // where it was placed it stays: that is what was promised then
            Placement.of(List.of(Part.whole(new Slot(day + 3600, day + 7200), 4)), NOW - 3600),
            Charge.of(usd("12.34")),
            Status.confirmed(NOW - 3600),
            Optional.empty());

    private final Reservation held = new Reservation(
            id(HELD),
            OLD,
            new Origin(new AccountName("bob"), ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
            terms(new Window(day, day + 31 * 86_400), 60, 1, Optional.empty(), QosScenario.OPEN),
            Placement.of(List.of(Part.whole(new Slot(day, day + 60), 1)), NOW - 1800),
            Charge.of(usd("0.01")),
            Status.held(NOW + 6 * 3600, NOW - 1800),
            Optional.empty());

    @Test
    void whatWasRecordedIsReadAndServed() {
        assertThat(ledger.clusters()).first().isEqualTo(old);
        assertThat(records.find(waiting.id())).contains(waiting);
        assertThat(records.find(held.id())).contains(held);
        assertThat(records.find(id(OVER)).orElseThrow().state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(records.events(Map.of(new ClusterId("four"), 7L), Optional.empty(), 10))
                .endsWith(
                        new RecordedEvent.Whole(OLD, 4, ReservationEvent.accepted(waiting)),
                        new RecordedEvent.Whole(OLD, 5, ReservationEvent.accepted(held)))
                .extracting(RecordedEvent::type)
                .containsExactly(Type.CONFIRMED, Type.STARTED, Type.COMPLETED, Type.CONFIRMED, Type.HELD);
        assertThat(records.firstResult(new AccountName("alice"), "k1"))
                .contains(new FirstResult("print", new Stands.Happened(ReservationEvent.accepted(waiting))));
        assertThat(accounts.all())
                .extracting(
                        stored -> stored.account().name(),
                        stored -> stored.account().serviceClass())
                .containsExactlyInAnyOrder(
                        tuple(new AccountName("alice"), ServiceClass.PREMIUM),
                        tuple(new AccountName("bob"), ServiceClass.STANDARD));
        var figures = records.statistics(OLD, new Slot(NOW - 86_400, NOW + 1));
        assertThat(figures.accepted()).isEqualTo(3);
        assertThat(figures.revenue()).containsExactly(usd("8.00"));

        clock.set(NOON);
        try (var desks = new Desks(
                ledger, records, Threads.OF_THE_JVM, clock, Duration.ofSeconds(20), new SimpleMeterRegistry())) {
            desks.recover(Cluster.of("unused", 1));
            assertThat(desks.schedule(OLD).orElseThrow().reservations()).containsExactlyInAnyOrder(waiting, held);
            assertThat(desks.decide(
                            OLD,
                            new RecordOutage(
                                    new OutageId(UUID.randomUUID()),
                                    7,
                                    Optional.empty(),
                                    OptionalLong.empty(),
                                    OptionalLong.empty(),
                                    Optional.empty())))
                    .isInstanceOf(Answer.Done.class);
            assertThat(records.find(waiting.id()).orElseThrow().charge().credit())
                    .contains(usd("24.68"));
        }
    }

    @Test
    void whatWasRecordedBeforeRunsCouldBeSplitLiesInOnePiece() {
        var moved = records.find(id(MOVED)).orElseThrow();
        assertThat(moved.terms().shapes()).containsExactly(new Shape(2, 3600));
        assertThat(moved.terms().duration()).isEqualTo(7200);
        assertThat(moved.parts())
                .containsExactly(Part.whole(Slot.of(day + 7200, 3600), 2).on(PeSet.range(4, 6)));
        assertThat(moved.placement().turns()).isZero();
        assertThat(moved.status().flags()).containsExactly(Flag.MOVED);
        var givenUp = records.find(id(GIVEN_UP)).orElseThrow();
        assertThat(givenUp.placement().turns()).isEqualTo(1);
        assertThat(givenUp.occupied())
                .containsExactly(Part.whole(Slot.of(NOW - 5400, 1800), 1).on(PeSet.of(0)));
        assertThat(givenUp.status().flags()).isEmpty();

        var events = records.events(Map.of(OLD, Long.MAX_VALUE), Optional.empty(), 5).stream()
                .map(recorded -> (ReservationEvent) ((RecordedEvent.Whole) recorded).event())
                .toList();
        assertThat(events)
                .extracting(event -> event.reservation().placement().turns())
                .containsExactly(0, 0, 1, 0, 1);
        assertThat(events)
                .extracting(event -> event.reservation().status().flags())
                .containsExactly(Set.of(), Set.of(), Set.of(), Set.of(Flag.MOVED), Set.of());
        var from = Part.whole(Slot.of(day + 3600, 3600), 2).on(PeSet.range(0, 2));
        assertThat(events)
                .extracting(ReservationEvent::move)
                .containsExactly(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new Move(List.of(from), MoveReason.PES_LOST)),
                        Optional.empty());
        assertThat(ledger.clusters())
                .allSatisfy(cluster -> assertThat(cluster.policy().juggling()).isEqualTo(Juggling.NEVER));
    }

    @Test
    void whatHadAColumnOfItsOwnIsPartOfTheContent() {
        var first = new Part(new Slot(day + 7200, day + 10_800), 4, Optional.of(PeSet.range(0, 4)), 1);
        var second = new Part(new Slot(day + 14_400, day + 18_000), 4, Optional.of(PeSet.of(0, 1, 2, 6)), 1);
        var offered = new Terms(
                new Window(day, day + 2 * 86_400),
                3600,
                List.of(new Shape(4, 3600)),
                Optional.of(new Moldability.Runtimes(new TreeMap<>(Map.of(4, 3600L)))),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.OPEN);
        var agreed = new Terms(
                new Window(day, day + 86_400),
                7200,
                List.of(new Shape(4, 7200), new Shape(2, 9000)),
                Optional.of(new Moldability.Function(
                        2, 4, Speedup.AMDAHL, Optional.of(new BigDecimal("0.25")), AllowedPes.POWERS_OF_TWO)),
                Optional.of(new Preemption(OptionalInt.of(2), new BigDecimal("0.5"), true)),
                Optional.of(usd("20.50")),
                Map.of("gpu", "none", "os", "linux/6.12"),
                new Fixing(Optional.of(new BigDecimal("0.5")), OptionalLong.of(60)),
                QosScenario.INTERVAL);
        var reservation = new Reservation(
                id("0193f000-0000-7000-8000-000000000015"),
                new ClusterId("four"),
                new Origin(
                        new AccountName("carol"),
                        ServiceClass.PREMIUM,
                        Optional.of("say \"what\", \\ or ✓"),
                        Optional.of("film"),
                        Optional.of(new BigDecimal("-0.25")),
                        List.of(
                                new Tried(new ClusterId("one"), OptionalLong.of(NOW), Obstacle.TAKEN),
                                new Tried(new ClusterId("two"), OptionalLong.empty(), Obstacle.UNAVAILABLE))),
                agreed,
                new Placement(List.of(first, second), day + 6300, 1),
                Charge.of(usd("12.30")),
                new Status(
                        ReservationState.CONFIRMED,
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        NOW - 7200,
                        NOW - 3600,
                        3,
                        Set.of(Flag.DEGRADED, Flag.MOVED)),
                Optional.of(
                        new Proposal(3, offered, usd("1.50"), new AccountName("root"), NOW - 3600, NOW + 11 * 3600)));
        var run = new BatchJob.Run(NOW - 1800, new Slot(NOW - 1800, NOW - 1200), PeSet.of(6, 7));
        var job = BatchJob.queued(
                        new JobId(UUID.fromString("0193f000-0000-7000-8000-000000000016")),
                        new ClusterId("four"),
                        new AccountName("dave"),
                        Optional.empty(),
                        2,
                        600,
                        NOW - 7200,
                        7,
                        JobSource.BERTH)
                .running(run);

        assertThat(records.find(reservation.id())).contains(reservation);
        assertThat(records.events(Map.of(OLD, Long.MAX_VALUE, new ClusterId("four"), 5L), Optional.empty(), 2))
                .containsExactly(
                        new RecordedEvent.Whole(
                                new ClusterId("four"), 6, new ReservationEvent(Type.PROPOSED, reservation, NOW - 3600)),
                        new RecordedEvent.Whole(
                                new ClusterId("four"), 7, new JobEvent(Type.JOB_STARTED, job, NOW - 1800)));
        assertThat(records.statistics(new ClusterId("four"), new Slot(NOW - 86_400, NOW))
                        .jobs()
                        .meanWait())
                .hasValue(5400);
    }

    @Test
    void whatLetsThisBerthInAtOthersIsSealed() {
        assertThat(texts(database, "select sealed_token from peer"))
                .singleElement()
                .asString()
                .startsWith("sealed:")
                .doesNotContain("berth_there");
        assertThat(peers.all())
                .extracting(Peer::id, Peer::token)
                .containsExactly(tuple(new ClusterId("far"), "berth_there"));
    }

    @Test
    void whatWasThereBeforeTheMigrationWasExported() throws Exception {
        var file = directory.resolve("service/backups/before-migration-from-15.zip");
        assertThat(Import.manifest(file).schema()).isEqualTo(15);
        try (var place = new DataDirectory(directory.resolve("elsewhere"));
                var other = EmbeddedServer.thrownAway(place)) {
            Import.into(other, file);
            try (var migrated = new OfflineDatabase(other)) {
                var contents = "select content from reservation where id = '0193f000-0000-7000-8000-000000000015'";
                assertThat(texts(migrated.database(), contents)).hasSize(1).isEqualTo(texts(database, contents));
            }
        }
    }

    private static List<String> texts(Database database, String sql) {
        return database.read(
                session -> session.createNativeQuery(sql, String.class).list());
    }

    private static Terms terms(Window window, long duration, int pes, Optional<Money> budget, QosScenario scenario) {
        return new Terms(
                window,
                duration,
                List.of(new Shape(pes, duration)),
                Optional.empty(),
                Optional.empty(),
                budget,
                Map.of(),
                Fixing.BY_NOTICE,
                scenario);
    }

    private static ReservationId id(String uuid) {
        return new ReservationId(UUID.fromString(uuid));
    }
}
