package berth.desk;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.desk.Answer.Done;
import berth.desk.Answer.NotDecided;
import berth.desk.Answer.OutcomeUnknown;
import berth.desk.Answer.Refused;
import berth.desk.MemoryLedger.Fault;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Allowance;
import berth.scheduling.Cancel;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.scheduling.Target;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeskTest {

    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final long ONE = NOON.getEpochSecond() + 3600;
    private static final Cluster CLUSTER = Cluster.of("tiny", 4);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final SettableClock clock = new SettableClock(NOON);
    private final MemoryLedger ledger = new MemoryLedger(CLUSTER);
    private Desks desks = new Desks(ledger, ledger, clock, Duration.ofSeconds(5), registry);

    @BeforeEach
    void open() {
        desks.recover(CLUSTER);
    }

    @AfterEach
    void close() {
        desks.close();
    }

    @Test
    void aGrantedReservationIsRecordedBeforeItIsAnsweredAndSeen() {
        var done = granted(desks.decide("tiny", reserve(4, 3600)));
        var reservation = done.reservation().orElseThrow();

        assertThat(history()).containsExactlyElementsOf(done.events());
        assertThat(schedule().find(reservation.id())).contains(reservation);
    }

    @Test
    void aFailedCommitLeavesNoTraceAndTheDeskGoesOn() {
        ledger.faults.add(Fault.FAILS);
        var before = schedule();

        assertThat(desks.decide("tiny", reserve(4, 3600))).isInstanceOf(NotDecided.class);
        assertThat(schedule()).isEqualTo(before);
        assertThat(history()).isEmpty();
        assertThat(desks.isHealthy()).isFalse();

        granted(desks.decide("tiny", reserve(4, 3600)));
        assertThat(history()).hasSize(1);
        assertThat(desks.isHealthy()).isTrue();
    }

    @Test
    void aCommitWhoseAnswerWasLostIsAnsweredFromWhatIsRecorded() {
        ledger.faults.add(Fault.ANSWER_LOST);

        var done = granted(desks.decide("tiny", reserve(4, 3600)));

        var reservation = done.reservation().orElseThrow();
        assertThat(history()).containsExactlyElementsOf(done.events());
        assertThat(schedule().find(reservation.id())).isPresent();
        granted(desks.decide("tiny", cancel(reservation)));
    }

    @Test
    void aCommitThatFailedUnheardIsAnsweredAsFailed() {
        ledger.faults.add(Fault.FAILS_AND_ANSWER_LOST);

        assertThat(desks.decide("tiny", reserve(4, 3600))).isInstanceOf(NotDecided.class);
        assertThat(history()).isEmpty();
        granted(desks.decide("tiny", reserve(4, 3600)));
    }

    @Test
    void theDeskWaitsUntilItHasFoundOut() {
        ledger.faults.add(Fault.ANSWER_LOST);
        ledger.settleFailures = 2;

        granted(desks.decide("tiny", reserve(4, 3600)));

        assertThat(ledger.settleFailures).isZero();
        assertThat(history()).hasSize(1);
    }

    @Test
    void whoWasRefusedForTheSakeOfALostOneIsNotToldSo() throws Exception {
        var answers = inOneBatch(List.of(reserveAtOne(4, 3600), reserveAtOne(4, 3600)), Fault.FAILS);

        assertThat(answers).hasSize(2).allMatch(answer -> answer instanceof NotDecided);
        assertThat(history()).hasSize(1);
        assertThat(schedule().reservations()).hasSize(1);
    }

    @Test
    void commandsThatWaitTogetherAreRecordedTogetherInTheirOrder() throws Exception {
        var commands = IntStream.range(0, 50).mapToObj(i -> reserve(1, 60)).toList();

        var answers = inOneBatch(commands);

        assertThat(answers).allMatch(answer -> answer instanceof Done);
        assertThat(ledger.recorded).hasSize(2);
        assertThat(history().stream().skip(1).map(event -> reservation(event).id()))
                .containsExactlyElementsOf(commands.stream().map(Reserve::id).toList());
    }

    @Test
    void eachCommandOfABatchSeesTheOnesBeforeIt() throws Exception {
        var answers = inOneBatch(List.of(reserveAtOne(4, 3600), reserveAtOne(1, 3600)));

        assertThat(answers.getFirst()).isInstanceOf(Done.class);
        assertThat(answers.getLast()).isEqualTo(new Refused(new Rejection.NoSlot()));
    }

    @Test
    void aWriterWhoseEpochWasTakenRecordsNothingAndSaysWhy() {
        ledger.takeOverByAnother();

        assertThat(desks.decide("tiny", reserve(1, 60)))
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("Another process"));
        assertThat(desks.decide("tiny", reserve(1, 60))).isInstanceOf(NotDecided.class);
        assertThat(history()).isEmpty();
    }

    @Test
    void aWriterThatWasReplacedWhileInDoubtStopsToo() {
        ledger.faults.add(Fault.FAILS_AND_ANSWER_LOST);
        ledger.settleFailures = 1;
        var answer = CompletableFuture.supplyAsync(() -> desks.decide("tiny", reserve(1, 60)));
        while (ledger.settleFailures > 0) {
            Thread.onSpinWait();
        }
        ledger.takeOverByAnother();

        assertThat(answer.join())
                .isInstanceOfSatisfying(
                        OutcomeUnknown.class,
                        unknown -> assertThat(unknown.why()).contains("Another process"));
    }

    @Test
    void aCommandThatWasGivenUpIsNeverDecided() throws Exception {
        desks.close();
        desks = new Desks(ledger, ledger, clock, Duration.ofMillis(200), registry);
        desks.recover(CLUSTER);
        ledger.open.acquire();
        var busy = CompletableFuture.supplyAsync(() -> desks.decide("tiny", reserve(1, 60)));
        while (!ledger.open.hasQueuedThreads()) {
            Thread.onSpinWait();
        }

        var givenUp = desks.decide("tiny", reserve(1, 60));
        ledger.open.release();
        desks.catchUp();

        assertThat(givenUp)
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("waited too long"));
        assertThat(history()).hasSize(1);
        busy.join();
    }

    @Test
    void whatFallsDueIsRecordedBeforeTheCommandsOfThatMoment() {
        var first = reserved(desks.decide("tiny", reserveNow(4, 3600)));
        clock.advance(Duration.ofHours(1));

        var second = reserved(desks.decide("tiny", reserveNow(4, 3600)));

        assertThat(history().stream().map(Event::type))
                .startsWith(Event.Type.CONFIRMED, Event.Type.STARTED, Event.Type.COMPLETED, Event.Type.CONFIRMED);
        assertThat(second.slot().start()).isEqualTo(first.slot().end());
    }

    @Test
    void theClockAloneStartsAndEndsReservations() {
        var id = reserved(desks.decide("tiny", reserveNow(4, 60))).id();
        clock.advance(Duration.ofSeconds(60));
        desks.catchUp();

        assertThat(ledger.find(id).orElseThrow().state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(schedule().reservations()).isEmpty();
    }

    @Test
    void aLongDowntimeIsMadeUpForInTheOrderOfTime() {
        for (int i = 0; i < 1200; i++) {
            granted(desks.decide("tiny", reserve(4, 1)));
        }
        desks.close();
        clock.advance(Duration.ofDays(1));
        desks = new Desks(ledger, ledger, clock, Duration.ofSeconds(5), registry);
        desks.recover(CLUSTER);
        desks.catchUp();

        var made = history().subList(1200, 3600);
        assertThat(made).isSortedAccordingTo((a, b) -> Long.compare(a.at(), b.at()));
        assertThat(made)
                .filteredOn(event -> event.type() == Event.Type.COMPLETED)
                .hasSize(1200);
        assertThat(schedule()).isEqualTo(ClusterSchedule.empty(CLUSTER));
    }

    @Test
    void whatIsDecidedAfterALongCatchingUpIsDecidedAtTheTimeItIs() throws Exception {
        var desk = deskWithMoreThanOneBatchDue();
        ledger.open.acquire();
        var pending = desk.submit(reserve(atOnce()), Optional.empty());
        desk.open();
        while (!ledger.open.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        clock.advance(Duration.ofHours(5));
        ledger.open.release();

        var reservation = reserved(pending.await(Duration.ofSeconds(5)));
        assertThat(reservation.slot().start()).isEqualTo(clock.instant().getEpochSecond());
        assertThat(reservation.status().createdAt()).isEqualTo(clock.instant().getEpochSecond());
        desk.close("The test is over.");
    }

    @Test
    void aDeskThatIsReplacedWhileItCatchesUpStopsAndSaysWhy() {
        var desk = deskWithMoreThanOneBatchDue();
        ledger.takeOverByAnother();
        var pending = desk.submit(reserve(atOnce()), Optional.empty());
        desk.open();

        assertThat(pending.await(Duration.ofSeconds(5)))
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("Another process"));
        assertThat(desk.closed()).isPresent();
    }

    @Test
    void aDeskThatIsClosedWhileItCatchesUpAnswersWhatItHasInHand() {
        var desk = deskWithMoreThanOneBatchDue();
        ledger.faults.addAll(Collections.nCopies(1000, Fault.FAILS));
        var pending = desk.submit(reserve(atOnce()), Optional.empty());
        desk.open();
        while (ledger.faults.size() == 1000) {
            Thread.onSpinWait();
        }
        desk.close("The test is over.");

        assertThat(pending.await(Duration.ofSeconds(5))).isEqualTo(new NotDecided("The test is over."));
    }

    @Test
    void aDeskThatFailsClosesAndLeavesNobodyWaiting() {
        ledger.crash = new OutOfMemoryError("as the test wants it");

        assertThat(desks.decide("tiny", reserve(1, 60), key("alice", "f")))
                .isInstanceOfSatisfying(
                        OutcomeUnknown.class, answer -> assertThat(answer.why()).contains("has failed"));
        assertThat(desks.closed("tiny")).isPresent();
        assertThat(desks.decide("tiny", reserve(1, 60), key("alice", "f"))).isInstanceOf(NotDecided.class);
    }

    @Test
    void timeNeverGoesBackNotEvenOverARestart() {
        granted(desks.decide("tiny", reserve(1, 60)));
        desks.close();
        clock.advance(Duration.ofHours(-1));
        desks = new Desks(ledger, ledger, clock, Duration.ofSeconds(5), registry);
        desks.recover(CLUSTER);
        granted(desks.decide("tiny", reserve(1, 60)));

        assertThat(history()).extracting(Event::at).containsOnly(NOON.getEpochSecond());
    }

    /** Not open yet. */
    private Desk deskWithMoreThanOneBatchDue() {
        for (int i = 0; i < 600; i++) {
            granted(desks.decide("tiny", reserve(4, 1)));
        }
        desks.close();
        clock.advance(Duration.ofDays(1));
        return new Desk(ledger.takeOver("tiny"), ledger, clock, Duration.ofSeconds(5), registry);
    }

    @Test
    void recoveryRebuildsTheScheduleThatWasLive() {
        for (int i = 0; i < 20; i++) {
            desks.decide("tiny", reserve(1 + i % 4, 100 + i));
        }
        var live = schedule();
        desks.close();
        desks = new Desks(ledger, ledger, clock, Duration.ofSeconds(5), registry);
        desks.recover(CLUSTER);

        assertThat(schedule()).isEqualTo(live);
        assertThat(schedule().profile()).isEqualTo(live.profile());
    }

    @Test
    void theSameKeyIsTheSameRequestHoweverOftenItComes() {
        var use = key("alice", "f");
        var first = reserved(desks.decide("tiny", reserve(1, 60), use));

        var again = reserved(desks.decide("tiny", reserve(1, 60), use));

        assertThat(again).isEqualTo(first);
        assertThat(history()).hasSize(1);
    }

    @Test
    void aKeyAnswersItsFirstResultEvenWhenThatHasChangedSince() {
        var use = key("alice", "f");
        var first = reserved(desks.decide("tiny", reserve(1, 60), use));
        granted(desks.decide("tiny", cancel(first)));

        assertThat(reserved(desks.decide("tiny", reserve(1, 60), use))).isEqualTo(first);
    }

    @Test
    void aKeyIsNotForAnotherRequest() {
        granted(desks.decide("tiny", reserve(1, 60), key("alice", "f")));

        assertThat(desks.decide("tiny", reserve(2, 60), key("alice", "g"))).isEqualTo(new Answer.KeyReused());
        granted(desks.decide("tiny", reserve(2, 60), key("bob", "g")));
    }

    @Test
    void aRefusalDoesNotUseUpTheKey() {
        var use = key("alice", "f");
        var busy = reserved(desks.decide("tiny", reserveAtOne(4, 60)));
        assertThat(desks.decide("tiny", reserveAtOne(4, 60), use)).isInstanceOf(Refused.class);
        granted(desks.decide("tiny", cancel(busy)));

        granted(desks.decide("tiny", reserveAtOne(4, 60), use));
    }

    @Test
    void ofManyWithOneKeyAtOnceOneIsDecided() {
        var use = key("alice", "f");

        var answers = IntStream.range(0, 32)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> desks.decide("tiny", reserve(1, 60), use)))
                .toList();
        var ids = answers.stream().map(answer -> reserved(answer.join()).id()).toList();

        assertThat(history()).hasSize(1);
        assertThat(ids).containsOnly(reservation(history().getFirst()).id());
    }

    @Test
    void aClosedDeskRefusesWhatStillWaits() throws Exception {
        ledger.open.acquire();
        var underWay = CompletableFuture.supplyAsync(() -> desks.decide("tiny", reserve(1, 60)));
        while (!ledger.open.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        var waiting = CompletableFuture.supplyAsync(() -> desks.decide("tiny", reserve(1, 60)));
        var closing = CompletableFuture.runAsync(() -> desks.close());
        assertThat(waiting.get()).isInstanceOf(NotDecided.class);
        ledger.open.release();
        closing.get();

        assertThat(underWay.get()).isInstanceOf(Done.class);
        assertThat(history()).hasSize(1);
        assertThat(desks.decide("tiny", reserve(1, 60))).isInstanceOf(NotDecided.class);
    }

    /** Lets the commands come while another one is being recorded, so that they are decided together. */
    private List<Answer> inOneBatch(List<Reserve> commands, Fault... faults) throws InterruptedException {
        ledger.open.acquire();
        ledger.faults.add(Fault.NONE);
        ledger.faults.addAll(List.of(faults));
        var desk = desks.desk("tiny");
        desk.submit(farAhead(), Optional.empty());
        while (!ledger.open.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        var pending = commands.stream()
                .map(command -> desk.submit(command, Optional.empty()))
                .toList();
        ledger.open.release();
        return pending.stream().map(one -> one.await(Duration.ofSeconds(5))).toList();
    }

    private ClusterSchedule schedule() {
        return desks.schedule("tiny").orElseThrow();
    }

    private List<Event> history() {
        return ledger.history("tiny");
    }

    private static Done granted(Answer answer) {
        assertThat(answer).isInstanceOf(Done.class);
        return (Done) answer;
    }

    private static Reservation reserved(Answer answer) {
        return granted(answer).reservation().orElseThrow();
    }

    private static Reservation reservation(Event event) {
        return ((ReservationEvent) event).reservation();
    }

    private static Optional<KeyUse> key(String account, String fingerprint) {
        return Optional.of(new KeyUse(account, "k1", fingerprint));
    }

    private static Cancel cancel(Reservation reservation) {
        return new Cancel(new Target(reservation.id(), OptionalInt.empty()));
    }

    /** Anywhere from one o'clock on. */
    private static Reserve reserve(int pes, long duration) {
        return reserve(terms(pes, duration, ONE, OptionalLong.empty()));
    }

    /** At one o'clock or not at all. */
    private static Reserve reserveAtOne(int pes, long duration) {
        return reserve(terms(pes, duration, ONE, OptionalLong.of(ONE + duration)));
    }

    /** At once. */
    private Reserve reserveNow(int pes, long duration) {
        long now = clock.instant().getEpochSecond();
        return reserve(terms(pes, duration, now, OptionalLong.of(now + duration)));
    }

    private static RequestedTerms atOnce() {
        return RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 60, 1);
    }

    /** In nobody's way. */
    private static Reserve farAhead() {
        return reserve(terms(1, 1, ONE + Duration.ofDays(20).toSeconds(), OptionalLong.empty()));
    }

    private static RequestedTerms terms(int pes, long duration, long readyTime, OptionalLong deadline) {
        return RequestedTerms.of(OptionalLong.of(readyTime), deadline, duration, pes);
    }

    private static Reserve reserve(RequestedTerms terms) {
        return new Reserve(
                new ReservationId(UUID.randomUUID()),
                new Origin("alice", ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                terms,
                OptionalLong.empty(),
                OptionalLong.empty(),
                Allowance.UNLIMITED);
    }
}
