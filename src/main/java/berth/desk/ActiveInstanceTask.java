package berth.desk;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/** Does by the clock what the instance that decides has to do again and again: not while it is still being done, and once more after it has failed. */
public final class ActiveInstanceTask {

    private final Desks desks;
    private final Logger log;
    private final String undone;
    private final AtomicBoolean isRunning = new AtomicBoolean();

    /** @param undone what is told where it has failed */
    public ActiveInstanceTask(Desks desks, Logger log, String undone) {
        this.desks = desks;
        this.log = log;
        this.undone = undone;
    }

    /** Does it, unless it is being done or this instance does not decide. */
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
