package berth.broker;

import berth.broker.Broker.Outcome;
import berth.cluster.Intake;
import berth.desk.Answer;
import berth.desk.IntakeRounds;
import berth.desk.KeyUse;
import berth.desk.PeriodicCheck;
import berth.desk.Threads;
import berth.desk.Turns;
import berth.intake.IntakeRequest;
import berth.reservation.ReservationId;
import berth.scheduling.Collect;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the collected requests without a cluster, in {@link IntakeRounds}. The broker decides each in its turn, as if it had
 * just come.
 *
 * <p>One after the other in a thread of its own: a request that cannot be decided, since no cluster can be asked or what came
 * of it is not known, is tried again after a while, beside the rounds of the others.
 */
public final class BrokerRounds implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BrokerRounds.class);

    /** How long what could not be decided rests. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Threads threads;
    private final Intake rules;
    private final IntakeStore store;
    private final Function<Request, Outcome> broker;
    private final BiFunction<IntakeRequest, Supplier<Withdrawal>, Withdrawal> unlessDecided;
    private final Predicate<ReservationId> isBooked;
    private final Function<AccountName, AccountLimits> limits;
    private final BooleanSupplier isReady;
    private final InstantSource clock;

    private final Map<ReservationId, CollectedRequest> waiting = new ConcurrentHashMap<>();

    /** Those of them that could not be decided in their turn; known to the thread of the rounds alone. */
    private final Set<ReservationId> undecided = new HashSet<>();

    /** Whoever decides a request or withdraws it: what is being decided is not withdrawn, and holds up none of the others. */
    private final Turns<ReservationId> turns;

    /**
     * Shared by those that record requests or what became of them: what is recorded waits here, or no longer, before all that
     * waits is read.
     */
    private final ReadWriteLock recording = new ReentrantReadWriteLock();

    private final PeriodicCheck pulse;
    private volatile boolean isRead;
    private long restsUntil;

    /**
     * @param broker decides a request
     * @param unlessDecided has a request withdrawn, unless the broker has decided it or may have
     * @param isBooked whether there is a reservation of that id, here or at another Berth
     * @param limits what an account may have booked, by its name
     * @param isReady whether it can be decided and asked for reservations; once that is over, nothing is decided any more
     */
    public BrokerRounds(
            Intake rules,
            IntakeStore store,
            Function<Request, Outcome> broker,
            BiFunction<IntakeRequest, Supplier<Withdrawal>, Withdrawal> unlessDecided,
            Predicate<ReservationId> isBooked,
            Function<AccountName, AccountLimits> limits,
            BooleanSupplier isReady,
            Threads threads,
            InstantSource clock) {
        this.threads = threads;
        this.rules = rules;
        this.store = store;
        this.broker = broker;
        this.unlessDecided = unlessDecided;
        this.isBooked = isBooked;
        this.limits = limits;
        this.isReady = isReady;
        this.clock = clock;
        this.turns = new Turns<>(threads);
        this.pulse = new PeriodicCheck(threads, "rounds of the broker", RETRY, this::work);
        pulse.start();
    }

    /** Whether as many wait as may. */
    boolean isFull() {
        return waiting.size() >= Collect.MAX;
    }

    /** The requests of an account that wait. */
    List<IntakeRequest> waitingOf(AccountName owner) {
        return waiting.values().stream()
                .map(CollectedRequest::request)
                .filter(request -> request.origin().owner().equals(owner))
                .toList();
    }

    /** Records one that is to wait, and the key that asked for it. */
    void add(CollectedRequest collected, Optional<KeyUse> key) {
        recording.readLock().lock();
        try {
            store.create(collected, key);
            waiting.put(collected.request().id(), collected);
        } catch (RuntimeException e) {
            // it may be recorded nevertheless
            isRead = false;
            throw e;
        } finally {
            recording.readLock().unlock();
        }
    }

    /** Waits until it is known what becomes of a collected request, but no longer than that. */
    public void await(ReservationId id, Duration most) {
        PeriodicCheck.await(threads, () -> waiting.containsKey(id), most);
    }

    /** What became of a wish to withdraw a request. */
    public sealed interface Withdrawal {
        /** It is given up. */
        record Withdrawn(IntakeRequest request) implements Withdrawal {}

        /** It has been decided before. */
        record Decided() implements Withdrawal {}

        /** It is being decided, which may take as long as other Berths take to answer. */
        record UnderWay() implements Withdrawal {}
    }

    /** Gives up a request that waits, and records the key that asked for it. */
    public Withdrawal withdraw(ReservationId id, Optional<KeyUse> key) {
        var release = turns.enter(id, BerthClient.PATIENCE);
        if (release.isEmpty()) {
            return new Withdrawal.UnderWay();
        }
        try {
            read();
            var collected = waiting.get(id);
            return collected == null
                    ? new Withdrawal.Decided()
                    : unlessDecided.apply(collected.request(), () -> {
                        var withdrawn = collected.request().withdrawn(now());
                        end(collected.with(withdrawn), key);
                        return new Withdrawal.Withdrawn(withdrawn);
                    });
        } finally {
            release.get().run();
        }
    }

    private void work() {
        if (isReady.getAsBoolean()) {
            read();
            look();
        }
    }

    /** What waited when the service stopped, or may have been recorded, waits. */
    private void read() {
        if (isRead) {
            return;
        }
        recording.writeLock().lock();
        try {
            store.waiting().forEach(collected -> waiting.put(collected.request().id(), collected));
            isRead = true;
        } finally {
            recording.writeLock().unlock();
        }
    }

    private void look() {
        undecided.retainAll(waiting.keySet());
        if (waiting.values().stream().map(CollectedRequest::request).anyMatch(this::isDue)) {
            decideAll(_ -> true);
        } else if (!undecided.isEmpty() && threads.nanoTime() - restsUntil >= 0) {
            decideAll(Set.copyOf(undecided)::contains);
        }
    }

    /** Whether the window that one has opened has ended; what was not decided in its turn opens none. */
    private boolean isDue(IntakeRequest request) {
        return !undecided.contains(request.id()) && IntakeRounds.isDue(rules, request, now());
    }

    /** Each has its turn once: what could not be decided in it has another one later. */
    private void decideAll(Predicate<ReservationId> isIncluded) {
        var hadTheirTurn = new HashSet<ReservationId>();
        IntakeRounds.decideAll(
                () -> waiting(id -> isIncluded.test(id) && !hadTheirTurn.contains(id)),
                requests -> requests.stream().allMatch(request -> hasItsTurn(request.id(), hadTheirTurn)));
        restsUntil = threads.nanoTime() + RETRY.toNanos();
    }

    private IntakeRounds.Waiting waiting(Predicate<ReservationId> isIncluded) {
        return new IntakeRounds.Waiting(
                rules,
                waiting.values().stream()
                        .map(CollectedRequest::request)
                        .filter(request -> isIncluded.test(request.id()))
                        .toList());
    }

    /** Answers whether it had: not if the service ends, or is not the one that decides any more. */
    private boolean hasItsTurn(ReservationId id, Set<ReservationId> hadTheirTurn) {
        if (pulse.isClosed() || !isReady.getAsBoolean()) {
            return false;
        }
        hadTheirTurn.add(id);
        decide(id);
        return true;
    }

    /** One whose decision fails keeps none of the others from theirs. */
    private void decide(ReservationId id) {
        var release = turns.enter(id, BerthClient.PATIENCE);
        if (release.isEmpty()) {
            undecided.add(id); // it is being withdrawn
            return;
        }
        try {
            var collected = waiting.get(id);
            if (collected == null) {
                return; // it was withdrawn
            }
            var ended = decided(collected);
            ended.ifPresent(request -> end(collected.with(request), Optional.empty()));
            if (ended.isEmpty()) {
                undecided.add(id);
            }
        } catch (RuntimeException e) {
            if (undecided.add(id)) {
                log.error("Request {} could not be decided; it will be tried again.", id, e);
            } else {
                log.debug("Request {} could not be decided again.", id, e);
            }
        } finally {
            release.get().run();
        }
    }

    private void end(CollectedRequest ended, Optional<KeyUse> key) {
        recording.readLock().lock();
        try {
            store.end(ended, key);
        } catch (RuntimeException e) {
            // it may be recorded: if it is not, it is found to wait
            isRead = false;
            throw e;
        } finally {
            waiting.remove(ended.request().id());
            recording.readLock().unlock();
        }
    }

    /** What becomes of it; empty if that is not known yet. */
    private Optional<IntakeRequest> decided(CollectedRequest collected) {
        var request = collected.request();
        // before a restart, or before its outcome could be recorded
        if (isBooked.test(request.id())) {
            return Optional.of(request.granted(now()));
        }
        var outcome = broker.apply(collected.turn(limits.apply(request.origin().owner()), now()));
        return switch (outcome) {
            case Outcome.Granted _ -> Optional.of(request.granted(now()));
            case Outcome.NeverFits(var reasons) -> Optional.of(rejected(request, never(reasons.values())));
            case Outcome.NoSlot(var _, var reason) -> Optional.of(rejected(request, reason));
            case Outcome.Ended(Answer.Refused(var reason)) -> Optional.of(rejected(request, reason));
            case Outcome.Collected _ ->
                throw new IllegalStateException("The broker decides, and does not collect again.");
            case Outcome.Ended(var answer) -> {
                log.debug("Request {} is not decided yet: {}", request.id(), answer);
                yield Optional.empty();
            }
        };
    }

    private IntakeRequest rejected(IntakeRequest request, Rejection reason) {
        return request.rejected(reason.code(), now());
    }

    /** It could have been held when it came: where time has made its terms invalid there is no slot any more. */
    private static Rejection never(Collection<Rejection> reasons) {
        return reasons.stream()
                .filter(Rejection.NeverFits.class::isInstance)
                .findFirst()
                .filter(_ -> reasons.stream().allMatch(Rejection.NeverFits.class::isInstance))
                .orElseGet(Rejection.NoSlot::new);
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Begins no decision any more; one that is under way comes to its end, since half of it may be told to another Berth. */
    @Override
    public void close() {
        pulse.close();
    }
}
