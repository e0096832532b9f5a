package berth.persistence;

import static berth.persistence.Samples.NOON;
import static berth.persistence.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.Jobs;
import berth.cluster.Admission;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Limits;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.desk.Answer.Done;
import berth.desk.Answer.NotDecided;
import berth.desk.Answer.OutcomeUnknown;
import berth.desk.Desks;
import berth.desk.KeyUse;
import berth.desk.Ledger;
import berth.desk.Ledger.Batch;
import berth.desk.Ledger.Outcome;
import berth.desk.Ledger.RecordedKey;
import berth.desk.Ledger.Standing;
import berth.desk.Records.FirstResult;
import berth.desk.Records.FirstResult.Stands;
import berth.desk.Records.RecordedEvent;
import berth.desk.SettableClock;
import berth.desk.StorageUnavailable;
import berth.desk.WriterReplaced;
import berth.persistence.FaultyLink.Commit;
import berth.persistence.FaultyLink.Fault;
import berth.pricing.Tariff;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.AcceptProposal;
import berth.scheduling.Admit;
import berth.scheduling.Allowance;
import berth.scheduling.Cancel;
import berth.scheduling.CancelJob;
import berth.scheduling.ChangeCluster;
import berth.scheduling.Claim;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Collect;
import berth.scheduling.Command;
import berth.scheduling.Complete;
import berth.scheduling.CompleteJob;
import berth.scheduling.Confirm;
import berth.scheduling.DeclineProposal;
import berth.scheduling.Degrade;
import berth.scheduling.EndOutage;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Fix;
import berth.scheduling.Propose;
import berth.scheduling.RecordOutage;
import berth.scheduling.Rejection;
import berth.scheduling.Renegotiate;
import berth.scheduling.ReplaceJobs;
import berth.scheduling.ReplaceJobs.OutsideJob;
import berth.scheduling.Reserve;
import berth.scheduling.SubmitJob;
import berth.scheduling.Target;
import berth.scheduling.TurnDown;
import berth.scheduling.Withdraw;
import berth.security.Account;
import berth.security.AccountStore;
import berth.security.AccountStore.StoredAccount;
import berth.security.Accounts;
import berth.security.Role;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;

/**
 * What is on disk, and what becomes of promises when the way to it breaks. Runs on whatever PostgreSQL a subclass
 * brings, over a link that fails on demand.
 */
