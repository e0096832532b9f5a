package berth.desk;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks again and again whether something is to be done, in a thread of its own. */
public final class Pulse implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Pulse.class);

    private static final Duration INTERVAL = Duration.ofMillis(50);

    /** How long the end of the service waits for what is being done. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Thread thread;
    private volatile boolean isClosed;

    /** @param look what is done each time; where it fails it is done again after {@code rest} */
    public Pulse(String name, Duration rest, Runnable look) {
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> work(name, rest, look));
    }

    /** Begins to look. */
    public void start() {
        thread.start();
    }

    private void work(String name, Duration rest, Runnable look) {
        while (!isClosed && sleep(INTERVAL)) {
            try {
                look.run();
            } catch (RuntimeException e) {
                log.error("The {} have failed; what is to be done will be tried again.", name, e);
                sleep(rest);
            }
        }
    }

    /** Whether it looks no more. */
    public boolean isClosed() {
        return isClosed;
    }

    /** Waits until something is over, but no longer than that. */
    public static void await(BooleanSupplier goesOn, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        while (System.nanoTime() < end && goesOn.getAsBoolean() && sleep(INTERVAL.dividedBy(2))) {
            // looks again
        }
    }

    /** Answers whether the whole time has passed: if not, the service ends. */
    static boolean sleep(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Looks no more; what is being done comes to its end. */
    @Override
    public void close() {
        isClosed = true;
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
