package berth.process;

import java.time.Duration;
import java.util.function.Supplier;

/** Waits for other processes by checking repeatedly. */
final class Waiting {

    private Waiting() {}

    interface Condition {
        boolean holds() throws Exception;
    }

    /**
     * Returns once the condition holds.
     *
     * @param otherwise the message if it does not
     */
    static void until(Duration most, Supplier<String> otherwise, Condition condition) throws Exception {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Waited %s in vain. %s".formatted(most, otherwise.get()));
            }
            Thread.sleep(20);
        }
    }
}
