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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Computes on snapshots what may take long, so that no desk has to. A few threads serve all who ask in turn, each with one
 * computation at a time: whoever asks for much waits for itself. Safe to use from any thread.
 */
public final class SideDesk implements AutoCloseable {

    /** The most computations that may wait for one account, beside the one under way. */
    static final int MOST_OF_AN_ACCOUNT = 64;

    /** The most that may wait for all of them. */
    static final int MOST = 4096;

    private static final String CLOSED = "The service is shutting down; try again once it is back.";

    /** There are too many computations that wait: of this account, or of all. */
    public static final class Overloaded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Overloaded(String what) {
            super(what, null, false, false);
        }
    }

    /** There was no result in time, or there will be none since the service is shutting down. */
    public static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unanswered(String what) {
            super(what, null, false, false);
        }
    }

    /** Who has something computed, one thing at a time. */
    sealed interface Asker {
        /** An account. */
        record Account(AccountName name) implements Asker {}

        /** A round of a cluster, which waits for itself alone, not for the accounts whose requests it decides. */
        record Round(ClusterId cluster) implements Asker {}
    }

    /** Whose turn it is, with what. */
    private record Turn(Asker asker, Runnable task) {}

    private final Duration patience;
    private final Timer times;

    /** None of them empty; guarded by this, as are the next four. */
    private final Map<Asker, Queue<Runnable>> waiting = new HashMap<>();

    /** Those for whom something waits and nothing is under way, in turn. */
    private final Queue<Asker> turns = new ArrayDeque<>();

    private final Set<Asker> underWay = new HashSet<>();
    private int number;
    private boolean isClosed;

    /**
     * @param threads that compute, at least 1
     * @param patience how long a client waits for a result
     * @param registry where it counts what it does
     */
    SideDesk(int threads, Duration patience, MeterRegistry registry) {
        this.patience = patience;
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
    static SideDesk of(Duration patience, MeterRegistry registry) {
        return new SideDesk(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), patience, registry);
    }

    synchronized int waiting() {
        return number;
    }

    /**
     * Waits until it is the asker's turn, and for the result. What still waits when patience runs out is never computed.
     *
     * @throws Overloaded if too many wait already
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
            return result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            withdraw(asker, task);
            throw new Unanswered("The request takes too long to answer at the moment; try again later.");
        } catch (InterruptedException e) {
            withdraw(asker, task);
            Thread.currentThread().interrupt();
            throw new Unanswered(CLOSED);
        } catch (ExecutionException e) {
            throw new IllegalStateException("What may take long has failed.", e.getCause());
        }
    }

    private synchronized void submit(Asker asker, Runnable task) {
        if (isClosed) {
            throw new Unanswered(CLOSED);
        }
        int own = waiting.getOrDefault(asker, new ArrayDeque<>()).size();
        if (own >= MOST_OF_AN_ACCOUNT || number >= MOST) {
            throw new Overloaded(
                    own >= MOST_OF_AN_ACCOUNT
                            ? "%d requests of this account wait that take long to answer; send them one after the other."
                                    .formatted(own)
                            : "Too many requests wait that take long to answer; try again later.");
        }
        waiting.computeIfAbsent(asker, _ -> new ArrayDeque<>()).add(task);
        number++;
        if (own == 0 && !underWay.contains(asker)) {
            turns.add(asker);
            notifyAll();
        }
    }

    /** Nobody waits for it any more; no effect once it is under way. */
    private synchronized void withdraw(Asker asker, Runnable task) {
        var own = waiting.get(asker);
        if (own != null && own.remove(task)) {
            number--;
            if (own.isEmpty()) {
                waiting.remove(asker);
                turns.remove(asker);
            }
        }
    }

    private void work() {
        for (var turn = next(); turn.isPresent(); turn = next()) {
            try {
                turn.get().task.run();
            } finally {
                done(turn.get().asker);
            }
        }
    }

    /** Empty once this is closed and nothing waits. */
    private synchronized Optional<Turn> next() {
        while (turns.isEmpty()) {
            if (isClosed && waiting.isEmpty()) {
                return Optional.empty();
            }
            try {
                wait();
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
    }

    private synchronized void done(Asker asker) {
        underWay.remove(asker);
        if (waiting.containsKey(asker)) {
            turns.add(asker);
        }
        notifyAll();
    }

    /** Takes nothing more; what waits is still computed. */
    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
