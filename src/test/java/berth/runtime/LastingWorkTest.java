package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LastingWorkTest {

    private final AtomicInteger steps = new AtomicInteger();

    private void repeat(LastingWork.Step step) {
        LastingWork.repeat(LoggerFactory.getLogger(LastingWorkTest.class), "The work has failed.", Duration.ZERO, step);
    }

    @Test
    void goesOnAfterFailuresUntilNothingIsLeft() {
        repeat(() -> switch (steps.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("on purpose");
            case 2 -> throw new StorageUnavailable(new IllegalStateException("on purpose"));
            case 3 -> throw new AssertionError("on purpose");
            default -> steps.get() < 6;
        });

        assertThat(steps).hasValue(6);
    }

    @Test
    void endsWhenTheThreadIsInterrupted() {
        repeat(() -> {
            steps.incrementAndGet();
            throw new InterruptedException();
        });
        assertThat(steps).hasValue(1);

        repeat(() -> {
            steps.incrementAndGet();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("on purpose");
        });
        assertThat(steps).hasValue(2);
    }
}
