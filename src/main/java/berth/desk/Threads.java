package berth.desk;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How work is done beside other work, and how it waits for time to pass. The service has the threads and the time of the JVM; a
 * simulation has its own, which run faster than time and the same way each time. Nothing in this package, nor in that of the broker, waits otherwise.
 */
public interface Threads {

    /** Makes a thread that works as long as the service runs, and does not keep it from ending; it is not started. */
    Thread lasting(String name, Runnable work);

    /** Makes threads that may be many, for what mostly waits. */
    ThreadFactory light();

    /** How many of them can run at the same time. */
    int processors();

    /** Nanoseconds since some point in time, which never go back. */
    long nanoTime();

    void sleep(Duration time) throws InterruptedException;

    /** Waits for a result, but no longer than that. */
    <T> T get(CompletableFuture<T> result, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException;

    /** Takes the first of a queue, and waits for one where there is none; null if none comes within that time. */
    <T> @Nullable T poll(BlockingQueue<T> queue, Duration within) throws InterruptedException;

    /**
     * Does all of it, each in a thread of its own, and returns once all have ended; whoever is interrupted meanwhile interrupts them.
     *
     * @throws RuntimeException of the first of them that failed
     */
    default void together(Collection<? extends Runnable> work) {
        var ends = work.stream().map(each -> new FutureTask<>(each, true)).toList();
        var all = ends.stream().map(end -> light().newThread(end)).toList();
        all.forEach(Thread::start);
        boolean isInterrupted = false;
        Optional<Throwable> failure = Optional.empty();
        for (int at = 0; at < ends.size(); ) {
            try {
                var unused = ends.get(at).get();
                at++;
            } catch (InterruptedException e) {
                isInterrupted = true;
                all.forEach(Thread::interrupt);
            } catch (ExecutionException e) {
                failure = failure.or(() -> Optional.of(Objects.requireNonNull(e.getCause())));
                at++;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        switch (failure.orElse(null)) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /** Those of the JVM. */
    Threads OF_THE_JVM = new Threads() {

        @Override
        public Thread lasting(String name, Runnable work) {
            return Thread.ofPlatform().daemon().name(name).unstarted(work);
        }

        @Override
        public ThreadFactory light() {
            return Thread.ofVirtual().factory();
        }

        @Override
        public int processors() {
            return Runtime.getRuntime().availableProcessors();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time);
        }

        @Override
        public <T> T get(CompletableFuture<T> result, Duration patience)
                throws InterruptedException, ExecutionException, TimeoutException {
            return result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public <T> @Nullable T poll(BlockingQueue<T> queue, Duration within) throws InterruptedException {
            return queue.poll(within.toNanos(), TimeUnit.NANOSECONDS);
        }
    };
}
