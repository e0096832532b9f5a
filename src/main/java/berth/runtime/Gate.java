package berth.runtime;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does work whose length depends on its input, on a few threads of its own and for all callers in turn ({@link Lines}). A caller is charged
 * the time that its work holds a thread, and callers that have used less go first, so that a caller with much work waits for itself and not
 * the others for it. The threads are platform threads: the operating system interrupts them for others, whereas a busy virtual thread keeps
 * its processor. Work that is done at a gate has its turn already and passes every gate at once. Thread-safe.
 */
public final class Gate implements AutoCloseable {

    /** The most waiting work of all callers. */
    static final int MAX = 4096;

    /** The longest time after which a rejected caller is told to try again. */
    private static final double MAX_RETRY_SECONDS = 30;

    /** How long the end of the service waits for work that nobody waits for any more. */
    private static final Duration ENDING = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(Gate.class);

    private static final String CLOSED = "The service is shutting down; try again once it is back.";

    private static final ScopedValue<Gate> INSIDE = ScopedValue.newInstance();

    /** Too much work waits, for this caller or in total, or the caller's turn did not come in time. */
    public static final class Overloaded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        Overloaded(String what, Duration retryAfter) {
            super(what, null, false, false);
            this.retryAfter = retryAfter;
        }

        /** Returns after what time the caller should try again: the longer, the more it has used lately. */
        public Duration retryAfter() {
            return retryAfter;
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

    private final Threads threads;
    private final List<Thread> workers;
    private final Duration patience;
    private final int mostWaiting;
    private final Timer times;

    private final Lock lock = new ReentrantLock();

    /** Signals that there is work, or that there will be none any more. */
    private final Condition isWork = lock.newCondition();

    // guarded by the lock
    private final Lines<Runnable> lines;
    private boolean isClosed;

    /**
     * Creates a gate.
     *
     * @param name the name of its threads
     * @param number the number of threads, at least 1
     * @param each how many turns of one caller may be in progress at a time
     * @param mostWaiting how much work of one caller may wait
     * @param patience how long a caller waits for its turn, and for a result that it need not have
     * @param times measures the work, without the wait for its turn
     */
    public Gate(String name, int number, int each, int mostWaiting, Threads threads, Duration patience, Timer times) {
        this.threads = threads;
        this.patience = patience;
        this.mostWaiting = mostWaiting;
        this.times = times;
        this.lines = new Lines<>(each);
        this.workers = IntStream.range(0, number)
                .mapToObj(i -> threads.lasting(name + "-" + i, this::work))
                .toList();
        workers.forEach(Thread::start);
    }

    /** Returns how much work waits for its turn. */
    public int waiting() {
        lock.lock();
        try {
            return lines.waiting();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the caller's turn and for the result. Work that still waits when patience runs out is never done; the result of work in
     * progress is dropped.
     *
     * @throws Overloaded if too much work waits
     * @throws Unanswered if there is no result in time
     */
    public <T> T compute(Object caller, Supplier<T> work) {
        if (INSIDE.isBound()) {
            return INSIDE.get() == this ? work.get() : measured(work);
        }
        var result = new CompletableFuture<T>();
        var task = submit(caller, result, work::get);
        try {
            return threads.get(result, patience);
        } catch (TimeoutException e) {
            withdraw(caller, task);
            throw new Unanswered("The request takes too long to compute at the moment; try again later.");
        } catch (InterruptedException e) {
            withdraw(caller, task);
            Thread.currentThread().interrupt();
            throw new Unanswered(CLOSED);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A long computation has failed.", e.getCause());
        }
    }

    /**
     * Waits for the caller's turn, and then for the end of the work, however long it takes: nothing that the work uses is in use any more
     * when this method returns.
     *
     * @throws Overloaded if too much work waits, or if the turn did not come in time
     * @throws Unanswered if the service is shutting down
     * @throws Exception as the work throws it
     */
    public <T> T attend(Object caller, Callable<T> work) throws Exception {
        if (INSIDE.isBound()) {
            return work.call();
        }
        var result = new CompletableFuture<T>();
        var task = submit(caller, result, work);
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return threads.get(result, patience);
                } catch (TimeoutException e) {
                    if (withdraw(caller, task)) {
                        throw overloaded(caller, "The account has to wait too long for its turn.");
                    }
                } catch (InterruptedException e) {
                    isInterrupted = true;
                    if (withdraw(caller, task)) {
                        throw new Unanswered(CLOSED);
                    }
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Does work that has its turn at another gate. */
    private <T> T measured(Supplier<T> work) {
        long began = threads.nanoTime();
        var found = work.get();
        times.record(Duration.ofNanos(threads.nanoTime() - began));
        return found;
    }

    private <T> Runnable submit(Object caller, CompletableFuture<T> result, Callable<T> work) {
        Runnable task = () -> {
            long began = threads.nanoTime();
            try {
                var found = ScopedValue.where(INSIDE, this).call(work::call);
                times.record(Duration.ofNanos(threads.nanoTime() - began));
                result.complete(found);
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        };
        lock.lock();
        try {
            if (isClosed) {
                throw new Unanswered(CLOSED);
            }
            int own = lines.waiting(caller);
            if (own >= mostWaiting) {
                throw overloaded(
                        caller,
                        "%d such requests of this account wait already; send them one after the other.".formatted(own));
            }
            if (lines.waiting() >= MAX) {
                throw overloaded(caller, "Too many such requests wait already.");
            }
            lines.add(caller, task);
            isWork.signal();
            return task;
        } finally {
            lock.unlock();
        }
    }

    private Overloaded overloaded(Object caller, String why) {
        lock.lock();
        try {
            double used = lines.used(caller, threads.nanoTime()) / 1e9;
            long seconds = (long) Math.ceil(Math.clamp(used, 1, MAX_RETRY_SECONDS));
            return new Overloaded("%s Try again in %d s.".formatted(why, seconds), Duration.ofSeconds(seconds));
        } finally {
            lock.unlock();
        }
    }

    /** Removes work whose caller has given up. Returns {@code false}, and changes nothing, once it is in progress. */
    private boolean withdraw(Object caller, Runnable task) {
        lock.lock();
        try {
            return lines.remove(caller, task);
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
                log.error("Work in its turn has failed; the next turn begins.", e);
            }
        }
    }

    /** Does one piece of work; returns false once there is nothing left to do. */
    private boolean workOnce() {
        var turn = next();
        turn.ifPresent(present -> {
            long began = threads.nanoTime();
            try {
                present.work().run();
            } finally {
                end(present.caller(), began);
            }
        });
        return turn.isPresent();
    }

    /** Returns the next turn; empty once the gate is closed and nothing waits. */
    private Optional<Lines.Next<Runnable>> next() {
        lock.lock();
        try {
            while (true) {
                var next = lines.next(threads.nanoTime());
                if (next.isPresent() || (isClosed && lines.waiting() == 0)) {
                    return next;
                }
                try {
                    isWork.await();
                } catch (InterruptedException e) {
                    return Optional.empty();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(Object caller, long began) {
        lock.lock();
        try {
            lines.end(caller, began, threads.nanoTime());
            isWork.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Accepts nothing more, and waits briefly for the threads to end. Waiting work is still done. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            isWork.signalAll();
        } finally {
            lock.unlock();
        }
        threads.awaitEnd(workers, ENDING);
    }
}
