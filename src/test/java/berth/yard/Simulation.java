package berth.yard;

import berth.runtime.Threads;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs processes in one thread, in an order that a generator draws, and in a time that advances only while all of them wait. A seed
 * therefore always gives the same history, and a day takes a moment.
 *
 * <p>The threads of a process are virtual threads on its own scheduler, which the JVM does not offer publicly: {@code java.lang} must be
 * opened. They switch only where they wait for each other or for time, so nothing between two waits is interrupted. A process that dies
 * simply does not continue.
 */
final class Simulation {

    private static final Constructor<?> BUILDER = builder();

    /** A history takes a few thousand steps; one with this many never ends. */
    private static final long MAX_STEPS = 5_000_000;

    private final Random random;
    private final Instant begin;

    /** How much later than requested a sleeping thread may wake, so that periodic checks are cheap while nothing happens. */
    private final long grain;

    /** The steps that can run now; their order does not matter. */
    private final List<Step> ready = new ArrayList<>();

    private final List<Waiter> waiters = new ArrayList<>();
    private long nanos;

    /** The time until which some process is paused. */
    private long lastStandstill;

    private long steps;
    private @Nullable Throwable failure;

    private record Step(Process process, Runnable goOn) {
        boolean canGoOn() {
            return process.isGoing();
        }
    }

    /** A thread that waits for a condition or a time. */
    private static final class Waiter {
        private final Process process;
        private final Thread thread;
        private final BooleanSupplier condition;
        private final long until;
        private boolean isOver;

        Waiter(Process process, BooleanSupplier condition, long until) {
            this.process = process;
            this.thread = Thread.currentThread();
            this.condition = condition;
            this.until = until;
        }
    }

    Simulation(Random random, Instant begin, Duration grain) {
        this.random = random;
        this.begin = begin;
        this.grain = grain.toNanos();
    }

    private static Constructor<?> builder() {
        try {
            var constructor = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            return constructor;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This JVM makes its virtual threads otherwise.", e);
        }
    }

    /** Returns how many steps have run. */
    long steps() {
        return steps;
    }

    /** Returns the time since the beginning. */
    Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    /** Returns the correct time. */
    Instant now() {
        return begin.plusNanos(nanos);
    }

