package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.engine.Answer.Done;
import berth.engine.MemoryLedger.Fault;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.runtime.Threads;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Target;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Desks over a ledger in memory, at noon. */
@Timeout(30)
abstract class DeskSituation {

    static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    static final long NOW = NOON.getEpochSecond();
    static final long ONE = NOW + 3600;
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** An account; the cluster has four PEs and the standard rules. */
    static final AccountName ALICE = new AccountName("alice");

    static final AccountName BOB = new AccountName("bob");
    static final Cluster TINY = Cluster.of("tiny", 4);

    final SettableClock clock = new SettableClock(NOON);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final MemoryLedger ledger;
    Desks desks;
    AdmissionControl admission;

    DeskSituation(Cluster... clusters) {
        ledger = new MemoryLedger(clusters);
        desks = new Desks(ledger, ledger, NoBudgets.none(), Threads.OF_THE_JVM, clock, PATIENCE, registry);
        admission = new AdmissionControl(desks);
    }

    @BeforeEach
    void open() {
        desks.recover(TINY);
    }

    @AfterEach
    void close() {
        desks.close();
    }

    /** Closes the desks and recovers what is recorded. */
    void restart(Duration patience) {
        desks.close();
        desks = new Desks(
                ledger, ledger, NoBudgets.none(), Threads.OF_THE_JVM, clock, patience, new SimpleMeterRegistry());
        admission = new AdmissionControl(desks);
        desks.recover(TINY);
    }

    ClusterSchedule schedule() {
        return desks.schedule(TINY.id()).orElseThrow();
    }

    List<Event> history() {
        return ledger.history(TINY.id());
    }

    /** A command and its key. */
    record Asked(Command command, Optional<KeyUse> key) {
        static Asked of(Command command) {
            return new Asked(command, Optional.empty());
        }
    }

    /**
     * Submits the commands while another one is being recorded, so that they are decided together.
     *
     * @param faults the faults of their batch's commit and of later ones
     */
    List<Answer> inOneBatch(List<Asked> commands, Fault... faults) throws InterruptedException {
        ledger.open.acquire();
        ledger.faults.add(Fault.NONE);
        ledger.faults.addAll(List.of(faults));
        var desk = desks.desk(TINY.id());
        desk.submit(farAhead(), Optional.empty());
        awaitCommit();
        var pending = commands.stream()
                .map(asked -> desk.submit(asked.command, asked.key))
                .toList();
        ledger.open.release();
        return pending.stream()
                .map(one -> one.await(Threads.OF_THE_JVM, PATIENCE))
                .toList();
    }

    /** Returns once a commit is in progress that the test holds back. */
    void awaitCommit() {
        while (!ledger.open.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
    }

    static Done granted(Answer answer) {
        assertThat(answer).isInstanceOf(Done.class);
        return (Done) answer;
    }

    static Reservation reserved(Answer answer) {
        return granted(answer).reservation().orElseThrow();
    }

    static Reservation reservation(Event event) {
        return ((ReservationEvent) event).reservation();
    }

    static Optional<KeyUse> key(AccountName account, String fingerprint) {
        return Optional.of(new KeyUse(account, "k1", fingerprint));
    }

    static Target target(Reservation reservation) {
        return new Target(reservation.id(), OptionalInt.empty());
    }

    static Cancel cancel(Reservation reservation) {
        return new Cancel(target(reservation));
    }

    /** Requests any place from one o'clock on. */
    static Reserve reserve(int pes, long duration) {
        return reserve(terms(pes, duration, ONE, OptionalLong.empty()));
    }

    /** Requests one o'clock exactly. */
    static Reserve reserveAtOne(int pes, long duration) {
        return reserve(terms(pes, duration, ONE, OptionalLong.of(ONE + duration)));
    }

    /** Requests a start at once. */
    Reserve reserveNow(int pes, long duration) {
        long now = clock.instant().getEpochSecond();
        return reserve(terms(pes, duration, now, OptionalLong.of(now + duration)));
    }

    /** Requests a place far from all other reservations. */
    private static Reserve farAhead() {
        return reserve(terms(1, 1, ONE + Duration.ofDays(20).toSeconds(), OptionalLong.empty()));
    }

    private static RequestedTerms terms(int pes, long duration, long readyTime, OptionalLong deadline) {
        return RequestedTerms.of(OptionalLong.of(readyTime), deadline, duration, pes);
    }

    static Reserve reserve(RequestedTerms terms) {
        return reserve(ALICE, terms);
    }

    static Reserve reserve(AccountName owner, RequestedTerms terms) {
        return new Reserve(
                new ReservationId(UUID.randomUUID()),
                new Origin(owner, ServiceClass.STANDARD),
                terms,
                OptionalLong.empty(),
                OptionalLong.empty());
    }
}
