package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.cluster.Nodes;
import berth.intake.IntakeRequest;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.runtime.Gate;
import berth.runtime.Threads;
import berth.scheduling.Event;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.Withdraw;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests collected for a minute, on four PEs. */
class RoundsTest extends DeskSituation {

    private static final long HOUR = 3600;
    private static final Intake MINUTE = new Intake(IntakeOrder.DPSAR, 60, 10, 3);
    private static final Cluster COLLECTING = collecting(TINY, MINUTE);

    private final Map<AccountName, AccountLimits> limits = new HashMap<>();
    private Rounds rounds = newRounds();
    private int number;

    RoundsTest() {
        super(COLLECTING);
    }

    private Rounds newRounds() {
        return newRounds(Threads.OF_THE_JVM);
    }

    private Rounds newRounds(Threads threads) {
        return new Rounds(desks, admission, threads, clock, name -> limits.getOrDefault(name, AccountLimits.NONE));
    }

    @AfterEach
    void end() {
        rounds.close();
    }

    @Test
    void requestsOfOneRoundAreDecidedByPriorityAndLengthWhenTheWindowEnds() {
        var low = collect("low", 1, HOUR, 4);
        var longer = collect("high", 9, 2 * HOUR, 4);
        var shorter = collect("high", 9, HOUR, 4);
        pass(59);
        assertThat(schedule().requests()).hasSize(3);

        pass(1);

        awaitDecisions();
        assertThat(start(shorter)).isEqualTo(NOW + 60);
        assertThat(start(longer)).isEqualTo(NOW + 60 + HOUR);
        assertThat(start(low)).isEqualTo(NOW + 60 + 3 * HOUR);
    }

    @Test
    void aCollectedRequestWakesIdleRounds() {
        rounds.close();
        var threads = new OnlyWoken();
        rounds = newRounds(threads);
        await().until(threads::isWaiting);

        var request = collect("low", 1, HOUR, 4);
        pass(60);

        await().until(() -> schedule().requests().isEmpty());
        assertThat(start(request)).isEqualTo(NOW + 60);
    }

    @Test
    void requestsHeldBackByTheCapFollowLowerPrioritiesAtOnce() {
        var high =
                IntStream.range(0, 5).mapToObj(i -> collect("high", 9, HOUR, 4)).toList();
        var low = collect("low", 1, HOUR, 4);

        pass(60);

        awaitDecisions();
        assertThat(start(low)).isEqualTo(NOW + 60 + 3 * HOUR);
        assertThat(start(high.get(4))).isEqualTo(NOW + 60 + 5 * HOUR);
    }

    @Test
    void aRequestWithoutRoomInItsTurnIsRejectedAndTheNextIsDecided() {
        var first = collect("a", 5, HOUR, 4, NOW + 2 * HOUR);
        var second = collect("a", 5, HOUR + 1, 4, NOW + 2 * HOUR);
        var third = collect("a", 5, 2 * HOUR, 4);

        pass(60);

        awaitDecisions();
        assertThat(start(first)).isEqualTo(NOW + 60);
        assertThat(request(second).reason()).contains(RefusalCode.NO_SLOT);
        assertThat(start(third)).isEqualTo(NOW + 60 + HOUR);
        desks.recordRefusals();
        assertThat(ledger.refused().values()).containsExactly(1L);
    }

    @Test
    void aRequestWithoutRoomInItsTurnGetsTheNearestAcceptedAlternative() {
        var first = collect("a", 5, HOUR, 4, NOW + 2 * HOUR);
        var second = collect("a", 5, HOUR + 1, 4, NOW + 2 * HOUR, Optional.of(Leeway.ANY));
        var third = collect("a", 5, HOUR + 2, 4, NOW + 2 * HOUR, within("0.01"));
        var fourth = collect("a", 5, 2 * HOUR, 4);

        pass(60);

        awaitDecisions();
        assertThat(start(first)).isEqualTo(NOW + 60);
        assertThat(start(second)).isEqualTo(NOW + 60 + HOUR);
        // 61 s of 3,601 beyond its deadline
        assertThat(ledger.find(second).orElseThrow().origin().phi()).contains(new BigDecimal("0.016940"));
        assertThat(request(third).reason()).contains(RefusalCode.NO_SLOT);
        assertThat(start(fourth)).isEqualTo(NOW + 60 + 2 * HOUR + 1);
    }

