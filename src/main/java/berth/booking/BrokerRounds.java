package berth.booking;

import berth.booking.Broker.Outcome;
import berth.cluster.Intake;
import berth.engine.Answer;
import berth.engine.IntakeRounds;
import berth.engine.KeyUse;
import berth.engine.Turns;
import berth.intake.IntakeRequest;
import berth.peers.BerthClient;
import berth.reservation.ReservationId;
import berth.runtime.PeriodicCheck;
import berth.runtime.Threads;
import berth.scheduling.Rejection;
import berth.scheduling.commands.Collect;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the collected requests without a cluster, in {@link IntakeRounds}. The broker decides each in its turn as if it had just arrived.
 *
 * <p>One thread decides them one after another. A request that cannot be decided, because no cluster answers or its result is unknown, is
 * tried again later, outside the rounds of the others.
 */
public final class BrokerRounds implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BrokerRounds.class);

    /** The pause before an undecided request is tried again. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Threads threads;
    private final Intake rules;
    private final IntakeStore store;
    private final Function<Request, Outcome> broker;
    private final BiFunction<IntakeRequest, Supplier<Withdrawal>, Withdrawal> unlessDecided;
    private final Predicate<ReservationId> isBooked;
    private final Function<AccountName, AccountLimits> limits;
    private final BooleanSupplier isReady;
    private final Consumer<CollectedRequest> rejected;
    private final InstantSource clock;

    private final Map<ReservationId, CollectedRequest> waiting = new ConcurrentHashMap<>();

    /** The requests that could not be decided in their turn; used only by the thread of the rounds. */
    private final Set<ReservationId> undecided = new HashSet<>();

    /** Excludes withdrawal of a request while it is being decided, without delaying others. */
    private final Turns<ReservationId> turns;

    /**
     * Shared by threads that record a request or a result and then update {@link #waiting}. Reading all waiting requests is exclusive, so
     * that it never falls between these two steps.
     */
    private final ReadWriteLock recording = new ReentrantReadWriteLock();

    private final PeriodicCheck pulse;
    private volatile boolean isRead;
    private long restsUntil;

    /**
     * Creates the rounds.
     *
     * @param broker decides a request
     * @param unlessDecided withdraws a request unless the broker has decided it or may have
     * @param isBooked whether a reservation with that id exists, here or at another Berth
     * @param limits returns an account's limits by name
     * @param rejected receives each request that was rejected, once that is recorded
     * @param isReady whether requests can be decided and reservations looked up; while it is false, nothing is decided
     */
    public BrokerRounds(
            Intake rules,
            IntakeStore store,
            Function<Request, Outcome> broker,
            BiFunction<IntakeRequest, Supplier<Withdrawal>, Withdrawal> unlessDecided,
            Predicate<ReservationId> isBooked,
            Function<AccountName, AccountLimits> limits,
            Consumer<CollectedRequest> rejected,
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
        this.rejected = rejected;
        this.isReady = isReady;
        this.clock = clock;
        this.turns = new Turns<>(threads);
        this.pulse = new PeriodicCheck(threads, "rounds of the broker", RETRY, this::work);
        pulse.start();
    }

    /** Whether as many requests wait as are allowed. */
    boolean isFull() {
        return waiting.size() >= Collect.MAX;
    }

    /** Returns the waiting requests of an account. */
    List<IntakeRequest> waitingOf(AccountName owner) {
        return waiting.values().stream()
                .map(CollectedRequest::request)
                .filter(request -> request.origin().owner().equals(owner))
                .toList();
    }

    /** Records a request that will wait, with its key. */
    void add(CollectedRequest collected, Optional<KeyUse> key) {
        recording.readLock().lock();
        try {
            store.create(collected, key);
            waiting.put(collected.request().id(), collected);
            pulse.wake();
        } catch (RuntimeException e) {
            // it may be recorded nevertheless
            isRead = false;
            throw e;
        } finally {
            recording.readLock().unlock();
        }
    }

    /** Waits until a collected request has a result, for at most that time. */
    public void await(ReservationId id, Duration most) {
        PeriodicCheck.await(threads, () -> waiting.containsKey(id), most);
    }

    /** The result of a withdrawal. */
    public sealed interface Withdrawal {
        /** The request was withdrawn. */
        record Withdrawn(IntakeRequest request) implements Withdrawal {}

        /** The request was decided before. */
        record Decided() implements Withdrawal {}

        /** The request is being decided, which may take as long as other Berths need to answer. */
        record UnderWay() implements Withdrawal {}
    }

    /** Withdraws a waiting request and records the key of the withdrawal. */
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

    /** Returns what {@link #withdraw} would do. Changes nothing. */
    public Withdrawal tryToWithdraw(ReservationId id) {
        read();
        return Optional.ofNullable(waiting.get(id))
                .<Withdrawal>map(collected ->
                        new Withdrawal.Withdrawn(collected.request().withdrawn(now())))
                .orElseGet(Withdrawal.Decided::new);
    }

    /** Returns whether a request waits, or may wait as soon as requests can be decided. */
    private boolean work() {
        if (!isReady.getAsBoolean()) {
            return true;
        }
        read();
        look();
        return !waiting.isEmpty();
    }

    /** Reads the requests that waited when the service stopped or whose recording is uncertain. */
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

    /** Whether the window that a request opened has ended. A request that was not decided in its turn opens none. */
    private boolean isDue(IntakeRequest request) {
        return !undecided.contains(request.id()) && IntakeRounds.isDue(rules, request, now());
    }

    /** Gives each request one turn; one that cannot be decided in it gets another turn later. */
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

    /** Gives a request its turn; returns false if the service ends or is not active any more. */
    private boolean hasItsTurn(ReservationId id, Set<ReservationId> hadTheirTurn) {
        if (pulse.isClosed() || !isReady.getAsBoolean()) {
            return false;
        }
        hadTheirTurn.add(id);
        decide(id);
        return true;
    }

    /** Decides a request. A failure does not affect the others. */
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
            ended.filter(request -> request.state() == IntakeRequest.State.REJECTED)
                    .ifPresent(request -> rejected.accept(collected.with(request)));
            if (ended.isEmpty()) {
                undecided.add(id);
            }
        } catch (RuntimeException e) {
            if (undecided.add(id)) {
                log.error("Request {} could not be decided; Berth tries again.", id, e);
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
            // it may be recorded; if not, the next reading finds that it still waits
            isRead = false;
            throw e;
        } finally {
            waiting.remove(ended.request().id());
            recording.readLock().unlock();
        }
    }

    /** Returns the result; empty if it is not known yet. */
    private Optional<IntakeRequest> decided(CollectedRequest collected) {
        var request = collected.request();
        // reserved before a restart, or before the result could be recorded
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
                throw new IllegalStateException(
                        "The broker decides collected requests and must not collect them again.");
            case Outcome.Ended(var answer) -> {
                log.debug("Request {} is not decided yet: {}", request.id(), answer);
                yield Optional.empty();
            }
        };
    }

    private IntakeRequest rejected(IntakeRequest request, Rejection reason) {
        return request.rejected(reason.code(), now());
    }

    /** Returns the refusal. The request was valid when it arrived; if time has made its terms invalid, there is no slot any more. */
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

    /** Starts no more decisions; one in progress finishes, because another Berth may already know half of it. */
    @Override
    public void close() {
        pulse.close();
    }
}
