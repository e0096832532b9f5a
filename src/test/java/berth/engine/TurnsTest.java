package berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    /** A permit for each caller that has arrived and waits. */
    private final Semaphore come = new Semaphore(0);

    private final Turns<String> turns = new Turns<>(new ThreadsThatTell());

    @Test
    void theCallerThatHasWaitedLongestHasTheNextTurn() throws Exception {
        var first = turns.enter("alice", LONG).orElseThrow();
        come.acquire();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        var others = new ArrayList<Thread>();
        for (int number = 0; number < 50; number++) {
            int mine = number;
            others.add(Thread.startVirtualThread(() -> {
                var release = turns.enter("alice", LONG).orElseThrow();
                order.add(mine);
                release.run();
            }));
            come.acquire();
        }

        first.run();

        for (var other : others) {
            assertThat(other.join(LONG)).isTrue();
        }
        assertThat(order)
                .containsExactlyElementsOf(IntStream.range(0, 50).boxed().toList());
    }

    @Test
    void callersThatGaveUpArePassedOver() {
        var first = turns.enter("alice", LONG).orElseThrow();

        assertThat(turns.enter("alice", Duration.ZERO)).isEmpty();
        assertThat(turns.enter("alice", Duration.ZERO)).isEmpty();
        first.run();

        assertThat(turns.enter("alice", Duration.ZERO)).isPresent();
    }

    @Test
    void anInterruptedCallerGivesUp() {
        var first = turns.enter("alice", LONG).orElseThrow();

        Thread.currentThread().interrupt();

        assertThat(turns.enter("alice", LONG)).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
        first.run();
        assertThat(turns.enter("alice", Duration.ZERO)).isPresent();
    }

    @Test
    void eachKeyHasItsOwnTurns() {
        assertThat(turns.enter("alice", LONG)).isPresent();
        assertThat(turns.enter("bob", Duration.ZERO)).isPresent();
    }

    private final class ThreadsThatTell extends ThreadsOfTheJvm {

        @Override
        public <T> T get(CompletableFuture<T> result, Duration patience)
                throws InterruptedException, ExecutionException, TimeoutException {
            come.release();
            return super.get(result, patience);
        }
    }
}
