package berth.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.booking.Broker.Outcome;
import berth.booking.BrokerRounds.Withdrawal;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.engine.Answer;
import berth.engine.KeyUse;
import berth.engine.SettableClock;
import berth.intake.IntakeRequest;
import berth.intake.IntakeRequest.State;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.scheduling.Rejection;
import berth.scheduling.places.Preference;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BrokerRoundsTest {

    private static final Instant START = Instant.parse("2027-01-01T12:00:00Z");
    private static final long NOW = START.getEpochSecond();
    private static final long HOUR = 3600;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Intake COLLECTING = new Intake(IntakeOrder.DPSAR, 60, 10, 3);
    private static final Outcome NO_ROOM = new Outcome.NoSlot(List.of(), new Rejection.NoSlot());

    /** A store in memory. */
    private static final class MemoryStore implements IntakeStore {
        final Map<ReservationId, CollectedRequest> all = new ConcurrentHashMap<>();
        volatile boolean failsAfterwards;

        @Override
        public void create(CollectedRequest collected, Optional<KeyUse> key) {
            all.put(collected.request().id(), collected);
            if (failsAfterwards) {
                failsAfterwards = false;
                throw new StorageUnavailable(new IllegalStateException("The answer was lost."));
            }
        }

        @Override
        public void end(CollectedRequest ended, Optional<KeyUse> key) {
            all.put(ended.request().id(), ended);
        }

        @Override
        public List<CollectedRequest> waiting() {
            return all.values().stream()
                    .filter(collected -> collected.request().state() == State.PENDING)
                    .toList();
        }
    }

    private final MemoryStore store = new MemoryStore();
    private final SettableClock clock = new SettableClock(START);
    private final Set<ReservationId> booked = ConcurrentHashMap.newKeySet();
    private final Map<AccountName, AccountLimits> limits = new HashMap<>();

    /** The requests that the broker received, in order. */
    private final List<Request> asked = new CopyOnWriteArrayList<>();

    /** The requests that the rounds have reported as rejected. */
    private final List<CollectedRequest> rejected = new CopyOnWriteArrayList<>();

    private volatile boolean isReplaced;
    private volatile Function<Request, Outcome> answer = _ -> NO_ROOM;
    private BrokerRounds rounds = newRounds(COLLECTING);

    private BrokerRounds newRounds(Intake rules) {
        return new BrokerRounds(
                rules,
                store,
                request -> {
                    asked.add(request);
                    return answer.apply(request);
                },
                (request, withdrawal) -> booked.contains(request.id()) ? new Withdrawal.Decided() : withdrawal.get(),
                booked::contains,
                name -> limits.getOrDefault(name, AccountLimits.NONE),
                rejected::add,
                () -> !isReplaced,
                Threads.OF_THE_JVM,
                clock);
    }

    @AfterEach
    void close() {
        rounds.close();
    }

    private static CollectedRequest request(
            String owner, int priority, long duration, OptionalLong readyTime, long arrivedAt) {
        var terms = RequestedTerms.of(readyTime, OptionalLong.empty(), duration, 4);
        var origin = new Origin(new AccountName(owner), ServiceClass.STANDARD);
        return new CollectedRequest(
                IntakeRequest.pending(
                        new ReservationId(UUID.randomUUID()), origin, priority, terms, OptionalLong.empty(), arrivedAt),
                Preference.LOWEST_PRICE,
                Set.of());
    }

    private ReservationId collect(String owner, int priority, long duration) {
        var collected = request(
                owner, priority, duration, OptionalLong.empty(), clock.instant().getEpochSecond());
        rounds.add(collected, Optional.empty());
        return collected.request().id();
    }

    private void pass(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
    }

    private void awaitDecisions() {
        store.all.keySet().forEach(this::awaitDecision);
    }

    private IntakeRequest awaitDecision(ReservationId id) {
        rounds.await(id, PATIENCE);
        return recorded(id);
    }

    private IntakeRequest recorded(ReservationId id) {
        return Optional.ofNullable(store.all.get(id)).orElseThrow().request();
    }

    private List<ReservationId> turns() {
        return asked.stream().map(Request::id).toList();
    }

    @Test
    void theWindowOpensWithTheFirstRequestAndEndsInTheOrderOfPriorityAndLength() {
        var low = collect("low", 1, HOUR);
        pass(59);
        var longer = collect("high", 9, 2 * HOUR);
        var shorter = collect("high", 9, HOUR);

        pass(1);

        awaitDecisions();
        assertThat(turns()).containsExactly(shorter, longer, low);
        assertThat(recorded(low).reason()).contains(RefusalCode.NO_SLOT);
        assertThat(recorded(low).endedAt()).hasValue(NOW + 60);
    }

    @Test
    void requestsHeldBackByTheCapFollowLowerPrioritiesAtOnce() {
        var high = IntStream.range(0, 5).mapToObj(_ -> collect("high", 9, HOUR)).toList();
        var low = collect("low", 1, HOUR);

        pass(60);

        awaitDecisions();
        assertThat(turns().get(3)).isEqualTo(low);
        assertThat(turns()).hasSize(6).containsAll(high);
    }

    @Test
    void theBrokerGetsTheLimitsAndTheTimeOfTheTurn() {
        var early = request("a", 5, HOUR, OptionalLong.of(NOW + 10), NOW);
        rounds.add(early, Optional.empty());
        var limited = new AccountLimits(OptionalInt.of(1), OptionalInt.empty(), OptionalLong.empty());
        limits.put(new AccountName("a"), limited);

        pass(60);

        awaitDecisions();
        var turn = asked.getFirst();
        assertThat(turn.limits()).isEqualTo(limited);
        assertThat(turn.terms().readyTime()).hasValue(NOW + 60);
        assertThat(turn.preference()).isEqualTo(Preference.LOWEST_PRICE);
        assertThat(turn.hold()).isEmpty();
        assertThat(turn.only()).isEmpty();
    }

    @Test
    void aRefusalIsRecordedUnderItsCode() {
        var violation = new Violation("pes", "too many");
        Map<String, Outcome> codes = Map.of(
                "limited",
                new Outcome.Ended(new Answer.Refused(new Rejection.LimitExceeded(violation))),
                "never",
                new Outcome.NeverFits(Map.of(new ClusterId("tiny"), new Rejection.NeverFits(violation))),
                "late",
                new Outcome.NeverFits(Map.of(new ClusterId("tiny"), new Rejection.InvalidTerms(List.of(violation)))),
                "full",
                NO_ROOM);
        answer = request -> codes.getOrDefault(request.origin().owner().value(), NO_ROOM);
        var limited = collect("limited", 5, HOUR);
        var never = collect("never", 5, HOUR);
        var late = collect("late", 5, HOUR);
        var full = collect("full", 5, HOUR);

        pass(60);

        awaitDecisions();
        assertThat(recorded(limited).reason()).contains(RefusalCode.LIMIT_EXCEEDED);
        assertThat(recorded(never).reason()).contains(RefusalCode.NEVER_FITS);
        assertThat(recorded(late).reason()).contains(RefusalCode.NO_SLOT);
        assertThat(recorded(full).reason()).contains(RefusalCode.NO_SLOT);
    }

    @Test
    void requestsThatWaitedAtAStopAreDecidedAfterTheStart() {
        var low = collect("low", 1, HOUR);
        var granted = collect("high", 9, HOUR);
        rounds.close();
        booked.add(granted);

        pass(60);
        rounds = newRounds(COLLECTING);

        awaitUntilEnded(low, granted);
        assertThat(recorded(granted).state()).isEqualTo(State.GRANTED);
        assertThat(turns()).containsExactly(low);
    }

    private void awaitUntilEnded(ReservationId... ids) {
        for (var id : ids) {
            while (recorded(id).state() == State.PENDING) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void berthDecidesWaitingRequestsInOrderWhenItNoLongerCollects() {
        var first = collect("low", 1, HOUR);
        rounds.close();
        var second = request("high", 9, HOUR, OptionalLong.empty(), NOW + 1);
        store.create(second, Optional.empty());
        pass(1);

        rounds = newRounds(Intake.STANDARD);

        awaitUntilEnded(first, second.request().id());
        assertThat(turns()).containsExactly(first, second.request().id());
    }

    @Test
    void aRequestThatFailsNeitherBlocksOthersNorKeepsAWindowOpen() {
        var broken = collect("broken", 9, HOUR);
        var other = collect("other", 1, HOUR);
        answer = request -> {
            if (request.id().equals(broken)) {
                throw new IllegalStateException("This one fails.");
            }
            return NO_ROOM;
        };

        pass(60);

        assertThat(awaitDecision(other).state()).isEqualTo(State.REJECTED);
        var later = collect("later", 5, HOUR);
        answer = _ -> NO_ROOM;
        assertThat(awaitDecision(broken).state()).isEqualTo(State.REJECTED);
        assertThat(recorded(later).state()).isEqualTo(State.PENDING);
    }

    @Test
    void berthFindsTheOutcomeOfARequestWhoseAnswerWasLost() {
        var lost = collect("a", 5, HOUR);
        answer = request -> {
            booked.add(request.id());
            return new Outcome.Ended(new Answer.OutcomeUnknown("The line is dead."));
        };

        pass(60);

        assertThat(awaitDecision(lost).state()).isEqualTo(State.GRANTED);
        assertThat(turns()).containsExactly(lost);
    }

    @Test
    void berthDecidesARequestThatWasRecordedAlthoughItsClientGotAFailure() {
        store.failsAfterwards = true;
        var unsure = request("a", 5, HOUR, OptionalLong.empty(), NOW);
        assertThatThrownBy(() -> rounds.add(unsure, Optional.empty())).isInstanceOf(StorageUnavailable.class);

        pass(60);

        awaitUntilEnded(unsure.request().id());
        assertThat(turns()).containsExactly(unsure.request().id());
    }

    @Test
    void aRequestMayBeWithdrawnBeforeItsTurnButNotOnceItIsBooked() {
        var given = collect("a", 5, HOUR);
        var taken = collect("a", 5, HOUR);
        booked.add(taken);

        assertThat(rounds.withdraw(given, Optional.empty())).isInstanceOf(Withdrawal.Withdrawn.class);
        assertThat(rounds.withdraw(taken, Optional.empty())).isEqualTo(new Withdrawal.Decided());
        assertThat(rounds.withdraw(given, Optional.empty())).isEqualTo(new Withdrawal.Decided());

        pass(60);

        assertThat(awaitDecision(taken).state()).isEqualTo(State.GRANTED);
        assertThat(asked).isEmpty();
        assertThat(recorded(given).state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void aSlowDecisionDoesNotDelayTheWithdrawalOfAnotherRequest() {
        var slow = collect("high", 9, HOUR);
        var other = collect("low", 1, HOUR);
        var isAsked = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        answer = _ -> {
            isAsked.countDown();
            awaitUninterruptibly(goesOn);
            return NO_ROOM;
        };

        pass(60);
        awaitUninterruptibly(isAsked);

        assertThat(rounds.withdraw(other, Optional.empty())).isInstanceOf(Withdrawal.Withdrawn.class);
        assertThat(rounds.withdraw(slow, Optional.empty())).isEqualTo(new Withdrawal.UnderWay());
        goesOn.countDown();
        assertThat(awaitDecision(slow).state()).isEqualTo(State.REJECTED);
        assertThat(recorded(other).state()).isEqualTo(State.CANCELLED);
        assertThat(turns()).containsExactly(slow);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aReplacedInstanceDecidesNoMoreRequests() {
        var first = collect("high", 9, HOUR);
        var second = collect("low", 1, HOUR);
        answer = _ -> {
            isReplaced = true;
            return NO_ROOM;
        };

        pass(60);

        awaitDecision(first);
        assertThat(rounds.withdraw(second, Optional.empty())).isInstanceOf(Withdrawal.Withdrawn.class);
        assertThat(turns()).containsExactly(first);
    }
}
