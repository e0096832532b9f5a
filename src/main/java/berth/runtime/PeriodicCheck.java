package berth.runtime;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a check in its own thread. */
public final class PeriodicCheck implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PeriodicCheck.class);

    private static final Duration INTERVAL = Duration.ofMillis(50);

    /** How long the end of the service waits for a check in progress. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Threads threads;
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Creates the check.
     *
     * @param look the check; after it fails in any way it is repeated after {@code rest}
     */
    public PeriodicCheck(Threads threads, String name, Duration rest, Runnable look) {
        this.threads = threads;
        this.thread = threads.lasting(name, () -> work(name, rest, look));
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    private void work(String name, Duration rest, Runnable look) {
        var streak = new FailureStreak(log, "The %s have failed; Berth tries again.".formatted(name));
        while (!isClosed && sleep(threads, INTERVAL)) {
            try {
                look.run();
                streak.ended();
            } catch (Throwable e) {
                streak.failed(e);
                sleep(threads, rest);
            }
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
        threads.awaitEnd(List.of(thread), PATIENCE);
    }
}