    /** Runs until a condition is true; returns false if it is not by that time. */
    boolean runUntil(BooleanSupplier condition, Duration most) {
        long end = nanos + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (!step(end)) {
                return false;
            }
        }
        return true;
    }

    /** Runs for that time. */
    void run(Duration time) {
        runUntil(() -> false, time);
    }

    /** Runs one step, after advancing time if none is ready; returns false if none is before the end, which is then the present time. */
    private boolean step(long end) {
        wake();
        while (!isAnyReady()) {
            long next = end;
            for (var waiter : waiters) {
                next = Math.min(next, Math.max(waiter.until, waiter.process.stillUntil));
            }
            nanos = Math.max(nanos, Math.min(next, whenStandstillEnds()));
            wake();
            if (!isAnyReady() && nanos >= end) {
                return false;
            }
        }
        var step = chosen();
        if (step.process.isAlive) {
            if (++steps > MAX_STEPS) {
                throw new AssertionError("It goes on for ever.");
            }
            step.goOn.run();
        }
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
        return true;
    }

    private boolean isAnyReady() {
        synchronized (ready) {
            return isAllGoing() ? !ready.isEmpty() : ready.stream().anyMatch(Step::canGoOn);
        }
    }

    private Step chosen() {
        synchronized (ready) {
            int chosen;
            do {
                chosen = random.nextInt(ready.size());
            } while (!ready.get(chosen).canGoOn());
            var step = ready.get(chosen);
            ready.set(chosen, ready.getLast());
            ready.removeLast();
            return step;
        }
    }

    private boolean isAllGoing() {
        return nanos >= lastStandstill;
    }

    /** Returns when the next paused process with ready steps continues. */
    private long whenStandstillEnds() {
        synchronized (ready) {
            return isAllGoing()
                    ? Long.MAX_VALUE
                    : ready.stream()
                            .mapToLong(step -> step.process.stillUntil)
                            .filter(until -> until > nanos)
                            .min()
                            .orElse(Long.MAX_VALUE);
        }
    }

    /** Ends the simulation because of an error. */
    void fail(Throwable why) {
        if (failure == null) {
            failure = why;
        }
    }

    private void wake() {
        for (int i = 0; i < waiters.size(); i++) {
            var waiter = waiters.get(i);
            if (!waiter.process.isAlive) {
                waiters.set(i--, waiters.getLast());
                waiters.removeLast();
            } else if (waiter.process.isGoing() && (waiter.until <= nanos || waiter.condition.getAsBoolean())) {
                waiters.set(i--, waiters.getLast());
                waiters.removeLast();
                waiter.isOver = true;
                LockSupport.unpark(waiter.thread);
            }
        }
    }

    /** A process, which runs until it ends or dies. */
    final class Process implements Executor, Threads, InstantSource {

        private boolean isAlive = true;
        private Duration ahead = Duration.ZERO;
        private @Nullable Instant stopped;
        private long stillUntil;

        /** Pauses it for that time; its clock continues. */
        void standStill(Duration time) {
            stillUntil = nanos + time.toNanos();
            lastStandstill = Math.max(lastStandstill, stillUntil);
        }

        private boolean isGoing() {
            return nanos >= stillUntil || !isAlive;
        }

        boolean isAlive() {
            return isAlive;
        }

        /** Ends it between two of its steps; nothing of it continues. */
        void die() {
            isAlive = false;
        }

        /** Sets its clock ahead of the correct time, or behind it. */
        void setClock(Duration ahead) {
            this.ahead = ahead;
            stopped = null;
        }

        /** Stops its clock. */
        void stopClock() {
            stopped = instant();
        }

        @Override
        public Instant instant() {
            return stopped == null ? now().plus(ahead) : stopped;
        }

        /** Called when a waiting thread can continue, possibly by another thread of the JVM with which it shares a lock. */
        @Override
        public void execute(Runnable goOn) {
            synchronized (ready) {
                ready.add(new Step(this, goOn));
            }
        }

        /** Starts a thread. An exception in it ends the simulation. */
        void begin(String name, Runnable work) {
            thread(name, () -> {
                        try {
                            work.run();
                        } catch (Throwable e) {
                            fail(e);
                        }
                    })
                    .start();
        }

        private Thread thread(String name, Runnable work) {
            try {
                return ((Thread.Builder) BUILDER.newInstance(this))
                        .name(Silence.PREFIX + name)
                        .unstarted(work);
            } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Thread lasting(String name, Runnable work) {
            return thread(name, work);
        }

        @Override
        public ThreadFactory light() {
            return work -> thread("light", work);
        }

        /** The same on every machine, so that histories do not differ. */
        @Override
        public int processors() {
            return 2;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            until(() -> false, later(time));
        }

        @Override
        public <T> T get(CompletableFuture<T> result, Duration patience)
                throws InterruptedException, ExecutionException, TimeoutException {
            if (!until(result::isDone, patience)) {
                throw new TimeoutException();
            }
            return result.get();
        }

        @Override
        public <T> @Nullable T poll(BlockingQueue<T> queue, Duration within) throws InterruptedException {
            until(() -> !queue.isEmpty(), later(within));
            return queue.poll();
        }

        @Override
        public boolean join(Thread thread, Duration within) throws InterruptedException {
            return until(() -> thread.getState() == Thread.State.TERMINATED, within);
        }

        private Duration later(Duration time) {
            return grain == 0 ? time : time.plusNanos(random.nextLong(grain));
        }

        /** Returns whether the condition became true in that time. */
        boolean until(BooleanSupplier condition, Duration patience) throws InterruptedException {
            if (condition.getAsBoolean()) {
                return true;
            }
            var waiter = new Waiter(this, condition, nanos + Math.max(0, patience.toNanos()));
            waiters.add(waiter);
            while (!waiter.isOver) {
                LockSupport.park();
                if (Thread.interrupted()) {
                    waiters.remove(waiter);
                    throw new InterruptedException();
                }
            }
            return condition.getAsBoolean();
        }

        /** Lets time pass and others run. */
        void pause(Duration time) {
            try {
                until(() -> false, time);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
