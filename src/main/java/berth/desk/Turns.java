package berth.desk;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Lets one request at a time work with a key, so that each of many that come together sees what came of those before. */
public final class Turns<K> {

    private final Threads threads;
    private final Map<K, CompletableFuture<Boolean>> underWay = new ConcurrentHashMap<>();

    public Turns(Threads threads) {
        this.threads = threads;
    }

    /**
     * Waits until nobody else works with the key.
     *
     * @return what to run when the work is done and its outcome known; empty if patience ran out
     */
    public Optional<Runnable> enter(K key, Duration patience) {
        var mine = new CompletableFuture<Boolean>();
        long end = threads.nanoTime() + patience.toNanos();
        try {
            for (var other = underWay.putIfAbsent(key, mine); other != null; other = underWay.putIfAbsent(key, mine)) {
                var unused = threads.get(other, Duration.ofNanos(end - threads.nanoTime()));
            }
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        return Optional.of(() -> {
            underWay.remove(key);
            mine.complete(true);
        });
    }

    /**
     * Submits a command when nobody else works with the key, and keeps others out until its outcome is known, however
     * long the client waits for it.
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
