package berth.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a check in its own thread: every 50 ms while there is something to wait for, and otherwise when {@link #wake} is called, or after
 * a second in case a call was missed.
 */
public final class PeriodicCheck implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PeriodicCheck.class);

    private static final Duration INTERVAL = Duration.ofMillis(50);

    private static final Duration IDLE_INTERVAL = Duration.ofSeconds(1);

    /** How long the end of the service waits for a check in progress. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Threads threads;
    private final Thread thread;
    private final BlockingQueue<Boolean> calls = new ArrayBlockingQueue<>(1);
    private volatile boolean isClosed;

    /**
     * Creates the check.
     *
     * @param look the check, which returns whether there is something to wait for; after it fails in any way it is repeated after
     *     {@code rest}
     */
    public PeriodicCheck(Threads threads, String name, Duration rest, BooleanSupplier look) {
        this.threads = threads;
        this.thread = threads.lasting(name, () -> work(name, rest, look));
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    /** Makes the check take place soon. */
    public void wake() {
        var unused = calls.offer(true);
    }

    private void work(String name, Duration rest, BooleanSupplier look) {
        var streak = new FailureStreak(log, "The %s have failed; Berth tries again.".formatted(name));
        boolean isWaiting = true;
        while (isTime(isWaiting) && !isClosed) {
            try {
                isWaiting = look.getAsBoolean();
                streak.ended();
            } catch (Throwable e) {
                isWaiting = true;
                streak.failed(e);
                sleep(threads, rest);
            }
        }
    }

    /** Waits for the next check; returns false if the service ends meanwhile. */
    private boolean isTime(boolean isWaiting) {
        try {
            if (isWaiting) {
                threads.sleep(INTERVAL);
            } else {
                var unused = threads.poll(calls, IDLE_INTERVAL);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the check was ended. */
    public boolean isClosed() {
        return isClosed;
    }

    /** Waits until {@code goesOn} is false, for at most that time. */
    public static void await(Threads threads, BooleanSupplier goesOn, Duration most) {
        long end = threads.nanoTime() + most.toNanos();
        while (threads.nanoTime() < end && goesOn.getAsBoolean() && sleep(threads, INTERVAL.dividedBy(2))) {
            // the loop checks again
        }
    }

    /** Sleeps; returns false if the service ends meanwhile. */
    public static boolean sleep(Threads threads, Duration time) {
        try {
            threads.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends the check; a run in progress finishes. */
    @Override
    public void close() {
        isClosed = true;
        wake();
        threads.awaitEnd(List.of(thread), PATIENCE);
    }
}
