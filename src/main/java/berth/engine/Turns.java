package berth.engine;

import berth.runtime.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Lets one request at a time work with a key, in the order of arrival, so that each sees the results of the earlier ones. */
public final class Turns<K> {

    private final Threads threads;

    /** The waiting requests for each key in use, longest wait first. Each is completed by its turn or by giving up. */
    private final Map<K, Queue<CompletableFuture<Boolean>>> waiting = new ConcurrentHashMap<>();

    public Turns(Threads threads) {
        this.threads = threads;
    }

    /**
     * Waits until no other request works with the key.
     *
     * @return an action that must be run once, when the work is done and its result known; empty if patience ran out
     */
    public Optional<Runnable> enter(K key, Duration patience) {
        var turn = new CompletableFuture<Boolean>();
        waiting.compute(key, (_, others) -> {
            if (others == null) {
                turn.complete(true);
                return new ArrayDeque<>();
            }
            others.add(turn);
            return others;
        });
        return comes(turn, patience) ? Optional.of(() -> release(key)) : Optional.empty();
    }

    /**
     * Starts to work with the key if no other request does or wants to.
     *
     * @return an action that must be run once, when the work is done and its result known; empty if another request has the key
     */
    public Optional<Runnable> enterAtOnce(K key) {
        return waiting.putIfAbsent(key, new ArrayDeque<>()) == null
                ? Optional.of(() -> release(key))
                : Optional.empty();
    }

    /** Does some work while no other request works with the key; empty if patience ran out. */
    public <T> Optional<T> during(K key, Duration patience, Supplier<T> work) {
        var release = enter(key, patience);
        if (release.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(work.get());
        } finally {
            release.get().run();
        }
    }

    private boolean comes(CompletableFuture<Boolean> turn, Duration patience) {
        try {
            return threads.get(turn, patience);
        } catch (TimeoutException e) {
            // unless the turn has just come
            return !turn.complete(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !turn.complete(false);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void release(K key) {
        waiting.computeIfPresent(key, (_, others) -> {
            for (var next = others.poll(); next != null; next = others.poll()) {
                if (next.complete(true)) {
                    return others;
                }
            }
            return null;
        });
    }

    /**
     * Submits a command when no other request works with the key. Others wait until its result is known, however long the client waits.
     *
     * @param busy the answer if patience ran out
     */
    Pending submit(K key, Duration patience, Answer busy, Supplier<Pending> submission) {
        var release = enter(key, patience);
        if (release.isEmpty()) {
            return Pending.answered(busy);
        }
        try {
            var pending = submission.get();
            var unused = pending.answer()
                    .whenComplete((answer, failure) -> release.get().run());
            return pending;
        } catch (RuntimeException | Error e) {
            release.get().run();
            throw e;
        }
    }
}
