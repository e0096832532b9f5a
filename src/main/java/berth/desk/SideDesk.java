package berth.desk;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Computes on snapshots what may take long, so that no desk has to. A few threads serve all accounts in turn, each with one
 * computation at a time: whoever asks for much waits for itself. Safe to use from any thread.
 */
public final class SideDesk implements AutoCloseable {

    /** The most computations that may wait for one account, beside the one under way. */
    static final int MOST_OF_AN_ACCOUNT = 64;

    /** The most that may wait for all of them. */
    static final int MOST = 4096;

    /** There are too many computations that wait: of this account, or of all. */
    public static final class Overloaded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Overloaded(String what) {
            super(what, null, false, false);
        }
    }

    private final Timer times;

    /** Guarded by this, as are the next four. */
    private final Map<String, Queue<Runnable>> waiting = new HashMap<>();

    /** The accounts for which something waits and nothing is under way, in turn. */
    private final Queue<String> turns = new ArrayDeque<>();

    private final Set<String> underWay = new HashSet<>();
    private int number;
    private boolean isClosed;

    /**
     * @param threads that compute, at least 1
     * @param registry where it counts what it does
     */
    SideDesk(int threads, MeterRegistry registry) {
        times = Timer.builder("berth.computations")
                .description("Time for a computation on a snapshot, without the wait for its turn")
                .register(registry);
        Gauge.builder("berth.computations.waiting", this, SideDesk::waiting)
                .description("Computations on snapshots that wait for their turn")
                .baseUnit("computations")
                .register(registry);
        for (int i = 0; i < threads; i++) {
            Thread.ofPlatform().daemon().name("side-desk-" + i).start(this::work);
        }
    }

    /** One thread less than there are processors: one stays for everything else. */
    static SideDesk of(MeterRegistry registry) {
        return new SideDesk(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), registry);
    }

    synchronized int waiting() {
        return number;
    }

    /**
     * Waits until it is the account's turn, and for the result.
     *
     * @throws Overloaded if too many wait already
     */
    public <T> T compute(String account, Supplier<T> computation) {
        var result = new CompletableFuture<T>();
        submit(account, () -> {
            try {
                result.complete(times.record(computation));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Overloaded("The service is shutting down; try again once it is back.");
        } catch (ExecutionException e) {
            throw new IllegalStateException("What may take long has failed.", e.getCause());
        }
    }

    private synchronized void submit(String account, Runnable task) {
        if (isClosed) {
            throw new Overloaded("The service is shutting down; try again once it is back.");
        }
        var own = waiting.computeIfAbsent(account, _ -> new ArrayDeque<>());
        if (own.size() >= MOST_OF_AN_ACCOUNT || number >= MOST) {
            throw new Overloaded(
                    own.size() >= MOST_OF_AN_ACCOUNT
                            ? "%d requests of this account wait that take long to answer; send them one after the other."
                                    .formatted(own.size())
                            : "Too many requests wait that take long to answer; try again later.");
        }
        own.add(task);
        number++;
        if (own.size() == 1 && !underWay.contains(account)) {
            turns.add(account);
            notifyAll();
        }
    }

    private void work() {
        for (var account = next(); account.isPresent(); account = next()) {
            try {
                task(account.get()).run();
            } finally {
                done(account.get());
            }
        }
    }

    /** The account whose turn it is; empty once this is closed and nothing waits. */
    private synchronized Optional<String> next() {
        while (turns.isEmpty()) {
            if (isClosed) {
                return Optional.empty();
            }
            try {
                wait();
            } catch (InterruptedException e) {
                return Optional.empty();
            }
        }
        var account = turns.remove();
        underWay.add(account);
        return Optional.of(account);
    }

    private synchronized Runnable task(String account) {
        number--;
        return waiting.getOrDefault(account, new ArrayDeque<>()).remove();
    }

    private synchronized void done(String account) {
        underWay.remove(account);
        if (waiting.getOrDefault(account, new ArrayDeque<>()).isEmpty()) {
            waiting.remove(account);
        } else {
            turns.add(account);
            notifyAll();
        }
    }

    /** Takes nothing more; what waits is still computed. */
    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