    private static Optional<Leeway> within(String phi) {
        return Optional.of(new Leeway(Optional.of(new BigDecimal(phi)), false));
    }

    /** Other requests are being recorded while the round is computed, so the desk finds them in the way. */
    @Test
    void ifOthersTakeAnAlternativeTheRequestGetsTheNextOne() throws InterruptedException {
        granted(desks.decide(TINY.id(), reserve(5 * HOUR, 6 * HOUR, 4)));
        var strict = RequestedTerms.of(OptionalLong.of(NOW + 5 * HOUR), OptionalLong.of(NOW + 6 * HOUR), HOUR, 2);
        var earlier = collect("a", 5, strict, Optional.of(Leeway.ANY));
        var later = collect("b", 5, strict, within("1"));
        ledger.open.acquire();
        var others = Thread.ofVirtual().start(() -> desks.decide(TINY.id(), reserve(6 * HOUR, 7 * HOUR, 4)));
        awaitCommit();

        clock.advance(Duration.ofSeconds(60));
        while (registry.get("berth.desk.queue").gauge().value() < 2) {
            Thread.onSpinWait();
        }
        ledger.open.release();

        others.join();
        awaitDecisions();
        assertThat(start(earlier)).isEqualTo(NOW + 4 * HOUR);
        assertThat(request(later).reason()).contains(RefusalCode.NO_SLOT);
    }

