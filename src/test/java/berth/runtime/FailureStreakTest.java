package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** The first failure of a streak is logged as soon as possible. */
class FailureStreakTest {

    private final List<Object> told = new ArrayList<>();
    private boolean isMemoryShort;
    private final FailureStreak streak = new FailureStreak(logger(), "failed");

    private Logger logger() {
        return (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (_, _, arguments) -> {
                    if (isMemoryShort) {
                        throw new OutOfMemoryError("as the test wants it");
                    }
                    told.addAll(Arrays.asList(arguments));
                    return null;
                });
    }

    @Test
    void reportsTheFirstFailureOfEachStreak() {
        var first = new IllegalStateException("first");
        var next = new IllegalStateException("next");

        streak.failed(first);
        streak.failed(new IllegalStateException("second"));
        streak.ended();
        streak.failed(next);

        assertThat(told).containsExactly("failed", first, "failed", next);
    }

    @Test
    void reportsTheNextFailureIfTheFirstCouldNotBeReported() {
        var second = new IllegalStateException("second");

        isMemoryShort = true;
        streak.failed(new IllegalStateException("first"));
        isMemoryShort = false;
        streak.failed(second);

        assertThat(told).containsExactly("failed", second);
    }
}
