package berth.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelRunsTest {
    private static final List<Integer> KEYS = IntStream.range(0, 100).boxed().toList();

    @Test
    void returnsResultsInTheOrderOfTheKeys() {
        var last = new CountDownLatch(1);
        List<Integer> results = ParallelRuns.of(
                List.of(1, 2),
                key -> {
                    if (key == 1) {
                        awaited(last);
                    } else {
                        last.countDown();
                    }
                    return 10 * key;
                },
                2,
                () -> {});

        assertThat(results).containsExactly(10, 20);
    }

    @Test
    void reportsEveryFinishedRun() {
        var done = new AtomicInteger();
        ParallelRuns.of(KEYS, key -> key, 3, done::incrementAndGet);

        assertThat(done).hasValue(100);
    }

    @Test
    void failsWithTheFailureOfARun() {
        assertThatThrownBy(() -> ParallelRuns.of(
                        KEYS,
                        key -> {
                            if (key == 50) {
                                throw new BrokenRule("of run 50");
                            }
                            return key;
                        },
                        2,
                        () -> {}))
                .isInstanceOf(BrokenRule.class)
                .hasMessage("of run 50");
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