    private Reserve reserve(long from, long to, int pes) {
        return new Reserve(
                new ReservationId(new UUID(0x7000, ++number)),
                new Origin(new AccountName("others"), ServiceClass.STANDARD),
                RequestedTerms.of(OptionalLong.of(NOW + from), OptionalLong.of(NOW + to), to - from, pes),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    @Test
    void theLimitsOfAnAccountHoldInItsTurn() {
        limits.put(
                new AccountName("a"), new AccountLimits(OptionalInt.of(1), OptionalInt.empty(), OptionalLong.empty()));
        var first = collect("a", 5, HOUR, 1);
        var second = collect("a", 5, 2 * HOUR, 1);

        pass(60);

        awaitDecisions();
        assertThat(start(first)).isEqualTo(NOW + 60);
        assertThat(request(second).reason()).contains(RefusalCode.LIMIT_EXCEEDED);
    }

    @Test
    void aRequestMayBeWithdrawnBeforeItsRound() {
        var given = collect("a", 5, HOUR, 4);
        granted(desks.decide(TINY.id(), new Withdraw(given)));

        pass(60);
        var other = collect("a", 5, HOUR, 4);
        pass(60);

        awaitDecisions();
        assertThat(request(given).state()).isEqualTo(IntakeRequest.State.CANCELLED);
        assertThat(start(other)).isEqualTo(NOW + 120);
    }

    @Test
    void requestsThatWaitedAtAStopAreDecidedAfterTheStart() {
        var low = collect("low", 1, HOUR, 4);
        var high = collect("high", 9, HOUR, 4);
        rounds.close();
        restart(PATIENCE);
        assertThat(schedule().requests()).hasSize(2);
        rounds = newRounds();

        pass(60);

        awaitDecisions();
        assertThat(start(high)).isEqualTo(NOW + 60);
        assertThat(start(low)).isEqualTo(NOW + 60 + HOUR);
    }

    @Test
    void aClusterThatStopsCollectingDecidesWaitingRequestsInOrder() {
        var first = collect("low", 1, HOUR, 4);
        var second = collect("high", 9, HOUR, 4);

        granted(desks.decide(TINY.id(), new ChangeCluster(COLLECTING, collecting(COLLECTING, Intake.STANDARD))));

        awaitDecisions();
        assertThat(start(first)).isEqualTo(NOW);
        assertThat(start(second)).isEqualTo(NOW + HOUR);
    }

    @Test
    void aRoundThatCouldNotBeRecordedIsDecidedAgain() {
        var first = collect("a", 5, HOUR, 4);
        ledger.faults.add(MemoryLedger.Fault.FAILS);

        pass(60);

        awaitDecisions();
        assertThat(start(first)).isEqualTo(NOW + 60);
    }

    @Test
    void aLargeRoundIsDecidedInItsOrder() {
        var all = IntStream.range(0, 300)
                .mapToObj(i -> collect("a" + i % 9, 5, 60, 1))
                .toList();

        pass(60);

        awaitDecisions();
        assertThat(history().stream()
                        .filter(event -> event.type() == Event.Type.CONFIRMED)
                        .map(event -> reservation(event).id()))
                .containsExactlyElementsOf(all);
    }

    @Test
    void aFloodOfOtherRequestsDoesNotKeepCollectedRequestsFromTheirTurn() throws InterruptedException {
        collect("busy", 9, 60, 1);
        collect("other", 1, 60, 1);
        var flood = IntStream.range(0, 8 + Desks.MAX_WAITING)
                .mapToObj(_ -> Thread.ofVirtual().start(this::askOnAndOn))
                .toList();

        pass(60);

        awaitDecisions();
        for (var client : flood) {
            client.interrupt();
            client.join();
        }
        assertThat(schedule().reservations()).hasSize(2);
    }

    private void askOnAndOn() {
        try {
            while (true) {
                try {
                    desks.searches().compute(new AccountName("busy"), () -> 1);
                } catch (Gate.Overloaded e) {
                    Thread.sleep(1);
                }
            }
        } catch (InterruptedException | Gate.Unanswered e) {
            // the test is over
        }
    }

    @Test
    void aClientMayWaitForTheDecision() {
        var asked = collect("a", 5, HOUR, 4);
        rounds.await(TINY.id(), asked, Duration.ofMillis(1));
        assertThat(request(asked).state()).isEqualTo(IntakeRequest.State.PENDING);

        pass(60);
        rounds.await(TINY.id(), asked, PATIENCE);

        assertThat(request(asked).state()).isEqualTo(IntakeRequest.State.GRANTED);
    }

    private void pass(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
        desks.catchUp();
    }

    private void awaitDecisions() {
        while (!schedule().requests().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private ReservationId collect(String owner, int priority, long duration, int pes) {
        return collect(owner, priority, duration, pes, NOW + 100 * HOUR);
    }

    private ReservationId collect(String owner, int priority, long duration, int pes, long deadline) {
        return collect(owner, priority, duration, pes, deadline, Optional.empty());
    }

    private ReservationId collect(
            String owner, int priority, long duration, int pes, long deadline, Optional<Leeway> leeway) {
        var terms = RequestedTerms.of(OptionalLong.empty(), OptionalLong.of(deadline), duration, pes);
        return collect(owner, priority, terms, leeway);
    }

    private ReservationId collect(String owner, int priority, RequestedTerms terms, Optional<Leeway> leeway) {
        var id = new ReservationId(new UUID(0x7000, ++number));
        var answer = desks.decide(
                TINY.id(),
                new Collect(
                        id,
                        new Origin(new AccountName(owner), ServiceClass.STANDARD),
                        priority,
                        terms,
                        OptionalLong.empty(),
                        leeway));
        assertThat(granted(answer).request().map(IntakeRequest::id)).contains(id);
        return id;
    }

    private long start(ReservationId id) {
        return ledger.find(id).map(Reservation::slot).orElseThrow().start();
    }

    private IntakeRequest request(ReservationId id) {
        return ledger.collected(id).orElseThrow();
    }

    private static Cluster collecting(Cluster cluster, Intake intake) {
        return cluster.with("nodes", Nodes.SINGLE_PES).with("intake", intake);
    }
}
