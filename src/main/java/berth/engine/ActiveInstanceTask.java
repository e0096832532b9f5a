package berth.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/** A periodic task of the active instance. It does not run twice at the same time, and it is repeated after a failure. */
public final class ActiveInstanceTask {

    private final Desks desks;
    private final Logger log;
    private final String undone;
    private final AtomicBoolean isRunning = new AtomicBoolean();

    /**
     * Creates the task.
     *
     * @param undone the log message after a failure
     */
    public ActiveInstanceTask(Desks desks, Logger log, String undone) {
        this.desks = desks;
        this.log = log;
        this.undone = undone;
    }

    /** Runs the work, unless it is already running or this instance is not active. */
    public void once(Runnable work) {
        if (!desks.isWorking() || !isRunning.compareAndSet(false, true)) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException e) {
            log.debug(undone, e);
        } finally {
            isRunning.set(false);
        }
    }
}
