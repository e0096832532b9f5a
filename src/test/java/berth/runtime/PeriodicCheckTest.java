package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.engine.OnlyWoken;
import berth.engine.ThreadsOfTheJvm;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Background work continues after any failure. */
class PeriodicCheckTest {

    @Test
    void aCheckGoesOnAfterAnError() {
        var looks = new AtomicInteger();
        try (var pulse = new PeriodicCheck(Threads.OF_THE_JVM, "test", Duration.ofMillis(1), () -> {
            if (looks.incrementAndGet() < 3) {
                throw new OutOfMemoryError("as the test wants it");
            }
            return true;
        })) {
            pulse.start();

            await().until(() -> looks.get() > 3);
        }
    }

    @Test
    void anIdleCheckTakesPlaceWhenItIsWoken() {
        var looks = new AtomicInteger();
        try (var pulse = new PeriodicCheck(new OnlyWoken(), "test", Duration.ofMillis(1), () -> {
            looks.incrementAndGet();
            return false;
        })) {
            pulse.start();
            await().until(() -> looks.get() == 1);

            pulse.wake();

            await().until(() -> looks.get() == 2);
        }
    }

    @Test
    void theThreadOfAClosedCheckHasEnded() {
        var threads = new ThreadsOfTheJvm();
        var pulse = new PeriodicCheck(threads, "test", Duration.ofMillis(1), () -> true);
        pulse.start();

        pulse.close();

        assertThat(threads.living()).isEmpty();
    }
}
