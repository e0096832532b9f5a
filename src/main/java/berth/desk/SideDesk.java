package berth.desk;

import berth.reservation.ClusterId;
import berth.sla.AccountName;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs long computations on snapshots, so that no desk has to. A few threads serve all callers in turn, one computation at a time for each,
 * so that a caller with many computations waits only for itself. Thread-safe.
 */
public final class SideDesk implements AutoCloseable {

    /** The most waiting computations of one account, besides the one in progress. */
    static final int MAX_PER_ACCOUNT = 64;

    /** The most waiting computations of all callers. */
    static final int MAX = 4096;

    private static final Logger log = LoggerFactory.getLogger(SideDesk.class);

    private static final String CLOSED = "The service is shutting down; try again once it is back.";

    /** Too many computations wait, for this account or in total. */
    public static final class Overloaded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Overloaded(String what) {
            super(what, null, false, false);
        }
    }

    /** There was no result in time, or the service is shutting down. */
    public static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /**
         * Creates the error.
         *
         * @param what the cause and what to do; a sentence for the client
         */
        public Unanswered(String what) {
            super(what, null, false, false);
        }
    }

    /** A caller, which gets one computation at a time. */
    sealed interface Asker {
        /** An account. */
        record Account(AccountName name) implements Asker {}

        /** A round of a cluster. It waits only for itself, not for the accounts whose requests it decides. */
        record Round(ClusterId cluster) implements Asker {}
    }

    /** A computation and its caller. */
    private record Turn(Asker asker, Runnable task) {}

    private final Threads threads;
    private final Duration patience;
    private final Timer times;

    private final Lock lock = new ReentrantLock();

    /** Signals that there is work, or that there will be none any more. */
    private final Condition isWork = lock.newCondition();

    /** The waiting computations of each caller, never empty; guarded by the lock, like the next four fields. */
    private final Map<Asker, Queue<Runnable>> waiting = new HashMap<>();

    /** The callers with waiting computations and none in progress, in turn. */
    private final Queue<Asker> turns = new ArrayDeque<>();

    private final Set<Asker> underWay = new HashSet<>();
    private int number;
    private boolean isClosed;

    /**
     * Creates a side desk.
     *
     * @param number the number of threads, at least 1
     * @param patience how long a client waits for a result
     * @param registry the registry for its meters
     */
    SideDesk(int number, Threads threads, Duration patience, MeterRegistry registry) {
        this.threads = threads;
        this.patience = patience;
        times = Timer.builder("berth.computations")
                .description(
                        "Time for a computation outside the desk (whether waiting reservations can make room, alternatives,"
                                + " dry runs), without the wait for its turn.")
                .register(registry);
        Gauge.builder("berth.computations.waiting", this, SideDesk::waiting)
                .description(
                        "Computations that wait for their turn. Accounts take turns; each may have 64 waiting, all together 4,096;"
                                + " Berth refuses more with 429.")
                .baseUnit("computations")
                .register(registry);
        for (int i = 0; i < number; i++) {
            threads.lasting("side-desk-" + i, this::work).start();
        }
    }

    /** Creates a side desk with one thread less than there are processors, which leaves one for everything else. */
    static SideDesk of(Threads threads, Duration patience, MeterRegistry registry) {
        return new SideDesk(Math.max(1, threads.processors() - 1), threads, patience, registry);
    }

    int waiting() {
        lock.lock();
        try {
            return number;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the caller's turn and for the result. A computation that still waits when patience runs out never runs.
     *
     * @throws Overloaded if too many computations wait
     * @throws Unanswered if there is no result in time
     */
    <T> T compute(Asker asker, Supplier<T> computation) {
        var result = new CompletableFuture<T>();
        Runnable task = () -> {
            try {
                result.complete(times.record(computation));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        };
        submit(asker, task);
        try {
            return threads.get(result, patience);
        } catch (TimeoutException e) {
            withdraw(asker, task);
            throw new Unanswered("The request takes too long to compute at the moment; try again later.");
        } catch (InterruptedException e) {
            withdraw(asker, task);
            Thread.currentThread().interrupt();
            throw new Unanswered(CLOSED);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A long computation has failed.", e.getCause());
        }
    }

    private void submit(Asker asker, Runnable task) {
        lock.lock();
        try {
            if (isClosed) {
                throw new Unanswered(CLOSED);
            }
            int own = waiting.getOrDefault(asker, new ArrayDeque<>()).size();
            if (own >= MAX_PER_ACCOUNT || number >= MAX) {
                throw new Overloaded(
                        own >= MAX_PER_ACCOUNT
                                ? "%d long computations of this account wait already; send such requests one after the other."
                                        .formatted(own)
                                : "Too many long computations wait already; try again later.");
            }
            waiting.computeIfAbsent(asker, _ -> new ArrayDeque<>()).add(task);
            number++;
            if (own == 0 && !underWay.contains(asker)) {
                turns.add(asker);
                isWork.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a computation whose caller has given up; no effect once it is in progress. */
    private void withdraw(Asker asker, Runnable task) {
        lock.lock();
        try {
            var own = waiting.get(asker);
            if (own != null && own.remove(task)) {
                number--;
                if (own.isEmpty()) {
                    waiting.remove(asker);
                    turns.remove(asker);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = workOnce();
            } catch (Throwable e) {
                log.error("A long computation has failed; the next one begins.", e);
            }
        }
    }

    /** Runs one computation; returns false once there is nothing left to do. */
    private boolean workOnce() {
        var turn = next();
        turn.ifPresent(present -> {
            try {
                present.task.run();
            } finally {
                done(present.asker);
            }
        });
        return turn.isPresent();
    }

    /** Returns the next computation; empty once the side desk is closed and nothing waits. */
    private Optional<Turn> next() {
        lock.lock();
        try {
            while (turns.isEmpty()) {
                if (isClosed && waiting.isEmpty()) {
                    return Optional.empty();
                }
                try {
                    isWork.await();
                } catch (InterruptedException e) {
                    return Optional.empty();
                }
            }
            var asker = turns.remove();
            var own = Objects.requireNonNull(waiting.get(asker));
            var task = own.remove();
            number--;
            if (own.isEmpty()) {
                waiting.remove(asker);
            }
            underWay.add(asker);
            return Optional.of(new Turn(asker, task));
        } finally {
            lock.unlock();
        }
    }

    private void done(Asker asker) {
        lock.lock();
        try {
            underWay.remove(asker);
            if (waiting.containsKey(asker)) {
                turns.add(asker);
            }
            isWork.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Accepts nothing more; waiting computations still run. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            isWork.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
