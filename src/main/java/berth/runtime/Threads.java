package berth.runtime;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads and waiting. The service uses the threads and the time of the JVM; a simulation has its own, which run faster than real time and
 * always in the same way. This package and that of the broker wait only through this interface.
 */
public interface Threads {

    Logger LOG = LoggerFactory.getLogger(Threads.class);

    /** Creates a thread for work that lasts as long as the service but does not keep it from ending. The thread is not started. */
    Thread lasting(String name, Runnable work);

    /** Creates threads that may be numerous, for work that mostly waits. */
    ThreadFactory light();

    /** Returns how many threads can run at the same time. */
    int processors();

    /** Returns nanoseconds since an arbitrary time; never goes back. */
    long nanoTime();

    void sleep(Duration time) throws InterruptedException;

    /** Waits for a result, for at most that time. */
    <T> T get(CompletableFuture<T> result, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException;

    /** Takes the first element of a queue, waiting for one for at most that time; returns null if none comes. */
    <T> @Nullable T poll(BlockingQueue<T> queue, Duration within) throws InterruptedException;

    /** Waits for the end of a thread that was started, for at most that time; returns whether it has ended. */
    boolean join(Thread thread, Duration within) throws InterruptedException;

    /**
     * Waits for the end of threads that are about to end, for at most that time in total. A component waits so for its own threads when it
     * is closed, because what they use is closed next. An interrupt ends the wait.
     */
    default void awaitEnd(List<Thread> ending, Duration within) {
        long end = nanoTime() + within.toNanos();
        try {
            for (var thread : ending) {
                if (thread.getState() != Thread.State.NEW
                        && !join(thread, Duration.ofNanos(Math.max(0, end - nanoTime())))) {
                    LOG.warn("Berth no longer waits for the thread {}, which has not ended.", thread.getName());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs all of the work, each item in its own thread, and returns once all have ended. An interrupt is passed on to them.
     *
     * @throws RuntimeException of the first item that failed
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

    /** The threads and the time of the JVM. */
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

        @Override
        public boolean join(Thread thread, Duration within) throws InterruptedException {
            return thread.join(within);
        }
    };
}
