package berth.archive;

import static berth.store.Samples.NOON;
import static berth.store.Samples.NOW;
import static berth.store.Samples.USD;
import static berth.store.Samples.usd;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.accounts.AccountStore;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.booking.Coallocation;
import berth.booking.CoallocationState;
import berth.booking.CoallocationStore;
import berth.booking.CollectedRequest;
import berth.booking.IntakeStore;
import berth.booking.store.PostgresRecords;
import berth.budget.BudgetUnit;
import berth.budget.Dues;
import berth.cluster.Admission;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.Limits;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.cluster.Reshaping;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.database.EmbeddedServer;
import berth.database.OfflineDatabase;
import berth.database.Seal;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.engine.Ledger;
import berth.engine.NoBudgets;
import berth.engine.Records;
import berth.engine.Records.FirstResult;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Records.JobFilter;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.RequestFilter;
import berth.engine.Records.Whose;
import berth.engine.SettableClock;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.peers.MirrorStore;
import berth.peers.Peer;
import berth.peers.PeerStore;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.reservation.Charge;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Proposal;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.reservation.Status.Flag;
import berth.reservation.TriedCluster;
import berth.reservation.TriedCluster.Obstacle;
import berth.runtime.Threads;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.Type;
import berth.scheduling.Preference;
import berth.scheduling.RecordOutage;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.QosScenario;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.store.PersistenceSuite;
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
import java.util.zip.ZipFile;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** This version serves what earlier versions of Berth recorded. */
@SpringBootTest(
        classes = PersistenceSuite.Wiring.class,
        properties = "management.endpoint.health.validate-group-membership=false",
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
@DirtiesContext
class MigrationIT {

    private static final ClusterId OLD = new ClusterId("old");

    private static final ClusterId FOUR = new ClusterId("four");
    private static final ClusterId SEVEN = new ClusterId("seven");
    private static final ClusterId NEAR = new ClusterId("near");
    private static final AccountName ALICE = new AccountName("alice");
    private static final AccountName BOB = new AccountName("bob");

    /** The id of their rows. */
    private static final String WAITING = "0193f000-0000-7000-8000-000000000001";

    private static final String HELD = "0193f000-0000-7000-8000-000000000002";
    private static final String OVER = "0193f000-0000-7000-8000-000000000003";
    private static final String MOVED = "0193f000-0000-7000-8000-000000000004";
    private static final String GIVEN_UP = "0193f000-0000-7000-8000-000000000005";
    private static final String COLLECTED = "0193f000-0000-7000-8000-000000000075";
    private static final String ELSEWHERE = "0193f000-0000-7000-8000-000000000081";

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
        recordIn("7");
        recordIn("8");
        recordIn("11");
        recordIn("15");
        registry.add("spring.datasource.url", server::getJdbcUrl);
        registry.add("spring.datasource.username", server::getUsername);
        registry.add("spring.datasource.password", server::getPassword);
        registry.add("berth.data-dir", directory.resolve("service")::toString);
    }

    /** Records what that version of the database can hold. */
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
    DataSource dataSource;

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
    MirrorStore mirrors;

    @Autowired
    Seal seal;

    @Autowired
    CoallocationStore coallocations;

    @Autowired
    IntakeStore intake;

    @Autowired
    SettableClock clock;

    private final Cluster old = new Cluster(
            OLD,
            8,
            Nodes.SINGLE_PES,
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
                    QosScenario.INTERVAL), // it stays in its place, as promised then
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
    void aMigratedServiceReadsAndServesOldRecords() {
        assertThat(ledger.clusters()).first().isEqualTo(old);
        assertThat(records.find(waiting.id())).contains(waiting);
        assertThat(records.find(held.id())).contains(held);
        assertThat(records.find(id(OVER)).orElseThrow().state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(records.events(OLD, 0, Whose.ALL, 10))
                .endsWith(
                        new RecordedEvent.Whole(OLD, 4, ReservationEvent.accepted(waiting)),
                        new RecordedEvent.Whole(OLD, 5, ReservationEvent.accepted(held)))
                .extracting(RecordedEvent::type)
                .containsExactly(Type.CONFIRMED, Type.STARTED, Type.COMPLETED, Type.CONFIRMED, Type.HELD);
        assertThat(records.firstResult(new AccountName("alice"), "k1"))
                .contains(new FirstResult("print", new KeyResult.Happened(ReservationEvent.accepted(waiting))));
        assertThat(accounts.all())
                .extracting(
                        stored -> stored.account().name(),
                        stored -> stored.account().serviceClass(),
                        stored -> stored.account().priority())
                .containsExactlyInAnyOrder(tuple(ALICE, ServiceClass.PREMIUM, 8), tuple(BOB, ServiceClass.STANDARD, 5));
        var figures = records.statistics(OLD, new Slot(NOW - 86_400, NOW + 1));
        assertThat(figures.accepted()).isEqualTo(3);
        assertThat(figures.revenue()).containsExactly(usd("8.00"));

        clock.set(NOON);
        try (var desks = new Desks(
                ledger,
                records,
                NoBudgets.none(),
                Threads.OF_THE_JVM,
                clock,
                Duration.ofSeconds(20),
                new SimpleMeterRegistry())) {
            desks.recover(Cluster.of("unused", 1));
            assertThat(desks.schedule(OLD).orElseThrow().reservations()).containsExactlyInAnyOrder(waiting, held);
            assertThat(desks.decide(
                            OLD,
                            new RecordOutage(
                                    new OutageId(UUID.randomUUID()),
                                    7,
                                    Optional.empty(),
                                    OptionalLong.empty(),
                                    OptionalLong.of(waiting.slot().end()),
                                    Optional.empty())))
                    .isInstanceOf(Answer.Done.class);
            assertThat(records.find(waiting.id()).orElseThrow().charge().credit())
                    .contains(usd("12.34"));
        }
    }

    @Test
    void reservationsFromBeforeSplitRunsHaveOnePart() {
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

        var events = records.events(Map.of(OLD, Long.MAX_VALUE, SEVEN, Long.MAX_VALUE), Whose.ALL, 5).stream()
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
    void formerColumnsBecomePartOfTheContent() {
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
                                new TriedCluster(new ClusterId("one"), OptionalLong.of(NOW), Obstacle.TAKEN),
                                new TriedCluster(new ClusterId("two"), OptionalLong.empty(), Obstacle.UNAVAILABLE))),
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
        assertThat(records.events(Map.of(OLD, Long.MAX_VALUE, FOUR, 5L, SEVEN, Long.MAX_VALUE), Whose.ALL, 2))
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
    void outagesAndTheQueueOfAnOutsideBatchSystemStay() {
        var seven = ledger.clusters().stream()
                .filter(cluster -> cluster.id().equals(SEVEN))
                .findAny()
                .orElseThrow();
        assertThat(seven.policy().availability())
                .isEqualTo(new AvailabilityRules(
                        AvailabilityMethod.WHAT_IF, new BigDecimal("0.25"), new BigDecimal("0.125"), 7, 900));
        assertThat(seven.intake()).isEqualTo(new Intake(IntakeOrder.DPSAR, 3600, 5, 2));
        assertThat(seven.policy().jobs()).isEqualTo(JobIntake.OUTSIDE);

        var over = new Outage(
                        new OutageId(UUID.fromString("0193f000-0000-7000-8000-000000000071")),
                        SEVEN,
                        2,
                        Optional.of(PeSet.range(6, 8)),
                        NOW - 7200,
                        OptionalLong.of(NOW + 3600),
                        Optional.of("fan"),
                        Optional.empty(),
                        List.of(id(MOVED), id(WAITING)),
                        List.of(id(GIVEN_UP)),
                        OptionalLong.empty(),
                        OptionalLong.empty())
                .ended(NOW - 3600);
        var open = new Outage(
                new OutageId(UUID.fromString("0193f000-0000-7000-8000-000000000072")),
                SEVEN,
                1,
                Optional.empty(),
                NOW - 3600,
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty());
        assertThat(records.outages(SEVEN, Optional.empty(), 10)).containsExactly(open, over);
        var running = BatchJob.queued(
                        new JobId(UUID.fromString("0193f000-0000-7000-8000-000000000073")),
                        SEVEN,
                        new AccountName("dave"),
                        Optional.of("cfd"),
                        3,
                        14_400,
                        NOW - 7200,
                        0,
                        JobSource.OUTSIDE)
                .running(new BatchJob.Run(NOW - 3600, new Slot(NOW - 3000, NOW + 10_800), PeSet.range(0, 3)));
        var queued = BatchJob.queued(
                new JobId(UUID.fromString("0193f000-0000-7000-8000-000000000074")),
                SEVEN,
                new AccountName("erin"),
                Optional.empty(),
                8,
                600,
                NOW - 5400,
                1,
                JobSource.OUTSIDE);
        assertThat(records.jobs(SEVEN, new JobFilter(Optional.empty(), Optional.empty()), Optional.empty(), 10))
                .containsExactly(queued, running);
        assertThat(records.events(SEVEN, 0, Whose.ALL, 4))
                .containsExactly(
                        new RecordedEvent.Whole(
                                SEVEN, 1, new OutageEvent(Type.OUTAGE_RECORDED, withoutEnd(over), NOW - 7200)),
                        new RecordedEvent.Whole(SEVEN, 2, new OutageEvent(Type.OUTAGE_ENDED, over, NOW - 3600)),
                        new RecordedEvent.Whole(SEVEN, 3, new OutageEvent(Type.OUTAGE_RECORDED, open, NOW - 3600)),
                        new RecordedEvent.QueueReplaced(SEVEN, 4, NOW - 3000, 1, 1));

        clock.set(NOON);
        try (var desks = new Desks(
                ledger,
                records,
                NoBudgets.none(),
                Threads.OF_THE_JVM,
                clock,
                Duration.ofSeconds(20),
                new SimpleMeterRegistry())) {
            desks.recover(Cluster.of("unused", 1));
            var schedule = desks.schedule(SEVEN).orElseThrow();
            assertThat(schedule.jobs().all()).containsExactlyInAnyOrder(running, queued);
            assertThat(schedule.outages()).containsExactly(open);
            assertThat(schedule.requests()).extracting(IntakeRequest::id).containsExactly(id(COLLECTED));
        }
    }

    private static Outage withoutEnd(Outage outage) {
        return new Outage(
                outage.id(),
                outage.cluster(),
                outage.pes(),
                outage.peIds(),
                outage.from(),
                outage.to(),
                outage.reason(),
                outage.source(),
                outage.moved(),
                outage.failed(),
                outage.beginsAt(),
                OptionalLong.empty());
    }

    @Test
    void requestsThatWereCollectedStay() {
        var waits = new IntakeRequest(
                id(COLLECTED),
                Optional.of(SEVEN),
                new Origin(ALICE, ServiceClass.PREMIUM, Optional.of("wind"), Optional.of("weather")),
                8,
                new RequestedTerms(
                        OptionalLong.of(day),
                        OptionalLong.of(day + 86_400),
                        7200,
                        4,
                        Optional.of(new Moldability.Function(
                                2, 4, Speedup.AMDAHL, Optional.of(new BigDecimal("0.25")), AllowedPes.POWERS_OF_TWO)),
                        Optional.of(new Preemption(OptionalInt.of(2), new BigDecimal("0.5"), true)),
                        Optional.of(usd("20.50")),
                        Map.of("gpu", "none", "os", "linux/6.12"),
                        new Fixing(Optional.of(new BigDecimal("0.5")), OptionalLong.of(60))),
                OptionalLong.empty(),
                Optional.empty(),
                NOW - 900,
                IntakeRequest.State.PENDING,
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
        var refused = new IntakeRequest(
                id("0193f000-0000-7000-8000-000000000076"),
                Optional.of(SEVEN),
                new Origin(BOB, ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                5,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 3600, 8),
                OptionalLong.of(NOW + 1800),
                Optional.empty(),
                NOW - 7200,
                IntakeRequest.State.REJECTED,
                Optional.of(RefusalCode.NO_SLOT),
                OptionalLong.of(NOW - 2400),
                OptionalLong.empty(),
                OptionalLong.empty());
        var withdrawn = IntakeRequest.pending(
                        id("0193f000-0000-7000-8000-000000000112"),
                        SEVEN,
                        new Origin(BOB, ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                        5,
                        RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 60, 1),
                        OptionalLong.empty(),
                        NOW - 3600)
                .within(Optional.of(new Leeway(Optional.empty(), false)))
                .withdrawn(NOW - 300);
        var anywhere = IntakeRequest.pending(
                        id("0193f000-0000-7000-8000-000000000111"),
                        new Origin(ALICE, ServiceClass.PREMIUM, Optional.empty(), Optional.empty()),
                        8,
                        RequestedTerms.of(OptionalLong.of(day), OptionalLong.of(day + 6 * 3600), 3600, 4),
                        OptionalLong.empty(),
                        NOW - 600)
                .within(Optional.of(new Leeway(Optional.of(new BigDecimal("0.500000")), true)));

        assertThat(records.collected(
                        new RequestFilter(Optional.empty(), Optional.of(SEVEN), Optional.empty(), Optional.empty()),
                        Optional.empty(),
                        10))
                .containsExactly(withdrawn, refused, waits);
        assertThat(records.events(SEVEN, 4, Whose.ALL, 10))
                .containsExactly(
                        new RecordedEvent.Whole(SEVEN, 5, new RequestEvent(Type.REJECTED, refused, NOW - 2400)),
                        new RecordedEvent.Whole(SEVEN, 6, new RequestEvent(Type.REQUESTED, waits, NOW - 900)),
                        new RecordedEvent.Whole(SEVEN, 7, new RequestEvent(Type.WITHDRAWN, withdrawn, NOW - 300)));
        assertThat(records.events(Map.of(), new Whose(Optional.of(BOB), Optional.empty()), 100))
                .as("what its owner may see of the events")
                .extracting(RecordedEvent::cluster, RecordedEvent::sequence)
                .contains(tuple(SEVEN, 5L))
                .doesNotContain(tuple(SEVEN, 6L));
        assertThat(records.events(Map.of(), new Whose(Optional.empty(), Optional.of("weather")), 100))
                .as("what the members of its project may see of them")
                .extracting(RecordedEvent::cluster, RecordedEvent::sequence)
                .contains(tuple(SEVEN, 6L))
                .doesNotContain(tuple(SEVEN, 5L));
        assertThat(intake.waiting())
                .containsExactly(new CollectedRequest(
                        anywhere,
                        new Preference(Map.of(Preference.Measure.START, 0.25, Preference.Measure.PRICE, 0.75)),
                        Set.of(NEAR, SEVEN)));
    }

    @Test
    void reservationsUnderALabelAppearInItsLedger() {
        var everything = new Records.Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
        var filed = records.list(everything, Optional.empty(), 500).stream()
                .filter(reservation -> reservation.origin().project().isPresent())
                .filter(reservation -> {
                    var dues = Dues.of(reservation);
                    return !(dues.held().isNothing()
                            && dues.charged().isNothing()
                            && dues.credited().isNothing());
                })
                .toList();

        assertThat(filed).isNotEmpty();
        assertThat(new JdbcTemplate(dataSource)
                        .queryForList("select distinct reservation from ledger_entry", UUID.class))
                .containsAll(filed.stream()
                        .map(reservation -> reservation.id().value())
                        .toList());
        assertThat(filed)
                .allSatisfy(reservation -> assertThat(new JdbcTemplate(dataSource)
                                .query(
                                        "select sum(case kind when 'CREDIT' then 0 when 'RELEASE' then -amount else amount end),"
                                                + " sum(case kind when 'CREDIT' then 0 when 'RELEASE' then -pe_seconds else pe_seconds end)"
                                                + " from ledger_entry where reservation = ?",
                                        (row, _) -> List.of(row.getBigDecimal(1), row.getBigDecimal(2)),
                                        reservation.id().value())
                                .getFirst())
                        .usingElementComparator(BigDecimal::compareTo)
                        .isEqualTo(List.of(
                                Dues.of(reservation)
                                        .taken(new BudgetUnit.InMoney(
                                                reservation.price().currency())),
                                Dues.of(reservation).taken(BudgetUnit.PE_HOURS))));
    }

    @Test
    void reservationsAtOtherBerthsStay() {
        var reserved = mirrors.find(id(ELSEWHERE)).orElseThrow();
        assertThat(reserved)
                .isEqualTo(new Mirror(
                        id(ELSEWHERE),
                        NEAR,
                        new Origin(
                                ALICE,
                                ServiceClass.PREMIUM,
                                Optional.of("mesh"),
                                Optional.of("film"),
                                Optional.empty(),
                                List.of(
                                        new TriedCluster(SEVEN, OptionalLong.of(NOW + 3600), Obstacle.TAKEN),
                                        new TriedCluster(FOUR, OptionalLong.empty(), Obstacle.UNAVAILABLE))),
                        "r-81",
                        Mirror.Owed.CONFIRMATION,
                        reserved.answer(),
                        NOW - 3600,
                        true,
                        true,
                        NOW - 3600));
        assertThat(reserved.state()).isEqualTo(ReservationState.HELD);
        assertThat(reserved.start()).isEqualTo(day + 3600);
        assertThat(mirrors.owing()).containsExactly(reserved);
        assertThat(mirrors.find(id("0193f000-0000-7000-8000-000000000082")).orElseThrow())
                .extracting(Mirror::state, Mirror::isReachable, Mirror::isDegraded)
                .containsExactly(ReservationState.FAILED, false, false);
        assertThat(records.mirrored(ALICE, NOW)).containsExactly(Part.whole(Slot.of(day + 3600, 3600), 4));

        var pair = new Coallocation(
                UUID.fromString("0193f000-0000-7000-8000-000000000083"),
                ALICE,
                Optional.of("pair"),
                Optional.of("film"),
                CoallocationState.CONFIRMED,
                day + 3600,
                List.of(new Coallocation.Part(OLD, id(WAITING)), new Coallocation.Part(NEAR, id(ELSEWHERE))),
                true,
                true,
                NOW - 3600,
                NOW - 3540);
        var begun = new Coallocation(
                UUID.fromString("0193f000-0000-7000-8000-000000000084"),
                BOB,
                Optional.empty(),
                Optional.empty(),
                CoallocationState.CONFIRMING,
                day,
                List.of(new Coallocation.Part(OLD, id(HELD))),
                false,
                false,
                NOW - 1800,
                NOW - 1800);
        assertThat(coallocations.find(pair.id())).contains(pair);
        assertThat(coallocations.unfinished()).containsExactly(begun);
        assertThat(coallocations.watchedElsewhere()).containsExactly(id(ELSEWHERE));
        clock.set(NOON);
        assertThat(records.firstResult(ALICE, "k8"))
                .contains(new FirstResult("another print", new KeyResult.Filed(pair.id())));
        assertThat(peers.all())
                .filteredOn(peer -> peer.id().equals(NEAR))
                .extracting(Peer::cluster, Peer::version, peer -> peer.url().toString())
                .containsExactly(tuple(new ClusterId("demo"), 2, "http://near.example.org:8080"));
    }

    @Test
    void tokensForOtherBerthsAreSealed() {
        assertThat(texts(database, "select sealed_token from peer"))
                .hasSize(2)
                .allSatisfy(token -> assertThat(token).startsWith("sealed:").doesNotContain("berth_"));
        assertThat(peers.all())
                .extracting(Peer::id, Peer::token)
                .containsExactlyInAnyOrder(tuple(new ClusterId("far"), "berth_there"), tuple(NEAR, "berth_near"));
    }

    @Test
    void berthExportsTheDatabaseBeforeTheMigration() throws Exception {
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

    @Test
    void theExportBeforeTheMigrationSealsTokensForOtherBerths() throws Exception {
        var file = directory.resolve("service/backups/before-migration-from-15.zip");
        try (var zip = new ZipFile(file.toFile());
                var in = zip.getInputStream(zip.getEntry("peer.copy"))) {
            assertThat(new String(in.readAllBytes(), UTF_8))
                    .contains("far\t", "near\t")
                    .doesNotContain("berth_there", "berth_near");
        }
        try (var place = new DataDirectory(directory.resolve("sealed elsewhere"));
                var other = EmbeddedServer.thrownAway(place)) {
            Import.into(other, file);
            try (var migrated = new OfflineDatabase(other)) {
                assertThat(texts(migrated.database(), "select sealed_token from peer order by id"))
                        .map(token -> seal.open(token).orElseThrow())
                        .containsExactly("berth_there", "berth_near");
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
