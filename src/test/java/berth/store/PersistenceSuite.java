package berth.store;

import static berth.store.Samples.NOON;
import static berth.store.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.accounts.Account;
import berth.accounts.AccountStore;
import berth.accounts.AccountStore.StoredAccount;
import berth.accounts.Accounts;
import berth.accounts.Feed;
import berth.accounts.Role;
import berth.booking.BookedReservation;
import berth.booking.CoallocationStore;
import berth.booking.CollectedRequest;
import berth.booking.IntakeStore;
import berth.booking.ReservationList;
import berth.booking.store.PostgresRecords;
import berth.budget.BudgetMode;
import berth.budget.BudgetUnit;
import berth.budget.Dues;
import berth.budget.Grant;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.OutageId;
import berth.database.AcknowledgedPositions;
import berth.database.ClockRecord;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.database.Durability;
import berth.database.FaultyLink;
import berth.database.FaultyLink.Commit;
import berth.database.FaultyLink.Fault;
import berth.database.Generation;
import berth.database.InstanceMode;
import berth.database.ProjectionProgress;
import berth.database.Reading;
import berth.database.Schema;
import berth.database.StartRefused;
import berth.database.WriterLock;
import berth.engine.Answer;
import berth.engine.Answer.Done;
import berth.engine.Answer.NotDecided;
import berth.engine.Answer.OutcomeUnknown;
import berth.engine.Budgets;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.engine.Ledger;
import berth.engine.Ledger.Batch;
import berth.engine.Ledger.Outcome;
import berth.engine.Ledger.RecordedKey;
import berth.engine.Ledger.Standing;
import berth.engine.NoBudgets;
import berth.engine.Records.FirstResult;
import berth.engine.Records.FirstResult.KeyResult;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.Whose;
import berth.engine.SettableClock;
import berth.http.Problem;
import berth.intake.IntakeRequest;
import berth.outcome.Outcome.NotDone;
import berth.outcome.Refusal;
import berth.peers.Mirror;
import berth.peers.MirrorStore;
import berth.peers.PeerStore;
import berth.peers.Question;
import berth.peers.QuestionStore;
import berth.projects.GroupsMode;
import berth.projects.Member;
import berth.projects.MemberOrigin;
import berth.projects.Project;
import berth.projects.ProjectGroups;
import berth.projects.ProjectRole;
import berth.projects.ProjectStore;
import berth.projects.store.PostgresBudgets;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.runtime.Gate;
import berth.runtime.RestartNeeded;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.runtime.Timekeeper;
import berth.runtime.Uptime;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Leads;
import berth.scheduling.RandomCommands;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.WaitForRoom;
import berth.scheduling.places.Preference;
import berth.service.PersistenceConfiguration;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.FairUse;
import berth.sla.FairUse.CoolDown;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.time.Slot;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.pcollections.TreePMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Tests storage, and promises while the connection to the database breaks. Subclasses provide the PostgreSQL; the connection fails on
 * demand.
 */
