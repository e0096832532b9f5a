package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static berth.engine.DeskSituation.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.cluster.OutageId;
import berth.engine.Answer.Done;
import berth.engine.Answer.NotDecided;
import berth.engine.Answer.OutcomeUnknown;
import berth.engine.Answer.Refused;
import berth.engine.MemoryLedger.Fault;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.runtime.Threads;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Leads;
import berth.scheduling.Rejection;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.WaitForRoom;
import berth.sla.RequestedTerms;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeskTest extends DeskSituation {

    DeskTest() {
        super(TINY);
    }

    @Test
    void aGrantedReservationIsRecordedBeforeItIsAnsweredAndSeen() {
        var done = granted(desks.decide(TINY.id(), reserve(4, 3600)));
        var reservation = done.reservation().orElseThrow();

        assertThat(history()).containsExactlyElementsOf(done.events());
        assertThat(schedule().find(reservation.id())).contains(reservation);
    }

    @Test
    void aFailedCommitLeavesNoTraceAndTheDeskGoesOn() {
        ledger.faults.add(Fault.FAILS);
        var before = schedule();

        assertThat(desks.decide(TINY.id(), reserve(4, 3600))).isInstanceOf(NotDecided.class);
        assertThat(schedule()).isEqualTo(before);
        assertThat(history()).isEmpty();

        granted(desks.decide(TINY.id(), reserve(4, 3600)));
        assertThat(history()).hasSize(1);
    }

    @Test
    void aDeskThatCouldNotRecordBecomesHealthyWithoutTraffic() throws InterruptedException {
        ledger.resolveFailures = Integer.MAX_VALUE;
        ledger.faults.add(Fault.FAILS);

        assertThat(desks.decide(TINY.id(), reserve(4, 3600))).isInstanceOf(NotDecided.class);
        assertThat(desks.isHealthy()).isFalse();
        assertThat(desks.troubles()).containsOnlyKeys(TINY.id());

        ledger.resolveFailures = 0;
        while (!desks.isHealthy()) {
            Thread.sleep(20);
        }
        assertThat(desks.troubles()).isEmpty();
        assertThat(history()).isEmpty();
    }

    @Test
    void aDeskWhoseTimeStandsStillIsUnhealthy() {
        clock.advance(Duration.ofSeconds(-60));
        assertThat(desks.isHealthy()).isTrue();

        clock.advance(Duration.ofSeconds(-1));
        assertThat(desks.isHealthy()).isFalse();
        assertThat(desks.troubles())
                .hasEntrySatisfying(TINY.id(), why -> assertThat(why).contains("61 s behind", "time stands still"));
        assertThat(registry.get("berth.desk.clock.lag").gauge().value()).isEqualTo(61);
        assertThat(registry.get("berth.desk.healthy").gauge().value()).isZero();

        clock.set(NOON);
        assertThat(desks.isHealthy()).isTrue();
        assertThat(registry.get("berth.desk.clock.lag").gauge().value()).isZero();
    }

    @Test
    void aCommitWhoseAnswerWasLostIsAnsweredFromTheJournal() {
        ledger.faults.add(Fault.ANSWER_LOST);

        var done = granted(desks.decide(TINY.id(), reserve(4, 3600)));

        var reservation = done.reservation().orElseThrow();
        assertThat(history()).containsExactlyElementsOf(done.events());
        assertThat(schedule().find(reservation.id())).isPresent();
        granted(desks.decide(TINY.id(), cancel(reservation)));
    }

    @Test
    void aFailedCommitWhoseAnswerWasLostIsAnsweredAsFailed() {
        ledger.faults.add(Fault.FAILS_AND_ANSWER_LOST);

        assertThat(desks.decide(TINY.id(), reserve(4, 3600))).isInstanceOf(NotDecided.class);
        assertThat(history()).isEmpty();
        granted(desks.decide(TINY.id(), reserve(4, 3600)));
    }

    @Test
    void theDeskWaitsUntilItKnowsTheOutcomeOfACommit() {
        ledger.faults.add(Fault.ANSWER_LOST);
        ledger.resolveFailures = 2;

        granted(desks.decide(TINY.id(), reserve(4, 3600)));

        assertThat(ledger.resolveFailures).isZero();
        assertThat(history()).hasSize(1);
    }

    @Test
    void aRejectionCausedByAFailedCommitIsNotReturned() throws Exception {
        var answers =
                inOneBatch(List.of(Asked.of(reserveAtOne(4, 3600)), Asked.of(reserveAtOne(4, 3600))), Fault.FAILS);

        assertThat(answers).hasSize(2).allMatch(answer -> answer instanceof NotDecided);
        assertThat(history()).hasSize(1);
        assertThat(schedule().reservations()).hasSize(1);
    }

    @Test
    void commandsThatWaitTogetherAreRecordedTogetherInTheirOrder() throws Exception {
        var commands = IntStream.range(0, 50).mapToObj(i -> reserve(1, 60)).toList();

        var answers = inOneBatch(commands.stream().map(Asked::of).toList());

        assertThat(answers).allMatch(answer -> answer instanceof Done);
        assertThat(ledger.recorded).hasSize(2);
        assertThat(history().stream().skip(1).map(event -> reservation(event).id()))
                .containsExactlyElementsOf(commands.stream().map(Reserve::id).toList());
    }

    @Test
    void eachCommandOfABatchSeesTheEarlierCommands() throws Exception {
        var answers = inOneBatch(List.of(Asked.of(reserveAtOne(4, 3600)), Asked.of(reserveAtOne(1, 3600))));

        assertThat(answers.getFirst()).isInstanceOf(Done.class);
        assertThat(answers.getLast()).isEqualTo(new Refused(new Rejection.NoSlot()));
    }

    @Test
    void aWriterWhoseEpochWasTakenRecordsNothingAndSaysWhy() {
        ledger.takeOverByAnother();

        assertThat(desks.decide(TINY.id(), reserve(1, 60)))
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("Another process"));
        assertThat(desks.decide(TINY.id(), reserve(1, 60))).isInstanceOf(NotDecided.class);
        assertThat(history()).isEmpty();
    }

    @Test
    void aWriterReplacedDuringAnUncertainCommitStops() {
        ledger.faults.add(Fault.FAILS_AND_ANSWER_LOST);
        ledger.resolveFailures = 1;
        var answer = CompletableFuture.supplyAsync(() -> desks.decide(TINY.id(), reserve(1, 60)));
        while (ledger.resolveFailures > 0) {
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
        restart(Duration.ofMillis(500));
        ledger.open.acquire();
        var busy = CompletableFuture.supplyAsync(() -> desks.decide(TINY.id(), reserve(1, 60)));
        awaitCommit();

        var givenUp = desks.decide(TINY.id(), reserve(1, 60));
        ledger.open.release();
        desks.catchUp();

        assertThat(givenUp)
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("waited too long"));
        assertThat(history()).hasSize(1);
        busy.join();
    }

    @Test
    void aDeskRecordsWhatIsDueBeforeItDecidesCommands() {
        var first = reserved(desks.decide(TINY.id(), reserveNow(4, 3600)));
        clock.advance(Duration.ofHours(1));

        var second = reserved(desks.decide(TINY.id(), reserveNow(4, 3600)));

        assertThat(history().stream().map(Event::type))
                .startsWith(Event.Type.CONFIRMED, Event.Type.STARTED, Event.Type.COMPLETED, Event.Type.CONFIRMED);
        assertThat(second.slot().start()).isEqualTo(first.slot().end());
    }

    @Test
    void theClockAloneStartsAndEndsReservations() {
        var id = reserved(desks.decide(TINY.id(), reserveNow(4, 60))).id();
        clock.advance(Duration.ofSeconds(60));
        desks.catchUp();

        assertThat(ledger.find(id).orElseThrow().state()).isEqualTo(ReservationState.COMPLETED);
        assertThat(schedule().reservations()).isEmpty();
    }

    @Test
    void aDeskWithoutCommandsNoticesAClockThatWasSetForward() {
        var id = reserved(desks.decide(TINY.id(), reserveNow(4, 3600))).id();
        clock.advance(Duration.ofHours(1));

        await().until(() -> ledger.find(id).orElseThrow().state() == ReservationState.COMPLETED);
    }

    @Test
    void theDeskCatchesUpWithALongDowntimeInTheOrderOfTime() {
        for (int i = 0; i < 1200; i++) {
            granted(desks.decide(TINY.id(), reserve(4, 1)));
        }
        desks.close();
        clock.advance(Duration.ofDays(1));
        restart(PATIENCE);
        desks.catchUp();

        var made = history().subList(1200, 3600);
        assertThat(made).isSortedAccordingTo((a, b) -> Long.compare(a.at(), b.at()));
        assertThat(made)
                .filteredOn(event -> event.type() == Event.Type.COMPLETED)
                .hasSize(1200);
        assertThat(schedule()).isEqualTo(ClusterSchedule.empty(TINY));
    }

    @Test
    void aDeskThatCaughtUpForLongDecidesByThePresentTime() throws Exception {
        var desk = deskWithMoreThanOneBatchDue();
        ledger.open.acquire();
        var pending = desk.submit(reserve(atOnce()), Optional.empty());
        desk.open();
        awaitCommit();
        clock.advance(Duration.ofHours(5));
        ledger.open.release();

        var reservation = reserved(pending.await(Threads.OF_THE_JVM, PATIENCE));
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

        assertThat(pending.await(Threads.OF_THE_JVM, PATIENCE))
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("Another process"));
        assertThat(desk.closed()).isPresent();
    }

    @Test
    void aDeskClosedWhileItCatchesUpAnswersItsPendingCommands() {
        var desk = deskWithMoreThanOneBatchDue();
        ledger.faults.addAll(Collections.nCopies(1000, Fault.FAILS));
        var pending = desk.submit(reserve(atOnce()), Optional.empty());
        desk.open();
        while (ledger.faults.size() == 1000) {
            Thread.onSpinWait();
        }
        desk.close("The test is over.");

        assertThat(pending.await(Threads.OF_THE_JVM, PATIENCE)).isEqualTo(new NotDecided("The test is over."));
    }

    @Test
    void theDeskSettlesACommitAfterAnErrorOfTheLedger() {
        ledger.crashes.add(new OutOfMemoryError("as the test wants it"));

        var use = key(ALICE, "f");
        assertThat(desks.decide(TINY.id(), reserve(1, 60), use)).isInstanceOf(NotDecided.class);
        granted(desks.decide(TINY.id(), reserve(1, 60), use));
        assertThat(history()).hasSize(1);
    }

    @Test
    void aDeskThatFailsAnswersAllCallersAndReopensFromTheJournal() throws InterruptedException {
        var before = reserved(desks.decide(TINY.id(), reserve(1, 60)));
        clock.fails = true;

        assertThat(desks.decide(TINY.id(), reserve(1, 60)))
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("has failed", "opens again"));
        assertThat(desks.isHealthy()).isFalse();
        assertThat(desks.lost()).isEmpty();

        clock.fails = false;
        while (!desks.isHealthy()) {
            Thread.sleep(20);
        }
        assertThat(desks.closed(TINY.id())).isEmpty();
        assertThat(schedule().find(before.id())).contains(before);
        granted(desks.decide(TINY.id(), reserve(1, 60)));
        assertThat(registry.get("berth.desk.failures").counter().count()).isPositive();
    }

    @Test
    void aDeskThatFailsDuringAnUncertainCommitSettlesItLater() {
        ledger.faults.add(Fault.ANSWER_LOST);
        ledger.resolveCrashes.add(new IllegalStateException("as the test wants it"));

        granted(desks.decide(TINY.id(), reserve(1, 60), key(ALICE, "f")));
        assertThat(history()).hasSize(1);
    }

    @Test
    void aFailedAutomaticStepDoesNotBlockReservations() {
        granted(desks.decide(TINY.id(), reserveNow(1, 3600)));
        granted(desks.decide(TINY.id(), reserveAtOne(4, 3600)));
        desks.limits().know(_ -> {
            throw new IllegalStateException("as the test wants it");
        });
        granted(desks.decide(TINY.id(), waitForRoomAtOne()));

        granted(desks.decide(TINY.id(), reserve(1, 60)));
        assertThat(desks.isHealthy()).isTrue();
        assertThat(registry.get("berth.desk.failures").counter().count()).isPositive();
    }

    @Test
    void aDeskThatCannotBeReopenedEndsTheProcess() {
        assertThat(lostAfterFailures(true)).get().asString().contains("has failed");
    }

    @Test
    void aDeskThatHasNeverWorkedDoesNotEndTheProcess() {
        assertThat(lostAfterFailures(false)).isEmpty();
    }

    @Test
    void timeNeverGoesBackAcrossARestart() {
        granted(desks.decide(TINY.id(), reserve(1, 60)));
        desks.close();
        clock.advance(Duration.ofHours(-1));
        restart(PATIENCE);
        granted(desks.decide(TINY.id(), reserve(1, 60)));

        assertThat(history()).extracting(Event::at).containsOnly(NOON.getEpochSecond());
    }

    @Test
    void aRunThatLacksPesGetsFreePesBeforeARequestThatWaits() {
        granted(desks.decide(TINY.id(), reserveNow(2, 3600)));
        granted(desks.decide(TINY.id(), reserveNow(2, 3600)));
        var loss = new RecordOutage(
                new OutageId(new UUID(3, 1)),
                1,
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty());
        clock.advance(Duration.ofSeconds(1));
        granted(desks.decide(TINY.id(), loss));
        var lacks = schedule().reservations().stream()
                .filter(Reservation::lacksPes)
                .findAny()
                .orElseThrow();
        var wanted = reserve(RequestedTerms.of(OptionalLong.of(NOW), OptionalLong.of(NOW + 3000), 600, 2));
        granted(desks.decide(
                TINY.id(),
                new WaitForRoom(wanted.id(), wanted.origin(), 5, wanted.terms(), OptionalLong.empty(), ONE)));
        var healthy = schedule().reservations().stream()
                .filter(run -> !run.id().equals(lacks.id()))
                .findAny()
                .orElseThrow();

        granted(desks.decide(TINY.id(), new Cancel(target(healthy))));

        assertThat(schedule().find(lacks.id()).orElseThrow().lacksPes()).isFalse();
        assertThat(schedule().find(wanted.id())).isEmpty();
    }

    private static WaitForRoom waitForRoomAtOne() {
        var wanted = reserveAtOne(1, 60);
        return new WaitForRoom(wanted.id(), wanted.origin(), 5, wanted.terms(), OptionalLong.empty(), ONE);
    }

    /** Returns whether a desk counts as lost, and why, that has failed as often as a desk may. */
    private Optional<String> lostAfterFailures(boolean hasWorked) {
        desks.close();
        var failures = new SimpleMeterRegistry();
        var desk = desk(new Hasty(), failures);
        if (hasWorked) {
            desk.open();
            // when the second one is answered, the turn of the first is over
            granted(desk.submit(reserve(1, 60), Optional.empty()).await(Threads.OF_THE_JVM, PATIENCE));
            granted(desk.submit(reserve(1, 60), Optional.empty()).await(Threads.OF_THE_JVM, PATIENCE));
        }
        clock.fails = true;
        if (!hasWorked) {
            desk.open();
        }
        while (failures.get("berth.desk.failures").counter().count() <= Desk.MAX_FAILURES) {
            Thread.onSpinWait();
        }
        var lost = desk.lost();
        desk.close("The test is over.");
        return lost;
    }

    @Test
    void noThreadOfClosedDesksGoesOn() {
        var threads = new ThreadsOfTheJvm();
        var closed = new Desks(ledger, ledger, NoBudgets.none(), threads, clock, PATIENCE, new SimpleMeterRegistry());
        closed.recover(TINY);
        granted(closed.decide(TINY.id(), reserve(4, 3600)));

        closed.close();

        assertThat(threads.living()).isEmpty();
    }

    /** Threads for which time passes only while they wait, and then at once. */
    private static final class Hasty extends ThreadsOfTheJvm {
        private final AtomicLong nanos = new AtomicLong();

        @Override
        public int processors() {
            return 1;
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public void sleep(Duration time) {
            nanos.addAndGet(time.toNanos());
        }

        @Override
        public <T> @Nullable T poll(BlockingQueue<T> queue, Duration within) {
            var first = queue.poll();
            if (first == null) {
                nanos.addAndGet(within.toNanos());
            }
            return first;
        }
    }

    /** Returns a desk that is not open yet. */
    private Desk deskWithMoreThanOneBatchDue() {
        for (int i = 0; i < 600; i++) {
            granted(desks.decide(TINY.id(), reserve(4, 1)));
        }
        desks.close();
        clock.advance(Duration.ofDays(1));
        return desk(Threads.OF_THE_JVM, new SimpleMeterRegistry());
    }

    private Desk desk(Threads threads, MeterRegistry meters) {
        return new Desk(
                ledger.takeOver(TINY.id()),
                ledger,
                threads,
                clock,
                () -> Leads.Requests.NOTHING,
                () -> {},
                _ -> {},
                PATIENCE,
                meters,
                _ -> Optional.of(BookingLimits.Entered.UNLIMITED),
                _ -> 0,
                NoBudgets.none());
    }

    @Test
    void recoveryRebuildsTheScheduleThatWasLive() {
        for (int i = 0; i < 20; i++) {
            desks.decide(TINY.id(), reserve(1 + i % 4, 100 + i));
        }
        var live = schedule();
        restart(PATIENCE);

        assertThat(schedule()).isEqualTo(live);
        assertThat(schedule().profile()).isEqualTo(live.profile());
    }

    @Test
    void aRepeatedKeyIsDecidedOnce() {
        var use = key(ALICE, "f");
        var first = reserved(desks.decide(TINY.id(), reserve(1, 60), use));

        var again = reserved(desks.decide(TINY.id(), reserve(1, 60), use));

        assertThat(again).isEqualTo(first);
        assertThat(history()).hasSize(1);
    }

    @Test
    void aRepeatedKeyReturnsItsFirstResultEvenAfterChanges() {
        var use = key(ALICE, "f");
        var first = reserved(desks.decide(TINY.id(), reserve(1, 60), use));
        granted(desks.decide(TINY.id(), cancel(first)));

        assertThat(reserved(desks.decide(TINY.id(), reserve(1, 60), use))).isEqualTo(first);
    }

    @Test
    void aKeyUsedForAnotherRequestIsRejected() {
        granted(desks.decide(TINY.id(), reserve(1, 60), key(ALICE, "f")));

        assertThat(desks.decide(TINY.id(), reserve(2, 60), key(ALICE, "g"))).isEqualTo(new Answer.KeyReused());
        granted(desks.decide(TINY.id(), reserve(2, 60), key(BOB, "g")));
    }

    @Test
    void aRefusalDoesNotUseUpTheKey() {
        var use = key(ALICE, "f");
        var busy = reserved(desks.decide(TINY.id(), reserveAtOne(4, 60)));
        assertThat(desks.decide(TINY.id(), reserveAtOne(4, 60), use)).isInstanceOf(Refused.class);
        granted(desks.decide(TINY.id(), cancel(busy)));

        granted(desks.decide(TINY.id(), reserveAtOne(4, 60), use));
    }

    @Test
    void onlyOneOfManyConcurrentRequestsWithOneKeyIsDecided() {
        var use = key(ALICE, "f");

        var answers = IntStream.range(0, 32)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> desks.decide(TINY.id(), reserve(1, 60), use)))
                .toList();
        var ids = answers.stream().map(answer -> reserved(answer.join()).id()).toList();

        assertThat(history()).hasSize(1);
        assertThat(ids).containsOnly(reservation(history().getFirst()).id());
    }

    @Test
    void aClosedDeskRefusesWaitingCommands() throws Exception {
        ledger.open.acquire();
        var underWay = CompletableFuture.supplyAsync(() -> desks.decide(TINY.id(), reserve(1, 60)));
        awaitCommit();
        var waiting = CompletableFuture.supplyAsync(() -> desks.decide(TINY.id(), reserve(1, 60)));
        var closing = CompletableFuture.runAsync(() -> desks.close());
        assertThat(waiting.get()).isInstanceOf(NotDecided.class);
        ledger.open.release();
        closing.get();

        assertThat(underWay.get()).isInstanceOf(Done.class);
        assertThat(history()).hasSize(1);
        assertThat(desks.decide(TINY.id(), reserve(1, 60))).isInstanceOf(NotDecided.class);
    }

    private static RequestedTerms atOnce() {
        return RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 60, 1);
    }
}
