package berth.runtime;

import org.slf4j.Logger;

/**
 * Logs the first failure of each streak, for work that continues regardless. It never throws, even if logging fails for lack of memory. Not
 * thread-safe.
 */
public final class FailureStreak {

    private final Logger log;
    private final String message;
    private boolean isLogged;

    /**
     * Creates a streak.
     *
     * @param message the log message: what failed and what follows
     */
    public FailureStreak(Logger log, String message) {
        this.log = log;
        this.message = message;
    }

    /** Notes a failure. */
    public void failed(Throwable why) {
        if (isLogged) {
            return;
        }
        try {
            log.error(message, why);
            isLogged = true;
        } catch (Throwable e) {
            // it is logged at the next failure
        }
    }

    /** Notes a success, after which the next failure begins a new streak. */
    public void ended() {
        isLogged = false;
    }
}