@SpringBootTest(classes = PersistenceSuite.Wiring.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
public abstract class PersistenceSuite {

    private static final AccountName ALICE = new AccountName("alice");
    private static final AccountName BOB = new AccountName("bob");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PersistenceConfiguration.class)
    public static class Wiring {
        @Bean
        Timekeeper timekeeper() {
            return new Timekeeper(InstantSource.system(), System::nanoTime, Uptime::uptime);
        }

        @Bean
        @Primary
        SettableClock clock() {
            return new SettableClock(NOON);
        }

        @Bean
        Replacements replacements() {
            return new Replacements();
        }
    }

    /** The processes that are said to have taken over the database. */
    static class Replacements {
        final List<RestartNeeded> seen = new CopyOnWriteArrayList<>();

        @EventListener
        void on(RestartNeeded event) {
            seen.add(event);
        }
    }

    @SuppressWarnings("NullAway.Init")
    private static FaultyLink link;

    /** Connects the service to the database through the link. */
    public static void useDatabase(
            DynamicPropertyRegistry registry, String host, int port, JdbcConnectionDetails details, Path directory)
            throws Exception {
        link = new FaultyLink(host, port);
        var url = "jdbc:postgresql://localhost:%d/%s?prepareThreshold=0"
                .formatted(link.port(), details.getJdbcUrl().replaceAll(".*/([^?]+).*", "$1"));
        registry.add("spring.datasource.url", () -> url);
        registry.add("spring.datasource.username", details::getUsername);
        registry.add("spring.datasource.password", details::getPassword);
        registry.add("spring.datasource.hikari.data-source-properties.socketTimeout", () -> 3);
        registry.add("spring.datasource.hikari.connection-timeout", () -> 3000);
        registry.add("berth.data-dir", directory::toString);
        // without desks
        registry.add("management.endpoint.health.validate-group-membership", () -> false);
    }

    @Autowired
    Ledger ledger;

    @Autowired
    PostgresRecords records;

    @Autowired
    ReservationList list;

    @Autowired
    Database database;

    @Autowired
    ObjectProvider<Database> databases;

    @Autowired
    ProjectionProgress progress;

    @Autowired
    Projector projector;

    @Autowired
    WriterLock lock;

    @Autowired
    Durability durability;

    @Autowired
    Replacements replacements;

    @Autowired
    AccountStore accounts;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    ProjectStore projects;

    @Autowired
    PostgresBudgets budgetStore;

    @Autowired
    IntakeStore intake;

    @Autowired
    CoallocationStore coallocations;

    @Autowired
    PeerStore peers;

    @Autowired
    MirrorStore mirrors;

    @Autowired
    QuestionStore questions;

    @Autowired
    AcknowledgedPositions acknowledged;

    @Autowired
    JdbcConnectionDetails details;

    @Autowired
    DataDirectory directory;

    @Autowired
    SettableClock clock;

    @Autowired
    DataSource dataSource;

    private final Cluster cluster = Cluster.of("c" + Samples.id(), 8);

    private Budgets budgets = NoBudgets.none();
    private Desks desks;

    @BeforeEach
    void openDesk() {
        clock.set(NOON);
        desks = desks();
        assertThat(desks.create(cluster, Optional.empty())).isInstanceOf(berth.outcome.Outcome.Done.class);
    }

    @AfterEach
    void closeDesk() {
        desks.close();
    }

    private Desks desks() {
        return desks(Duration.ofSeconds(20));
    }

    private Desks desks(Duration patience) {
        budgets = new Budgets(budgetStore);
        budgets.heed(Map.of(RandomCommands.PROJECT, BudgetMode.TRACK));
        var opened =
                new Desks(ledger, records, budgets, Threads.OF_THE_JVM, clock, patience, new SimpleMeterRegistry());
        opened.limits().know(_ -> AccountLimits.NONE);
        return opened;
    }

    @Test
    void aClusterIsReadAsItWasCreated() {
        assertThat(ledger.clusters()).contains(cluster);
        assertThat(ledger.create(cluster, Optional.empty())).isFalse();
    }

    @Test
    void eventsOfOneBatchMakeOneRowAndTheWholeHistoryOfAReservation() {
        var held = reservation(Status.held(NOW + 60, NOW));
        var confirmed = ReservationEvent.became(held, ReservationState.CONFIRMED, NOW);
        var cancelled = ReservationEvent.became(confirmed.reservation(), ReservationState.CANCELLED, NOW + 1);

        append(batch(1, 0, List.of(ReservationEvent.accepted(held), confirmed, cancelled)));

        assertThat(records.find(held.id())).contains(cancelled.reservation());
        assertThat(records.events(held.id(), 0, 10).stream().map(PersistenceSuite::event))
                .containsExactly(ReservationEvent.accepted(held), confirmed, cancelled);
        assertThat(records.events(held.id(), 1, 10)).hasSize(2);
    }

    @Test
    void aBatchIsRefusedIfTheClusterHasMovedOn() {
        append(batch(1, 0, List.of(accepted())));

        assertThat(ledger.append(batch(1, 0, List.of(accepted())))).isEqualTo(new Outcome.Fenced());
        assertThat(ledger.append(batch(1, 2, List.of(accepted())))).isEqualTo(new Outcome.Fenced());
        assertThat(recorded(0)).hasSize(1);
    }

    @Test
    void aWriterWhoseEpochWasTakenCannotCommit() {
        var mine = ledger.takeOver(cluster.id());
        var another = new PostgresLedger(
                database, dataSource, progress, projector, new Generation(_ -> {}), acknowledged, 1, clock);
        var theirs = another.takeOver(cluster.id());

        assertThat(theirs.epoch()).isEqualTo(mine.epoch() + 1);
        assertThat(ledger.append(batch(mine.epoch(), 0, List.of(accepted())))).isEqualTo(new Outcome.Fenced());
        assertThat(ledger.resolve(cluster.id())).isEqualTo(new Standing.Fenced());
        assertThat(another.append(batch(theirs.epoch(), 0, List.of(accepted()))))
                .isEqualTo(new Outcome.Committed());
        assertThat(another.resolve(cluster.id())).isEqualTo(new Standing.Writer(theirs.epoch() + 1, 1));
    }

    @Test
    void aLateSettlingOfTheSameWriterIsNotTakenForAnotherWriter() {
        var asked = (Standing.Writer) ledger.resolve(cluster.id());
        var late = (Standing.Writer) ledger.resolve(cluster.id());

        assertThat(ledger.append(batch(asked.epoch(), 0, List.of(accepted())))).isInstanceOf(Outcome.Failed.class);
        assertThat(ledger.append(batch(late.epoch(), 0, List.of(accepted())))).isEqualTo(new Outcome.Committed());
    }

    /** The embedded server has its time from the same clock. */
    @Test
    void aStartRejectsAClockAheadOfTheRecords() throws SQLException {
        try (var connection = Schema.connect(details)) {
            clockRecord(Duration.ofDays(-10), "").beat();
            assertThatThrownBy(() -> clockRecord(Duration.ZERO, "").require(connection))
                    .isInstanceOfSatisfying(
                            StartRefused.class,
                            refused -> assertThat(refused.remedy()).contains("BERTH_TIME_ACCEPT="))
                    .hasMessageContaining("the machine has been up for");

            clockRecord(Duration.ZERO, "").beat();
            clockRecord(Duration.ZERO, "").require(connection);
        }
    }

    @Test
    void aStartBelievesAClockUnlikeTheServersOnlyIfAnOperatorDoes() throws SQLException {
        var ahead = Duration.ofDays(10);
        try (var connection = Schema.connect(details)) {
            assertThatThrownBy(() -> clockRecord(ahead, "").require(connection))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("the database's");
            var then = Instant.now().plus(ahead);
            clockRecord(ahead, then.minusSeconds(3000).toString()).require(connection);
            assertThatThrownBy(() -> clockRecord(ahead, then.minusSeconds(3700).toString())
                            .require(connection))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("the database's");
            assertThatThrownBy(() -> clockRecord(ahead, "today").require(connection))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("BERTH_TIME_ACCEPT is today");
        }
    }

    @Test
    void aStartRejectsAClockBehindTheRecords() throws SQLException {
        try (var connection = Schema.connect(details)) {
            clockRecord(Duration.ofMinutes(10), "").beat();
            assertThatThrownBy(() -> clockRecord(Duration.ZERO, "").require(connection))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("was already running at");

            clockRecord(Duration.ZERO, "").beat();
            clockRecord(Duration.ZERO, "").require(connection);
        }
    }

    /** Returns a clock record with a clock that is ahead of this machine's. */
    private ClockRecord clockRecord(Duration ahead, String accepted) {
        InstantSource shown = () -> Instant.now().plus(ahead);
        return new ClockRecord(databases, new Timekeeper(shown, System::nanoTime, Uptime::uptime), accepted);
    }

    @Test
    void aServerOnTheSameMachineIsNoSecondWitnessOfTime() throws SQLException {
        try (var connection = Schema.connect(details)) {
            assertThat(ClockRecord.boot(connection)).contains(Uptime.boot());
            assertThat(ClockRecord.witness(connection).isElsewhere()).isFalse();
        }
    }

    @Test
    void withoutRightsOnTheMachineTheServersAddressShowsWhereItIs() throws SQLException {
        var jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create role stranger");
        try (var connection = Schema.connect(details);
                var statement = connection.createStatement()) {
            statement.execute("set role stranger");
            assertThat(ClockRecord.boot(connection)).isEmpty();
            assertThat(ClockRecord.witness(connection).isElsewhere()).isFalse();
        } finally {
            jdbc.execute("drop role stranger");
        }
    }

    /** Managed servers may not let every user query it. */
    @Test
    void aServerThatDoesNotReportItsTimelineCountsAsOneCopy() throws SQLException {
        var jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("revoke execute on function pg_control_system() from public");
        jdbc.execute("create role stranger");
        try (var connection = Schema.connect(details);
                var statement = connection.createStatement()) {
            statement.execute("set role stranger");
            new Durability(1, _ -> Optional.of("this is not asked")).require(connection);
            assertThatThrownBy(() -> new Durability(2, _ -> Optional.empty()).require(connection))
                    .isInstanceOf(Durability.NotThis.class)
                    .hasMessageContaining("does not report its timeline");
        } finally {
            jdbc.execute("drop role stranger");
            jdbc.execute("grant execute on function pg_control_system() to public");
        }
    }

    /** A promise must not be lost to a server that does not write it to disk. */
    @Test
    void berthGrantsNothingWhileTheServerIsNotDurable() throws Exception {
        var jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("alter role current_user set synchronous_commit = off");
        try {
            connectAnew();
            assertThat(ledger.append(batch(1, 0, List.of(accepted())))).isInstanceOf(Outcome.Failed.class);
            assertThatThrownBy(() -> ledger.resolve(cluster.id())).isInstanceOf(StorageUnavailable.class);
            assertThat(desks.decide(cluster.id(), reserve())).isInstanceOf(NotDecided.class);
            durability.look();
            assertThat(durability.health().getStatus())
                    .isEqualTo(Health.down().build().getStatus());
            assertThat(durability.health().getDetails()).containsOnlyKeys("synchronous_commit");
            assertThatThrownBy(() -> database.write(session -> session)).isInstanceOf(StorageUnavailable.class);
        } finally {
            jdbc.execute("alter role current_user reset synchronous_commit");
            connectAnew();
        }
        durability.look();
        assertThat(durability.health().getStatus())
                .isEqualTo(Health.up().build().getStatus());
        assertThat(desks.decide(cluster.id(), reserve())).isInstanceOf(Done.class);
    }

    private void connectAnew() throws SQLException {
        dataSource.unwrap(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
    }

    /** Makes the server read its settings again and waits for it. */
    private static void reload(JdbcTemplate jdbc, String setting, String value) throws InterruptedException {
        jdbc.execute("select pg_reload_conf()");
        while (!value.equals(jdbc.queryForObject("select current_setting('%s')".formatted(setting), String.class))) {
            Thread.sleep(10);
        }
    }

    /** The server keeps a commit without a standby if somebody ends its wait. */
    @Test
    void aCommitIsAcknowledgedOnlyOnceAStandbyHasIt() throws Exception {
        var jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("alter system set synchronous_standby_names = 'nobody'");
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            reload(jdbc, "synchronous_standby_names", "nobody");
            var answer = clients.submit(() -> desks.decide(cluster.id(), reserve()));
            // first the batch, then the statement that resolves it
            endWaitForStandby(jdbc);
            endWaitForStandby(jdbc);
            assertThat(answer.isDone()).isFalse();
            assertThat(desks.schedule(cluster.id()).orElseThrow().reservations())
                    .isEmpty();

            jdbc.execute("alter system reset synchronous_standby_names");
            reload(jdbc, "synchronous_standby_names", "");
            assertThat(answer.get()).isInstanceOf(Done.class);
        } finally {
            jdbc.execute("alter system reset synchronous_standby_names");
            reload(jdbc, "synchronous_standby_names", "");
        }
    }

    private static void endWaitForStandby(JdbcTemplate jdbc) throws InterruptedException {
        var ended = List.<Boolean>of();
        while (ended.isEmpty()) {
            Thread.sleep(10);
            ended = jdbc.queryForList(
                    "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'", Boolean.class);
        }
    }

    @Test
    void aChangeWithoutAStandbyIsNotAcknowledged() throws Exception {
        var jdbc = new JdbcTemplate(dataSource);
        var account = new StoredAccount(
                Account.fresh(
                        new AccountName("standby of " + cluster.id()),
                        Role.CLIENT,
                        Account.STANDARD_PRIORITY,
                        ServiceClass.STANDARD,
                        AccountLimits.NONE),
                Optional.of("hash of " + cluster.id()));
        jdbc.execute("alter system set synchronous_standby_names = 'nobody'");
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            reload(jdbc, "synchronous_standby_names", "nobody");
            var created = clients.submit(() -> accounts.create(account));
            endWaitForStandby(jdbc);
            assertThatThrownBy(created::get).hasCauseInstanceOf(StorageUnavailable.class);
        } finally {
            jdbc.execute("alter system reset synchronous_standby_names");
            reload(jdbc, "synchronous_standby_names", "");
        }
    }

    /** The server also ends queries whose client has gone, but never ends changes. */
    @Test
    void theServerEndsOnlyReadingsThatTakeTooLong() {
        assertThat(database.<String>read(PersistenceSuite::timeout)).isEqualTo("8s");
        assertThat(database.<String>read(Reading.REPORT, PersistenceSuite::timeout))
                .isEqualTo("8s");
        assertThat(database.<String>read(Reading.FOR_A_PROMISE, PersistenceSuite::timeout))
                .isEqualTo("0");
        assertThat(database.<String>write(PersistenceSuite::timeout)).isEqualTo("0");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String timeout(StatelessSession session) {
        return session.createNativeQuery("show statement_timeout", String.class).getSingleResult();
    }

    /** Readers, however many, take nothing away from requests for promises. */
    @Test
    void aReportDelaysOnlyOtherReports() throws Exception {
        var use = new KeyUse(ALICE, cluster.id().value(), "print");
        var event = accepted();
        append(new Batch(cluster.id(), 1, 0, List.of(event), List.of(new RecordedKey(use, 1))));
        var underWay = new CountDownLatch(Reading.REPORT.most() + Reading.PLAIN.most());
        var end = new CountDownLatch(1);
        try (var readers = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable _ = end::countDown) {
            for (var reading : List.of(Reading.REPORT, Reading.PLAIN)) {
                for (int i = 0; i < reading.most(); i++) {
                    readers.submit(() -> database.read(reading, session -> {
                        session.createNativeQuery("select 1", Integer.class).getSingleResult();
                        underWay.countDown();
                        await(end);
                        return session;
                    }));
                }
            }
            assertThat(underWay.await(30, TimeUnit.SECONDS)).isTrue();

            assertThat(records.firstResult(ALICE, use.key())).isPresent();
            assertThat(records.mirrored(ALICE, NOW)).isEmpty();
            assertThat(desks.decide(cluster.id(), reserve(), Optional.of(use))).isEqualTo(new Done(List.of(event)));
            assertThatThrownBy(() -> records.statistics(cluster.id(), new Slot(0, 1)))
                    .isInstanceOf(Gate.Unanswered.class)
                    .hasMessageContaining("2 reports are being made");
        }
    }

    /** The process may die after a commit, or the tables may fail to take what is recorded. */
    @Test
    void theProjectorCatchesUpOnceTheTablesAcceptWritesAgain() throws Exception {
        var first = accepted();
        whileTheTablesRefuse(() -> {
            append(batch(1, 0, List.of(first)));
            append(batch(1, 1, List.of(accepted(), accepted())));
            assertThat(progress.behind()).isEqualTo(3);
            assertThatThrownBy(() -> records.find(first.reservation().id())).isInstanceOf(StorageUnavailable.class);
        });

        try (var rivals = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
                rivals.submit(() -> projector.catchUp(cluster.id()));
            }
        }
        assertThat(recorded(0)).hasSize(3);
        assertThat(records.find(first.reservation().id())).contains(first.reservation());
        assertThat(ledger.takeOver(cluster.id()).live()).hasSize(3);
    }

    @Test
    void aSuccessorReadsTheLastRecordedBatches() throws Exception {
        whileTheTablesRefuse(() -> append(batch(1, 0, List.of(accepted(), accepted()))));

        var successor = new PostgresLedger(
                database, dataSource, progress, projector, new Generation(_ -> {}), acknowledged, 1, clock);

        assertThat(successor.takeOver(cluster.id()).live()).hasSize(2);
    }

    private interface Work {
        void run() throws Exception;
    }

    private void whileTheTablesRefuse(Work work) throws Exception {
        var jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("""
            create function refuse() returns trigger language plpgsql as $$
            begin raise exception 'refused, as the test wants it'; end $$;
            create trigger refuse before insert on event for each row execute function refuse()\
            """);
        try {
            work.run();
        } finally {
            jdbc.execute("drop trigger refuse on event; drop function refuse()");
        }
    }

    private static final Leads.Requests LEADS = new Leads.Requests(Set.of(300L, 3600L), Map.of());

    @Test
    void theScheduleIsRebuiltFromTheRecords() {
        rebuildAfterEverything(Binding.LATE);
    }

    /** Takes almost three times as long: agents report on PEs that are bound early, and each kind of report must occur. */
    @Test
    @Tag("full")
    void theScheduleIsRebuiltWherePesAreBoundEarly() {
        rebuildAfterEverything(Binding.EARLY);
    }

    private void rebuildAfterEverything(Binding binding) {
        desks.announce(LEADS);
        grantALittle();
        var commands = new RandomCommands(new Random(3), Samples::id, cluster, clock);
        desks.decide(cluster.id(), new ChangeCluster(cluster, commands.cluster(binding)));
        moveOne();
        for (int i = 0; i < 200 || !everythingHasHappened(i); i++) {
            var answer = desks.decide(
                    cluster.id(), commands.next(desks.schedule(cluster.id()).orElseThrow()));
            assertThat(answer).isNotInstanceOf(NotDecided.class);
            if (i % 10 == 0) {
                clock.advance(Duration.ofMinutes(10));
            }
            if (i % 100 == 50) {
                beAwayForAnHour();
            }
        }
        leaveSomethingOfAllKinds();
        desks.catchUp();
        var live = desks.schedule(cluster.id()).orElseThrow();
        var balance = budgets.balance(RandomCommands.PROJECT, now()).orElseThrow();
        desks.close();
        assertThat(live.outages()).isNotEmpty();
        assertThat(live.requests()).isNotEmpty();
        assertThat(live.waiting().isEmpty()).isFalse();

        var again = desks();
        again.recover(cluster);
        var rebuilt = again.schedule(cluster.id()).orElseThrow();
        assertThat(budgets.balance(RandomCommands.PROJECT, now())).contains(balance);
        assertThat(ledgerComesTo()).isEqualTo(reservationsComeTo());
        again.close();

        assertThat(rebuilt).isEqualTo(live);
        assertThat(rebuilt.profile()).isEqualTo(live.profile());
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Grants so little that the budget is soon spent. */
    private void grantALittle() {
        if (projects.recorded().stream().noneMatch(project -> project.id().equals(RandomCommands.PROJECT))) {
            projects.create(Project.fresh(RandomCommands.PROJECT, "Climate", BudgetMode.TRACK, NOW));
        }
        desks.recover(cluster);
        budgets.grant(
                new Grant(
                        RandomCommands.PROJECT,
                        "g" + Samples.id(),
                        BudgetUnit.of("USD"),
                        budgets.balance(RandomCommands.PROJECT, now())
                                .map(so -> so.spent()
                                        .taken()
                                        .multiply(new BigDecimal("1.25"))
                                        .subtract(so.granted()))
                                .orElse(BigDecimal.ZERO)
                                .max(new BigDecimal("0.01")),
                        BigDecimal.ZERO,
                        now(),
                        now() + 400 * 86_400,
                        ALICE,
                        now(),
                        Optional.empty()),
                now());
    }

    /** Returns what is held, charged and credited on the cluster, entry by entry, in cents and in PE-seconds. */
    private List<Object> ledgerComesTo() {
        return new JdbcTemplate(dataSource)
                .query(
                        "select sum(case when kind in ('HOLD', 'ADJUST', 'CHARGE') then amount when kind = 'CREDIT' then 0 else -amount end),"
                                + " sum(case when kind in ('HOLD', 'ADJUST', 'CHARGE') then pe_seconds else -pe_seconds end)"
                                + " from ledger_entry where cluster = ?",
                        (row, _) -> List.<Object>of(row.getBigDecimal(1), row.getLong(2)),
                        cluster.id().value())
                .getFirst();
    }

    /** Returns the same, reservation by reservation. */
    private List<Object> reservationsComeTo() {
        var dollars = BudgetUnit.of("USD");
        var all = new ArrayList<Reservation>();
        Optional<ReservationId> olderThan = Optional.empty();
        var everything = new ReservationList.Filter(
                Optional.empty(),
                Optional.of(cluster.id()),
                Optional.empty(),
                Optional.of(RandomCommands.PROJECT),
                OptionalLong.empty(),
                OptionalLong.empty());
        for (var page = list.newest(everything, olderThan, 500);
                !page.isEmpty();
                page = list.newest(everything, olderThan, 500)) {
            page.stream()
                    .filter(BookedReservation.Here.class::isInstance)
                    .forEach(known -> all.add(((BookedReservation.Here) known).reservation()));
            olderThan = Optional.of(page.getLast().id());
        }
        return List.of(
                all.stream()
                        .map(one -> Dues.of(one).taken(dollars))
                        .reduce(BigDecimal.ZERO, BigDecimal::add)
                        .setScale(2),
                all.stream()
                        .map(one -> Dues.of(one).taken(BudgetUnit.PE_HOURS))
                        .reduce(BigDecimal.ZERO, BigDecimal::add)
                        .longValueExact());
    }

    private void beAwayForAnHour() {
        desks.close();
        clock.advance(Duration.ofHours(1));
        desks = desks();
        desks.announce(LEADS);
        desks.recover(cluster);
    }

    /** Whether the schedule holds reservations and has had events of all types; checked from time to time. */
    private boolean everythingHasHappened(int step) {
        if (step % 50 != 0) {
            return false;
        }
        var missing = EnumSet.allOf(Event.Type.class);
        var schedule = desks.schedule(cluster.id()).orElseThrow();
        if (schedule.cluster().binding() == Binding.LATE) {
            // without PEs nothing can be put in place
            missing.removeAll(
                    EnumSet.of(Event.Type.ENFORCED, Event.Type.ENFORCEMENT_FAILED, Event.Type.ENFORCEMENT_POSTPONED));
        }
        recorded(0).forEach(event -> missing.remove(event.type()));
        assertThat(step)
                .as("steps until everything has happened; so far without %s", missing)
                .isLessThan(20_000);
        return missing.isEmpty() && !schedule.reservations().isEmpty();
    }

    /** Takes the PEs of a reservation that can lie elsewhere. Random commands seldom move one. */
    private void moveOne() {
        long from = now() + 3600;
        var id = Samples.reservationId();
        desks.decide(
                cluster.id(),
                new Reserve(
                        id,
                        new Origin(BOB, ServiceClass.STANDARD),
                        RequestedTerms.of(OptionalLong.of(from), OptionalLong.of(from + 20 * 86_400), 3600, 1),
                        OptionalLong.empty(),
                        OptionalLong.empty()));
        var slot = desks.live(id).orElseThrow().slot();
        desks.decide(
                cluster.id(),
                new RecordOutage(
                        new OutageId(Samples.id()),
                        desks.schedule(cluster.id()).orElseThrow().cluster().pes(),
                        Optional.empty(),
                        OptionalLong.of(slot.start()),
                        OptionalLong.of(slot.end()),
                        Optional.empty()));
    }

    /** Leaves an outage, an undecided request, and a waiting request that needs all PEs at that time. */
    private void leaveSomethingOfAllKinds() {
        long from = clock.instant().getEpochSecond() + 80 * 86_400;
        long to = from + 3600;
        var origin = new Origin(ALICE, ServiceClass.STANDARD);
        int pes = desks.schedule(cluster.id()).orElseThrow().cluster().pes();
        var all = RequestedTerms.of(OptionalLong.of(from), OptionalLong.of(to), 3600, pes);
        desks.decide(
                cluster.id(),
                new RecordOutage(
                        new OutageId(Samples.id()),
                        1,
                        Optional.empty(),
                        OptionalLong.of(from),
                        OptionalLong.of(to),
                        Optional.empty()));
        desks.decide(
                cluster.id(), new WaitForRoom(Samples.reservationId(), origin, 5, all, OptionalLong.empty(), from));
        desks.decide(
                cluster.id(),
                new Collect(
                        Samples.reservationId(),
                        origin,
                        5,
                        all,
                        OptionalLong.empty(),
                        Optional.empty(),
                        OptionalLong.empty()));
    }

    @Test
    void aKeyIsKeptForADayAndThenForgotten() {
        var use = new KeyUse(ALICE, cluster.id().value(), "print");
        var event = accepted();
        append(new Batch(cluster.id(), 1, 0, List.of(event), List.of(new RecordedKey(use, 1))));
        assertThat(records.firstResult(ALICE, use.key()))
                .contains(new FirstResult("print", new KeyResult.Happened(event)));
        assertThat(records.firstResult(BOB, use.key())).isEmpty();
        assertThat(usedKeys()).contains("alice " + use.key());

        clock.advance(Duration.ofHours(25));
        assertThat(records.firstResult(ALICE, use.key())).isEmpty();
        assertThat(usedKeys()).doesNotContain("alice " + use.key());

        var later = new KeyUse(ALICE, cluster.id().value(), "another print");
        append(new Batch(cluster.id(), 1, 1, List.of(accepted()), List.of(new RecordedKey(later, 2))));
        assertThat(records.firstResult(ALICE, use.key()).orElseThrow().fingerprint())
                .isEqualTo("another print");

        clock.advance(Duration.ofHours(25));
        assertThat(records.forgetOldKeys(1000)).isPositive();
    }

    private List<String> usedKeys() {
        var used = new ArrayList<String>();
        records.usedKeys((account, key) -> used.add(account + " " + key));
        return used;
    }

    @Test
    void anAccountIsReadAsItWasSaved() {
        var name = new AccountName(cluster.id().value());
        var hash = Optional.of("hash 1 of " + name);
        var limits = new AccountLimits(
                OptionalInt.of(0),
                OptionalInt.of(Integer.MAX_VALUE),
                OptionalLong.of(1000),
                OptionalInt.of(7),
                OptionalInt.of(0),
                OptionalInt.of(3),
                OptionalLong.of(600),
                new FairUse(OptionalLong.of(50), Optional.of(new CoolDown(21_600, 0)), OptionalInt.of(0)));
        var first = new StoredAccount(
                new Account(
                        name,
                        Role.AGENT,
                        Optional.of(new ClusterId("far")),
                        10,
                        ServiceClass.PREMIUM,
                        limits,
                        Set.of(),
                        Optional.empty(),
                        Optional.empty(),
                        0),
                hash);
        var second = new StoredAccount(
                new Account(
                        name,
                        Role.CLIENT,
                        Optional.empty(),
                        1,
                        ServiceClass.STANDARD,
                        AccountLimits.NONE,
                        Set.of(3600L, 60L, 2_592_000L),
                        Optional.of("Zoë “Z” Ünal"),
                        Optional.of(Role.VIEWER),
                        1),
                Optional.of("hash 2 of " + name),
                List.of(
                        new Feed(
                                UUID.randomUUID(),
                                "hash 3 of " + name,
                                Optional.of(cluster.id()),
                                Optional.of("climate, \"2\""),
                                1_801_396_800L),
                        new Feed(UUID.randomUUID(), "hash 4 of " + name, Optional.empty(), Optional.empty(), 0)));
        var deleted = new StoredAccount(
                new Account(
                        name,
                        Role.CLIENT,
                        Optional.empty(),
                        1,
                        ServiceClass.STANDARD,
                        AccountLimits.NONE,
                        Set.of(),
                        Optional.empty(),
                        Optional.empty(),
                        2),
                Optional.empty());

        assertThat(accounts.create(first)).isTrue();
        assertThat(accounts.create(second)).isFalse();
        assertThat(accounts.all()).containsOnlyOnce(first);
        assertThat(accounts.update(second)).isTrue();
        assertThat(accounts.update(second)).isFalse();
        assertThat(accounts.all()).containsOnlyOnce(second).doesNotContain(first);
        assertThat(accounts.update(deleted)).isTrue();
        assertThat(accounts.all()).containsOnlyOnce(deleted).doesNotContain(second);
        assertThat(accounts.create(first)).isFalse();
        assertThat(accounts.update(new StoredAccount(
                        Account.fresh(
                                new AccountName("nobody"),
                                Role.CLIENT,
                                Account.STANDARD_PRIORITY,
                                ServiceClass.STANDARD,
                                AccountLimits.NONE),
                        hash)))
                .isFalse();
    }

    @Test
    void projectsAreReadAsTheyWereWritten() {
        var bare = Project.fresh("p" + Samples.id(), "Climate “models”, 2", BudgetMode.TRACK, NOW);

        projects.create(bare);
        assertThat(projects.all()).contains(bare);
        assertThat(projects.recorded()).contains(bare);
        projects.rename(bare.id(), "Weather");
        var groups = new ProjectGroups(
                GroupsMode.EXACT, TreePMap.<String, ProjectRole>singleton("/hpc/“ml”", ProjectRole.MEMBER));
        var byGroup = new Member(ProjectRole.VIEWER, MemberOrigin.GROUP);
        projects.setGroups(bare.id(), groups);
        projects.put(bare.id(), ALICE, new Member(ProjectRole.MEMBER, MemberOrigin.GROUP));
        projects.put(bare.id(), BOB, byGroup);
        projects.put(bare.id(), ALICE, new Member(ProjectRole.OWNER, MemberOrigin.HAND));

        var weather = Project.fresh(bare.id(), "Weather", BudgetMode.TRACK, NOW)
                .withGroups(groups)
                .withMember(ALICE, new Member(ProjectRole.OWNER, MemberOrigin.HAND));
        assertThat(projects.all()).contains(weather.withMember(BOB, byGroup));
        assertThat(projects.recorded()).contains(weather.withMember(BOB, byGroup));
        projects.setGroups(bare.id(), ProjectGroups.NONE);
        assertThat(projects.all()).contains(weather.withGroups(ProjectGroups.NONE));
        projects.setGroups(bare.id(), groups);
        projects.put(bare.id(), BOB, byGroup);
        projects.remove(bare.id(), BOB);
        assertThat(projects.all()).containsOnlyOnce(weather).doesNotContain(bare);
        assertThatThrownBy(() -> projects.create(bare)).isNotNull();
        assertThat(projects.all()).containsOnlyOnce(weather).doesNotContain(bare);
    }

    /** A revocation that Berth has confirmed must hold, and the accounts in memory must follow the records. */
    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aChangeToAnAccountWithAnUncertainOutcomeIsLookedUp(Fault fault) {
        var known = new Accounts(accounts);
        var admin = Account.fresh(
                new AccountName("admin of " + cluster.id()),
                Role.ADMIN,
                Account.STANDARD_PRIORITY,
                ServiceClass.STANDARD,
                AccountLimits.NONE);
        var name = new AccountName("user of " + cluster.id());
        assertThat(known.create(admin)).isInstanceOf(berth.outcome.Outcome.Done.class);
        var old = Problem.done(known.create(Account.fresh(
                name, Role.CLIENT, Account.STANDARD_PRIORITY, ServiceClass.STANDARD, AccountLimits.NONE)));
        var token = Accounts.newToken();
        link.failNext(Commit.COMMIT, fault);

        boolean told;
        try {
            told = known.replaceToken(name, admin, version -> true, token) instanceof berth.outcome.Outcome.Done;
        } catch (StorageUnavailable e) {
            told = false;
        }

        assertThat(link.hasStruck()).isTrue();
        if (told) {
            assertThat(known.byToken(token)).isPresent();
        }
        waitUntilSettled(known, admin);
        boolean reachesTheServer = fault != Fault.LOST_ON_THE_WAY;
        assertThat(known.byToken(token).isPresent()).isEqualTo(reachesTheServer);
        assertThat(known.byToken(old).isPresent()).isEqualTo(!reachesTheServer);
        assertThat(new Accounts(accounts).find(name)).isEqualTo(known.find(name));
    }

    /** Makes a change without effect, which resolves doubts. */
    private static void waitUntilSettled(Accounts known, Account admin) {
        for (int i = 0; i < 10; i++) {
            try {
                known.change(admin.name(), admin, version -> true, account -> account);
                return;
            } catch (StorageUnavailable e) {
                // it is repeated
            }
        }
        throw new AssertionError("The store does not answer.");
    }

    /** The central test: whatever happens to a commit, the client gets the truth and the desk continues. */
    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aFaultyCommitLosesNoReservationAndDoublesNone(Fault fault) throws Exception {
        granted(reserve());
        link.failNext(Commit.OF_JOURNAL, fault);
        var inDoubt = reserve();

        var answer = desks.decide(cluster.id(), inDoubt);

        assertThat(link.hasStruck()).isTrue();
        // resolving the doubt excludes a late commit
        boolean isRecorded = fault == Fault.ANSWER_LOST || fault == Fault.ANSWER_STALLED;
        assertThat(answer).isInstanceOf(isRecorded ? Done.class : NotDecided.class);
        assertThat(records.find(inDoubt.id()).isPresent()).isEqualTo(isRecorded);
        granted(reserve());
        if (fault == Fault.LATE) {
            Thread.sleep(FaultyLink.LATE);
        }
        granted(reserve());
        assertLiveIsRecorded(isRecorded ? 4 : 3);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void theSettlingOfALostAnswerMayFailItself(Fault fault) {
        link.failNext(Commit.OF_JOURNAL, Fault.ANSWER_LOST);
        link.failNext(Commit.OF_SETTLING, fault);
        var inDoubt = reserve();

        assertThat(desks.decide(cluster.id(), inDoubt)).isInstanceOf(Done.class);

        assertThat(link.hasStruck()).isTrue();
        assertThat(desks.closed(cluster.id())).isEmpty();
        granted(reserve());
        assertLiveIsRecorded(2);
    }

    @Test
    void aCommitThatTheServerRefusesIsAnsweredAsFailed() {
        var jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("""
            create function refuse() returns trigger language plpgsql as $$
            begin raise exception 'refused at commit, as the test wants it'; end $$;
            create constraint trigger refuse after insert on journal deferrable initially deferred
            for each row execute function refuse()\
            """);
        try {
            var refused = reserve();
            assertThat(desks.decide(cluster.id(), refused)).isInstanceOf(NotDecided.class);
            assertThat(records.find(refused.id())).isEmpty();
        } finally {
            jdbc.execute("drop trigger refuse on journal; drop function refuse()");
        }
        granted(reserve());
        assertLiveIsRecorded(1);
    }

    @Test
    void aWriterThatLosesItsLockTakesItAgain() {
        endLockHolder();

        lock.keep();

        assertThat(lockHolders()).isEqualTo(1);
    }

    /** The connection to the server may be lost without the server knowing for a while. */
    @Test
    void aWriterTakesItsLockFromItsOwnBrokenSession() {
        var before = lockHolder();
        link.mute("berth, process");

        lock.keep();

        assertThat(lockHolders()).isEqualTo(1);
        assertThat(lockHolder()).isNotEqualTo(before);
        granted(reserve());
    }

    @Test
    void aLockHeldByAnotherSessionIsNoSuccessorUnlessItWrites() throws Exception {
        endLockHolder();
        try (var other = dataSource.getConnection();
                var statement = other.createStatement()) {
            statement.execute("select pg_advisory_lock(" + WriterLock.KEY + ")");
            lock.keep();
            granted(reserve());
            statement.execute("select pg_advisory_unlock(" + WriterLock.KEY + ")");
        }

        lock.keep();

        assertThat(lockHolders()).isEqualTo(1);
    }

    @Test
    void aReplacedInstanceGivesUpItsLock() throws Exception {
        var told = new CompletableFuture<Object>();
        var replaced = new Generation(told::complete);
        endLockHolder();
        // what the service writes would find it replaced
        projector.catchUp(cluster.id());
        var mine = jdbc().queryForMap("select generation, process from writer");
        try (var connection = Schema.connect(details)) {
            replaced.take(connection);
        }
        try (var held = new WriterLock(details, replaced, durability, InstanceMode.ONE);
                var other = dataSource.getConnection();
                var statement = other.createStatement()) {
            endLockHolder();
            statement.execute("select pg_advisory_lock(" + WriterLock.KEY + ")");
            statement.execute("update writer set generation = generation + 1, name = 'the rival'");

            held.keep();

            assertThat(told.get(20, TimeUnit.SECONDS)).isEqualTo(RestartNeeded.replacedBy("the rival"));
            statement.execute("select pg_advisory_unlock(" + WriterLock.KEY + ")");
        } finally {
            jdbc().update("update writer set generation = ?, process = ?", mine.get("generation"), mine.get("process"));
        }
        lock.keep();
    }

    private JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource);
    }

    private int lockHolders() {
        return new JdbcTemplate(dataSource)
                .queryForList("select pid from pg_locks where locktype = 'advisory'")
                .size();
    }

    private long lockHolder() {
        return new JdbcTemplate(dataSource)
                .queryForList("select pid from pg_locks where locktype = 'advisory'", Long.class)
                .getFirst();
    }

    /** Everything written outside the journals, which have their own epochs. */
    @Test
    void aReplacedInstanceWritesNothingAndReportsItsSuccessor() throws Exception {
        var alice = new StoredAccount(
                Account.fresh(
                        new AccountName("of " + cluster.id()),
                        Role.CLIENT,
                        Account.STANDARD_PRIORITY,
                        ServiceClass.STANDARD,
                        AccountLimits.NONE),
                Optional.of("hash of " + cluster.id()));
        var waiting = new CollectedRequest(
                IntakeRequest.pending(
                        Samples.reservationId(),
                        new Origin(ALICE, ServiceClass.STANDARD),
                        5,
                        RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 600, 4),
                        OptionalLong.empty(),
                        NOW),
                Preference.EARLIEST_START,
                Set.of());
        var jdbc = new JdbcTemplate(dataSource);
        var mine = jdbc.queryForMap("select generation, process from writer");
        jdbc.execute("update writer set generation = generation + 1, process = gen_random_uuid(), name = 'the rival'");
        try {
            var writes = Map.<String, ThrowingCallable>of(
                    "account", () -> accounts.create(alice),
                    "request", () -> intake.create(waiting, Optional.empty()),
                    "co-allocations", coallocations::forgetEnded,
                    "peer", () -> peers.remove(new ClusterId("nowhere")),
                    "mirror", () -> mirrors.remove(Samples.reservationId(), "request"),
                    "refusals",
                            () -> ledger.countRefusals(
                                    cluster.id(),
                                    Map.of(new Ledger.Refusals(NOW / 3600 * 3600, RefusalCode.NO_SLOT), 1L)),
                    "question",
                            () -> questions.ask(
                                    Samples.reservationId(),
                                    cluster.id(),
                                    JsonNodeFactory.instance.objectNode(),
                                    NOW,
                                    NOW + 90),
                    "action at another Berth", questions::requireWriter,
                    "keys", () -> records.forgetOldKeys(1000),
                    "cluster", () -> ledger.create(Cluster.of("c" + Samples.id(), 8), Optional.empty()));
            assertThatThrownBy(() ->
                            projects.create(Project.fresh("p" + Samples.id(), "A project", BudgetMode.TRACK, NOW)))
                    .isInstanceOf(StorageUnavailable.class);
            writes.forEach((what, write) -> assertThatThrownBy(write).as(what).isInstanceOf(StorageUnavailable.class));
            while (replacements.seen.isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(replacements.seen).containsExactly(RestartNeeded.replacedBy("the rival"));
        } finally {
            jdbc.update("update writer set generation = ?, process = ?", mine.get("generation"), mine.get("process"));
        }
        assertThat(intake.waiting()).doesNotContain(waiting);
        assertThat(accounts.create(alice)).isTrue();
    }

    @Test
    void berthDetectsADatabaseThatHasGoneBackInTime(@TempDir Path elsewhere) throws Exception {
        granted(reserve());
        granted(reserve());
        var noted = Files.readString(directory.resolve(AcknowledgedPositions.NAME));
        assertThat(noted).containsPattern(Pattern.quote(cluster.id().value()) + " +2 *\n");
        Files.writeString(elsewhere.resolve(AcknowledgedPositions.NAME), noted);
        var jdbc = new JdbcTemplate(dataSource);
        try (var data = new DataDirectory(elsewhere);
                var before = new AcknowledgedPositions(data);
                var connection = dataSource.getConnection()) {
            before.require(connection);

            jdbc.update(
                    "update head set sequence = 1 where cluster = ?",
                    cluster.id().value());
            assertThatThrownBy(() -> before.require(connection))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining(
                            "cluster %s ends with event 1, but event 2 was acknowledged".formatted(cluster.id()));
            jdbc.update(
                    "update head set sequence = 2 where cluster = ?",
                    cluster.id().value());
            before.require(connection);

            // nobody else sees it, or the service would find itself replaced
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("update writer set generation = generation - 1");
            }
            assertThatThrownBy(() -> before.require(connection))
                    .hasMessageContaining("starts of the service, but there were");
            connection.rollback();
            connection.setAutoCommit(true);

            Files.writeString(
                    elsewhere.resolve(AcknowledgedPositions.NAME),
                    noted.replaceFirst("database:....", "database:0000"));
            try (var ofAnother = new AcknowledgedPositions(data)) {
                assertThatThrownBy(() -> ofAnother.require(connection))
                        .hasMessageContaining("not the database that this data directory was used with");
            }
        }
    }

    @Test
    void questionsAboutAReservationHaveKeysDerivedFromItsId() {
        var id = Samples.reservationId();
        var body = JsonNodeFactory.instance.objectNode().put("hold", "PT1M");

        var first = questions.ask(id, cluster.id(), body, NOW, NOW + 90);
        var second = questions.ask(id, cluster.id(), body, NOW + 1, NOW + 91);

        assertThat(first.key()).isEqualTo(Question.key(id, 1));
        assertThat(second.key()).isEqualTo(Question.key(id, 2)).isNotEqualTo(first.key());
        assertThat(questions.open()).containsSubsequence(first, second);
        assertThat(mirrors.isInUse(cluster.id())).isTrue();
        questions.close(first);
        questions.close(second);
        assertThat(questions.open()).doesNotContain(first, second);
        assertThat(mirrors.isInUse(cluster.id())).isFalse();
    }

    @Test
    void aReservationHereIsNeverMirroredFromAnotherBerth() {
        var accepted = accepted();
        append(batch(1, 0, List.of(accepted)));
        var here = accepted.reservation();
        assertThat(records.find(here.id())).isPresent();
        var answer = JsonNodeFactory.instance.objectNode().put("id", "x").put("state", "HELD");
        answer.putObject("placement").put("start", "2027-01-01T12:00:00Z").put("end", "2027-01-01T13:00:00Z");
        var question = questions.ask(here.id(), cluster.id(), answer, NOW, NOW + 90);
        var mirror = new Mirror(
                here.id(),
                cluster.id(),
                here.origin(),
                "x",
                Mirror.Owed.CONFIRMATION,
                new Mirror.Report(answer, NOW, true),
                false,
                NOW);

        assertThatThrownBy(() -> mirrors.create(mirror, question, Optional.empty()))
                .hasMessageContaining("A reservation %s exists in this Berth already.".formatted(here.id()));

        assertThat(mirrors.find(here.id())).isEmpty();
        assertThat(questions.open()).contains(question);
        questions.close(question);
    }

    /** Otherwise the request could not be decided again, whereas its client must get the same answer. */
    @Test
    void forgettingAMirrorDeletesItsOwnKeyAndKeepsTheClients() {
        var request = IntakeRequest.pending(
                Samples.reservationId(),
                new Origin(ALICE, ServiceClass.STANDARD),
                5,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 600, 4),
                OptionalLong.empty(),
                NOW);
        var clients = new KeyUse(ALICE, "print " + request.id(), "print");
        var own = new KeyUse(ALICE, "request " + request.id(), "own");
        intake.create(new CollectedRequest(request, Preference.EARLIEST_START, Set.of()), Optional.of(clients));
        var answer = JsonNodeFactory.instance.objectNode().put("id", "x").put("state", "EXPIRED");
        answer.putObject("placement").put("start", "2027-01-01T12:00:00Z").put("end", "2027-01-01T13:00:00Z");
        var question = questions.ask(request.id(), cluster.id(), answer, NOW, NOW + 90);
        var mirror = new Mirror(
                request.id(),
                cluster.id(),
                request.origin(),
                "x",
                Mirror.Owed.CONFIRMATION,
                new Mirror.Report(answer, NOW, true),
                false,
                NOW);
        mirrors.create(mirror, question, Optional.of(own));
        assertThat(records.firstResult(ALICE, own.key())).isPresent();

        mirrors.remove(request.id(), own.key());

        assertThat(records.firstResult(ALICE, own.key())).isEmpty();
        assertThat(records.firstResult(ALICE, clients.key())).isPresent();
        intake.end(new CollectedRequest(request.withdrawn(NOW), Preference.EARLIEST_START, Set.of()), Optional.empty());
    }

    @Test
    void aClusterWhoseCreationLostItsAnswerIsOpenedAsItWasRecorded() {
        var unheard = Cluster.of("c" + Samples.id(), 8);
        assertThat(ledger.create(unheard, Optional.empty())).isTrue();
        var larger = Cluster.of(unheard.id().value(), 16);

        assertThat(desks.create(larger, Optional.empty()))
                .matches(created -> created instanceof NotDone(Answer.Declined(Refusal.Exists _)));

        assertThat(desks.schedule(unheard.id()).orElseThrow().cluster()).isEqualTo(unheard);
    }

    @Test
    void aReplacedServiceDoesNotTakeClustersFromItsSuccessor() {
        var theirs = Cluster.of("c" + Samples.id(), 8);
        var successor = new PostgresLedger(
                database, dataSource, progress, projector, new Generation(_ -> {}), acknowledged, 1, clock);
        assertThat(successor.create(theirs, Optional.empty())).isTrue();

        assertThat(desks.create(theirs, Optional.empty()))
                .matches(created -> created instanceof NotDone(Answer.NotDecided _));
        desks.close("The test has replaced this one.");
        assertThat(desks.create(Cluster.of("another", 8), Optional.empty()))
                .isEqualTo(new NotDone<>(new Answer.NotDecided("The test has replaced this one.")));

        assertThat(successor.resolve(theirs.id())).isInstanceOf(Standing.Writer.class);
        assertThat(ledger.clusters()).noneMatch(other -> other.id().equals("another"));
    }

    private void endLockHolder() {
        new JdbcTemplate(dataSource)
                .queryForList("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
    }

    /** Whether a commit in progress was recorded is known only when the database is back. */
    @Test
    void berthWaitsForAnUnavailableDatabase() {
        desks.close();
        desks = desks(Duration.ofSeconds(2));
        desks.recover(cluster);
        granted(reserve());
        link.cut();
        try {
            assertThat(desks.decide(cluster.id(), reserve())).isInstanceOfAny(OutcomeUnknown.class, NotDecided.class);
            assertThat(desks.decide(cluster.id(), reserve())).isInstanceOf(NotDecided.class);
            assertThatThrownBy(() -> records.find(Samples.reservationId())).isInstanceOf(StorageUnavailable.class);
            assertThat(desks.schedule(cluster.id()).orElseThrow().reservations())
                    .hasSize(1);
        } finally {
            link.mend();
        }
        awaitDatabase();
        granted(reserve());
        assertLiveIsRecorded(2);
    }

    private void awaitDatabase() {
        while (true) {
            try {
                records.find(Samples.reservationId());
                return;
            } catch (StorageUnavailable e) {
                // it is repeated
            }
        }
    }

    private void assertLiveIsRecorded(int events) {
        var recovered = ledger.takeOver(cluster.id());
        assertThat(recovered.sequence()).isEqualTo(events);
        assertThat(recovered.live())
                .containsExactlyInAnyOrderElementsOf(
                        desks.schedule(cluster.id()).orElseThrow().reservations());
    }

    private void granted(Command command) {
        assertThat(desks.decide(cluster.id(), command)).isInstanceOf(Done.class);
    }

    private Batch batch(long epoch, long sequence, List<Event> events) {
        return new Batch(cluster.id(), epoch, sequence, events, List.of());
    }

    private void append(Batch batch) {
        assertThat(ledger.append(batch)).isEqualTo(new Outcome.Committed());
    }

    private static Event event(RecordedEvent recorded) {
        return ((RecordedEvent.Whole) recorded).event();
    }

    private List<RecordedEvent> recorded(long after) {
        var positions = new HashMap<ClusterId, Long>();
        ledger.clusters().forEach(other -> positions.put(other.id(), Long.MAX_VALUE));
        positions.put(cluster.id(), after);
        return records.events(positions, Whose.ALL, 10_000);
    }

    private static Reserve reserve() {
        return reserve(
                RequestedTerms.of(OptionalLong.of(NOW + 3600), OptionalLong.empty(), 600, 4), OptionalLong.empty());
    }

    private static Reserve reserve(RequestedTerms terms, OptionalLong hold) {
        return new Reserve(
                Samples.reservationId(), new Origin(ALICE, ServiceClass.STANDARD), terms, OptionalLong.empty(), hold);
    }

    private ReservationEvent accepted() {
        return ReservationEvent.accepted(reservation(Status.confirmed(NOW)));
    }

    private Reservation reservation(Status status) {
        return Samples.reservation(cluster.id(), status);
    }
}