@SpringBootTest(classes = PersistenceSuite.Wiring.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
abstract class PersistenceSuite {

    private static final AccountName ALICE = new AccountName("alice");
    private static final AccountName BOB = new AccountName("bob");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PersistenceConfiguration.class)
    static class Wiring {
        @Bean
        SettableClock clock() {
            return new SettableClock(NOON);
        }

        @Bean
        Replacements replacements() {
            return new Replacements();
        }
    }

    /** Who is said to have taken over the database. */
    static class Replacements {
        final List<WriterReplaced> seen = new CopyOnWriteArrayList<>();

        @EventListener
        void on(WriterReplaced event) {
            seen.add(event);
        }
    }

    @SuppressWarnings("NullAway.Init")
    private static FaultyLink link;

    /** Points the service at the database, through the link. */
    static void useDatabase(
            DynamicPropertyRegistry registry, String host, int port, JdbcConnectionDetails details, Path directory)
            throws Exception {
        link = new FaultyLink(host, port);
        var url = "jdbc:postgresql://localhost:%d/%s?prepareThreshold=0"
                .formatted(link.port(), details.getJdbcUrl().replaceAll(".*/([^?]+).*", "$1"));
        registry.add("spring.datasource.url", () -> url);
        registry.add("spring.datasource.username", details::getUsername);
        registry.add("spring.datasource.password", details::getPassword);
        registry.add("spring.datasource.hikari.data-source-properties.socketTimeout", () -> 1);
        registry.add("spring.datasource.hikari.connection-timeout", () -> 1000);
        registry.add("berth.data-dir", directory::toString);
    }

    @Autowired
    Ledger ledger;

    @Autowired
    PostgresRecords records;

    @Autowired
    Database database;

    @Autowired
    Progress progress;

    @Autowired
    Projector projector;

    @Autowired
    WriterLock lock;

    @Autowired
    Replacements replacements;

    @Autowired
    AccountStore accounts;

    @Autowired
    SettableClock clock;

    @Autowired
    DataSource dataSource;

    private final Cluster cluster = Cluster.of("c" + Samples.id(), 8);

    private Desks desks;

    @BeforeEach
    void openDesk() {
        clock.set(NOON);
        desks = desks();
        assertThat(desks.create(cluster, Optional.empty())).isInstanceOf(Desks.Creation.Created.class);
    }

    @AfterEach
    void closeDesk() {
        desks.close();
    }

    private Desks desks() {
        return desks(Duration.ofSeconds(20));
    }

    private Desks desks(Duration patience) {
        return new Desks(ledger, records, clock, patience, new SimpleMeterRegistry());
    }

    @Test
    void aClusterIsReadAsItWasCreated() {
        assertThat(ledger.clusters()).contains(cluster);
        assertThat(ledger.create(cluster, Optional.empty())).isFalse();
    }

    @Test
    void whatHappensInOneBatchToOneReservationIsOneRowAndItsWholeHistory() {
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
        var another = new PostgresLedger(database, dataSource, progress, projector, clock);
        var theirs = another.takeOver(cluster.id());

        assertThat(theirs.epoch()).isEqualTo(mine.epoch() + 1);
        assertThat(ledger.append(batch(mine.epoch(), 0, List.of(accepted())))).isEqualTo(new Outcome.Fenced());
        assertThat(ledger.settle(cluster.id())).isEqualTo(new Standing.Fenced());
        assertThat(another.append(batch(theirs.epoch(), 0, List.of(accepted()))))
                .isEqualTo(new Outcome.Committed());
        assertThat(another.settle(cluster.id())).isEqualTo(new Standing.Writer(theirs.epoch() + 1, 1));
    }

    /** Between a commit and what follows it the process may die at any time, or the tables may not take what is recorded. */
    @Test
    void whatTheTablesForReadingDoNotTakeIsWrittenOnceTheyDo() throws Exception {
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
    void whoTakesOverReadsWhatWasRecordedLast() throws Exception {
        whileTheTablesRefuse(() -> append(batch(1, 0, List.of(accepted(), accepted()))));

        var successor = new PostgresLedger(database, dataSource, progress, projector, clock);

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

    @ParameterizedTest
    @EnumSource(Binding.class)
    void theScheduleIsRebuiltFromWhatIsRecorded(Binding binding) {
        var random = new Random(3);
        desks.decide(cluster.id(), new ChangeCluster(cluster, someCluster(random, binding)));
        for (int i = 0; i < 200 || !everythingHasHappened(i); i++) {
            var answer = desks.decide(cluster.id(), someCommand(random));
            assertThat(answer).isNotInstanceOf(NotDecided.class);
            if (i % 10 == 0) {
                clock.advance(Duration.ofMinutes(10));
            }
            if (i % 100 == 50) {
                beAwayForAnHour();
            }
        }
        desks.catchUp();
        var live = desks.schedule(cluster.id()).orElseThrow();
        desks.close();

        var again = desks();
        again.recover(cluster);
        var rebuilt = again.schedule(cluster.id()).orElseThrow();
        again.close();

        assertThat(rebuilt).isEqualTo(live);
        assertThat(rebuilt.profile()).isEqualTo(live.profile());
    }

    private void beAwayForAnHour() {
        desks.close();
        clock.advance(Duration.ofHours(1));
        desks = desks();
        desks.recover(cluster);
    }

    /** Whether the schedule holds something of all kinds and has seen events of all types; asked now and then. */
    private boolean everythingHasHappened(int step) {
        if (step % 50 != 0) {
            return false;
        }
        var missing = EnumSet.allOf(Event.Type.class);
        recorded(0).forEach(event -> missing.remove(event.type()));
        assertThat(step)
                .as("steps until everything has happened; so far without %s", missing)
                .isLessThan(5000);
        var schedule = desks.schedule(cluster.id()).orElseThrow();
        return missing.isEmpty()
                && !schedule.reservations().isEmpty()
                && !schedule.outages().isEmpty()
                && !schedule.requests().isEmpty();
    }

    @Test
    void aKeyIsKeptForADayAndThenForgotten() {
        var use = new KeyUse(ALICE, cluster.id().value(), "print");
        var event = accepted();
        append(new Batch(cluster.id(), 1, 0, List.of(event), List.of(new RecordedKey(use, 1))));
        assertThat(records.firstResult(ALICE, use.key()))
                .contains(new FirstResult("print", new Stands.Happened(event)));
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
        assertThat(records.forgetOldKeys()).isPositive();
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
        var limits = new AccountLimits(OptionalInt.of(0), OptionalInt.of(Integer.MAX_VALUE), OptionalLong.of(1000));
        var first = new StoredAccount(new Account(name, Role.VIEWER, 10, ServiceClass.PREMIUM, limits, 0), hash);
        var second = new StoredAccount(
                new Account(name, Role.CLIENT, 1, ServiceClass.STANDARD, AccountLimits.NONE, 1),
                Optional.of("hash 2 of " + name));
        var deleted = new StoredAccount(
                new Account(name, Role.CLIENT, 1, ServiceClass.STANDARD, AccountLimits.NONE, 2), Optional.empty());

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

    /** Whoever was told that a token is shut out must not be deceived, and memory must follow what was recorded. */
    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aChangeToAnAccountThatGoesWrongIsNeitherLostNorMadeUp(Fault fault) {
        var known = new Accounts(accounts);
        var admin = Account.fresh(
                new AccountName("admin of " + cluster.id()),
                Role.ADMIN,
                Account.STANDARD_PRIORITY,
                ServiceClass.STANDARD,
                AccountLimits.NONE);
        var name = new AccountName("user of " + cluster.id());
        assertThat(known.create(admin)).isPresent();
        var old = known.create(Account.fresh(
                        name, Role.CLIENT, Account.STANDARD_PRIORITY, ServiceClass.STANDARD, AccountLimits.NONE))
                .orElseThrow();
        var token = Accounts.newToken();
        link.failNext(Commit.COMMIT, fault);

        boolean told;
        try {
            told = known.replaceToken(name, admin, version -> true, token) instanceof Accounts.Outcome.Done;
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

    /** A change that changes nothing asks the store what it knows, if that is in doubt, and otherwise does nothing. */
    private static void waitUntilSettled(Accounts known, Account admin) {
        for (int i = 0; i < 10; i++) {
            try {
                known.change(admin.name(), admin, version -> true, account -> account);
                return;
            } catch (StorageUnavailable e) {
                // asked again
            }
        }
        throw new AssertionError("The store does not answer.");
    }

    /** The heart of the matter: whatever happens to a commit, the client hears the truth and the desk goes on. */
    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void noPromiseIsLostOrMadeTwiceWhenACommitGoesWrong(Fault fault) throws Exception {
        granted(reserve());
        link.failNext(Commit.OF_JOURNAL, fault);
        var inDoubt = reserve();

        var answer = desks.decide(cluster.id(), inDoubt);

        assertThat(link.hasStruck()).isTrue();
        // what comes late is shut out by the settling
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
    void theQuestionAfterALostAnswerMayBeLostItself(Fault fault) {
        link.failNext(Commit.OF_JOURNAL, Fault.ANSWER_LOST);
        link.failNext(Commit.COMMIT, fault);
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
    void aWriterThatLosesItsLockTakesItAgainOrGivesWay() throws Exception {
        endLockHolder();
        lock.keep();
        assertThat(replacements.seen).isEmpty();

        endLockHolder();
        try (var rival = dataSource.getConnection();
                var statement = rival.createStatement()) {
            statement.execute("select pg_advisory_lock(" + WriterLock.KEY + ")");
            lock.keep();
            assertThat(replacements.seen).hasSize(1);
            statement.execute("select pg_advisory_unlock(" + WriterLock.KEY + ")");
        }
        // it is not its own any more: whoever comes next may have it
        lock.keep();
        assertThat(replacements.seen).hasSize(1);
        assertThat(new JdbcTemplate(dataSource).queryForList("select pid from pg_locks where locktype = 'advisory'"))
                .isEmpty();
    }

    @Test
    void aClusterWhoseCreationWasNeverHeardOfIsOpenedAsItWasRecorded() {
        var unheard = Cluster.of("c" + Samples.id(), 8);
        assertThat(ledger.create(unheard, Optional.empty())).isTrue();
        var larger = Cluster.of(unheard.id().value(), 16);

        assertThat(desks.create(larger, Optional.empty())).isEqualTo(new Desks.Creation.Exists());

        assertThat(desks.schedule(unheard.id()).orElseThrow().cluster()).isEqualTo(unheard);
    }

    @Test
    void aReplacedServiceDoesNotTakeClustersFromItsSuccessor() {
        var theirs = Cluster.of("c" + Samples.id(), 8);
        var successor = new PostgresLedger(database, dataSource, progress, projector, clock);
        assertThat(successor.create(theirs, Optional.empty())).isTrue();

        assertThat(desks.create(theirs, Optional.empty())).isInstanceOf(Desks.Creation.NotDecided.class);
        desks.close("The test has replaced this one.");
        assertThat(desks.create(Cluster.of("another", 8), Optional.empty()))
                .isEqualTo(new Desks.Creation.NotDecided("The test has replaced this one."));

        assertThat(successor.settle(theirs.id())).isInstanceOf(Standing.Writer.class);
        assertThat(ledger.clusters()).noneMatch(other -> other.id().equals("another"));
    }

    private void endLockHolder() {
        new JdbcTemplate(dataSource)
                .queryForList("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
    }

    /** Whether what was on its way then was recorded can only be known when it is back. */
    @Test
    void aDatabaseThatIsAwayIsWaitedFor() {
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
                // asked again
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
        return records.events(positions, Optional.empty(), 10_000);
    }

    private static Reserve reserve() {
        return reserve(
                RequestedTerms.of(OptionalLong.of(NOW + 3600), OptionalLong.empty(), 600, 4), OptionalLong.empty());
    }

    private static Reserve reserve(RequestedTerms terms, OptionalLong hold) {
        return new Reserve(
                Samples.reservationId(),
                new Origin(ALICE, ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                terms,
                OptionalLong.empty(),
                hold,
                Allowance.UNLIMITED);
    }

    private static Optional<Leeway> someLeeway(Random random) {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new Leeway(
                        random.nextBoolean() ? Optional.empty() : Optional.of(BigDecimal.valueOf(random.nextInt(5))),
                        random.nextBoolean()));
    }

    private Command someCommand(Random random) {
        var schedule = desks.schedule(cluster.id()).orElseThrow();
        if (random.nextInt(3) == 0) {
            return someCommandOfJobs(random, schedule.jobs());
        }
        var live = List.copyOf(schedule.reservations());
        var waiting = List.copyOf(schedule.requests());
        if (random.nextInt(20) == 0) {
            return new Collect(
                    Samples.reservationId(),
                    reserve().origin(),
                    1 + random.nextInt(10),
                    someTerms(random),
                    OptionalLong.empty(),
                    someLeeway(random));
        }
        if (!waiting.isEmpty() && random.nextInt(20) == 0) {
            var id = waiting.get(random.nextInt(waiting.size())).id();
            return switch (random.nextInt(4)) {
                case 0 -> new Withdraw(id);
                case 1 -> new TurnDown(id, new Rejection.NoSlot());
                default -> new Admit(id, Allowance.UNLIMITED);
            };
        }
        if (live.isEmpty() && !schedule.outages().isEmpty() && random.nextBoolean()) {
            // else outages without an end could take all PEs for good: nobody is left and nobody can come
            return endOfAnOutage(schedule).orElseThrow();
        }
        if (live.isEmpty() || random.nextInt(3) == 0) {
            return reserve(someTerms(random), random.nextInt(4) == 0 ? OptionalLong.of(300) : OptionalLong.empty());
        }
        var target = new Target(live.get(random.nextInt(live.size())).id(), OptionalInt.empty());
        return switch (random.nextInt(14)) {
            case 0 -> new Cancel(target);
            case 1 -> new Confirm(target);
            case 2 -> new Fix(target, Fix.Wish.OWNERS);
            case 3, 4 -> new Claim(target);
            case 5 -> new Complete(target);
            case 6 -> new Renegotiate(target, someTerms(random), Allowance.UNLIMITED);
            case 7 ->
                new Propose(
                        target,
                        someTerms(random),
                        Samples.usd("0.01"),
                        new AccountName("root"),
                        clock.instant().getEpochSecond() + 3600);
            case 8 -> accept(schedule, withProposal(schedule, target));
            case 9 -> decline(schedule, withProposal(schedule, target));
            case 10 ->
                new ChangeCluster(
                        schedule.cluster(),
                        someCluster(random, schedule.cluster().binding()));
            case 11 -> someOutage(random);
            case 12 -> new Degrade(target);
            default -> endOfAnOutage(schedule).orElseGet(() -> new Cancel(target));
        };
    }

    private static Optional<Command> endOfAnOutage(ClusterSchedule schedule) {
        return schedule.outages().stream().findAny().map(outage -> new EndOutage(outage.id()));
    }

    private static Command accept(ClusterSchedule schedule, Target target) {
        return new AcceptProposal(target, proposal(schedule, target), Allowance.UNLIMITED);
    }

    private static Command decline(ClusterSchedule schedule, Target target) {
        return new DeclineProposal(target, proposal(schedule, target));
    }

    /** One with an open proposal, if there is any: a draw among all meets it too seldom. */
    private static Target withProposal(ClusterSchedule schedule, Target otherwise) {
        return schedule.reservations().stream()
                .filter(reservation -> reservation.proposal().isPresent())
                .findFirst()
                .map(reservation -> new Target(reservation.id(), OptionalInt.empty()))
                .orElse(otherwise);
    }

    /** A queue of Berth's own, or of an outside batch system where there is none, in turns. */
    private Command someCommandOfJobs(Random random, Jobs jobs) {
        if (jobs.isEmpty() ? random.nextBoolean() : jobs.source() == JobSource.OUTSIDE) {
            return new ReplaceJobs(someQueue(random));
        }
        var all = List.copyOf(jobs.all());
        if (all.isEmpty() || random.nextInt(3) == 0) {
            return new SubmitJob(
                    new JobId(Samples.id()),
                    BOB,
                    Optional.of("a job"),
                    1 + random.nextInt(7),
                    1 + random.nextInt(3600));
        }
        var job = all.get(random.nextInt(all.size())).id();
        return random.nextBoolean() ? new CompleteJob(job) : new CancelJob(job);
    }

    private List<OutsideJob> someQueue(Random random) {
        long now = clock.instant().getEpochSecond();
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> new OutsideJob(
                        "job " + i,
                        new AccountName("carol"),
                        1 + random.nextInt(7),
                        1 + random.nextInt(3600),
                        now - 600,
                        random.nextBoolean() ? OptionalLong.of(now - random.nextInt(600)) : OptionalLong.empty()))
                .toList();
    }

    /** Of one PE, or of so many that not everybody may have another place. */
    private RecordOutage someOutage(Random random) {
        boolean isNamed = random.nextBoolean();
        return new RecordOutage(
                new OutageId(Samples.id()),
                isNamed ? 1 : 1 + random.nextInt(4),
                isNamed ? Optional.of(PeSet.of(random.nextInt(7))) : Optional.empty(),
                OptionalLong.empty(),
                random.nextBoolean() ? OptionalLong.of(clock.instant().getEpochSecond() + 1200) : OptionalLong.empty(),
                Optional.empty());
    }

    private static int proposal(ClusterSchedule schedule, Target target) {
        return schedule.find(target.reservation())
                .flatMap(Reservation::proposal)
                .map(Proposal::number)
                .orElse(0);
    }

    /** Of a run of one shape or several, that may be split or not. */
    private static RequestedTerms someTerms(Random random) {
        int pes = 1 + random.nextInt(8);
        Optional<Moldability> moldability = random.nextBoolean()
                ? Optional.of(
                        new Moldability.Function(1, pes, Speedup.LINEAR, Optional.empty(), AllowedPes.POWERS_OF_TWO))
                : Optional.empty();
        return new RequestedTerms(
                OptionalLong.empty(),
                OptionalLong.empty(),
                1 + random.nextInt(7200),
                pes,
                moldability,
                random.nextBoolean()
                        ? Optional.of(new Preemption(OptionalInt.empty(), new BigDecimal("0.25"), random.nextBoolean()))
                        : Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE);
    }

    /** Its reservations must be claimed. */
    private Cluster someCluster(Random random, Binding binding) {
        var placement = PlacementPolicy.values()[random.nextInt(PlacementPolicy.values().length)];
        var policy = new Policy(
                placement,
                Replanning.of(
                        Juggling.values()[random.nextInt(Juggling.values().length)],
                        ReplanOrder.values()[random.nextInt(ReplanOrder.values().length)]),
                90 * 86_400,
                60,
                OptionalLong.of(900),
                BigDecimal.ONE,
                AvailabilityRules.STANDARD,
                Limits.NONE);
        return new Cluster(
                cluster.id(),
                7 + random.nextInt(4),
                BigDecimal.ONE,
                Map.of(),
                binding,
                Admission.OPEN,
                policy,
                cluster.intake(),
                Tariff.STANDARD,
                0);
    }

    private ReservationEvent accepted() {
        return ReservationEvent.accepted(reservation(Status.confirmed(NOW)));
    }

    private Reservation reservation(Status status) {
        return Samples.reservation(cluster.id(), status);
    }
}
