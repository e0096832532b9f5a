package berth.runtime;

import java.time.Duration;
import org.slf4j.Logger;

/** Work that a thread goes on with in spite of failures. */
public final class LastingWork {

    private LastingWork() {}

    /** A part of the work. */
    @FunctionalInterface
    public interface Step {

        /** Does the part; returns whether there is another one. */
        boolean run() throws InterruptedException;
    }

    /**
     * Repeats a step until there is none left, or until the thread is interrupted.
     *
     * @param message the log message for the first failure of a streak: what failed and what follows. If the database does not answer,
     *     which is reported elsewhere, it is only for developers
     * @param rest the time without work after a failure
     */
    public static void repeat(Logger log, String message, Duration rest, Step step) {
        var streak = new FailureStreak(log, message);
        boolean goesOn = true;
        while (goesOn) {
            try {
                try {
                    goesOn = step.run();
                    streak.ended();
                } catch (StorageUnavailable e) {
                    log.debug(message, e);
                    Threads.OF_THE_JVM.sleep(rest);
                } catch (RuntimeException | Error e) {
                    streak.failed(e);
                    Threads.OF_THE_JVM.sleep(rest);
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
