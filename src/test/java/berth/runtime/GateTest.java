package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.engine.ThreadsOfTheJvm;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String A = "a";

    private static final int MOST_WAITING = 64;

    private final Gate gate = gate(PATIENCE);
    private final CountDownLatch open = new CountDownLatch(1);
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> clients = new ArrayList<>();

    @AfterEach
    void close() {
        open.countDown();
        gate.close();
    }

    private static Gate gate(Duration patience) {
        return new Gate("gate", 1, 1, MOST_WAITING, Threads.OF_THE_JVM, patience, times());
    }

    private static Timer times() {
        return Timer.builder("times").register(new SimpleMeterRegistry());
    }

    /** Submits a computation that ends on request, and returns once it waits for its turn or runs. */
    private void handIn(String account, String name) {
        int before = gate.waiting();
        var client = Thread.ofVirtual()
                .start(() -> gate.compute(account, () -> {
                    await(open);
                    return done.add(name);
                }));
        clients.add(client);
        while (gate.waiting() == before && client.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Keeps the only thread busy for an account. */
    private void occupy(String account) {
        var begun = new CountDownLatch(1);
        clients.add(Thread.ofVirtual()
                .start(() -> gate.compute(account, () -> {
                    begun.countDown();
                    await(open);
                    return done.add(account + "1");
                })));
        await(begun);
    }

    private List<String> order() throws InterruptedException {
        open.countDown();
        for (var client : clients) {
            client.join();
        }
        return done;
    }

    @Test
    void anAccountWithMuchWorkWaitsForTheOthers() throws InterruptedException {
        occupy("a");
        handIn("a", "a2");
        handIn("a", "a3");
        handIn("b", "b1");
        handIn("c", "c1");

        assertThat(order()).containsExactly("a1", "b1", "c1", "a2", "a3");
    }

    @Test
    void anAccountWithTooMuchWaitingWorkIsRejectedAndOthersAreNot() throws InterruptedException {
        occupy("a");
        for (int i = 0; i < MOST_WAITING; i++) {
            handIn("a", "a");
        }

        assertThatExceptionOfType(Gate.Overloaded.class).isThrownBy(() -> gate.compute(A, () -> 1));
        handIn("b", "b");
        assertThat(order()).hasSize(MOST_WAITING + 2).startsWith("a1", "b");
        assertThat(gate.compute(A, () -> 2)).isEqualTo(2);
    }

    @Test
    void aComputationThatFailsFailsForItsClientAlone() {
        assertThatIllegalStateException()
                .isThrownBy(() -> gate.compute(A, () -> {
                    throw new IllegalArgumentException("as the test wants it");
                }));
        assertThat(gate.compute(A, () -> 3)).isEqualTo(3);
    }

    @Test
    void aClosedGateAcceptsNoMoreWork() {
        gate.close();
        assertThatExceptionOfType(Gate.Unanswered.class).isThrownBy(() -> gate.compute(A, () -> 1));
    }

    @Test
    void noThreadOfAClosedGateGoesOn() {
        var threads = new ThreadsOfTheJvm();
        var closed = new Gate("gate", 2, 1, MOST_WAITING, threads, PATIENCE, times());
        closed.compute(A, () -> 1);

        closed.close();

        assertThat(threads.living()).isEmpty();
    }

    @Test
    void aClosedGateFinishesTheWaitingWork() throws InterruptedException {
        occupy("a");
        handIn("a", "a2");
        handIn("b", "b1");
        var closing = Thread.ofVirtual().start(gate::close);
        clients.add(closing);
        while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        assertThat(order()).containsExactly("a1", "b1", "a2");
    }

    @Test
    void aCallThatWaitsTooLongIsRefusedAndNothingIsComputedForIt() throws InterruptedException {
        try (var hasty = gate(Duration.ofMillis(50))) {
            var begun = new CountDownLatch(1);
            var first = Thread.ofVirtual()
                    .start(() -> assertThatExceptionOfType(Gate.Unanswered.class)
                            .isThrownBy(() -> hasty.compute(A, () -> {
                                begun.countDown();
                                await(open);
                                return done.add("a1");
                            })));
            await(begun);
            for (var account : List.of("a", "a", "b")) {
                assertThatExceptionOfType(Gate.Unanswered.class)
                        .isThrownBy(() -> hasty.compute(account, () -> done.add("given up")));
            }
            assertThat(hasty.waiting()).isZero();
            first.join();
            open.countDown();
        }
        // it was running: its result is dropped, and the next ones are served
        try (var patient = gate(PATIENCE)) {
            assertThat(patient.compute(A, () -> 1)).isEqualTo(1);
        }
        assertThat(done).doesNotContain("given up");
    }

    @Test
    void aCallerWaitsForItsWorkHoweverLongItTakes() throws Exception {
        try (var hasty = gate(Duration.ofMillis(50))) {
            var result = hasty.attend(A, () -> {
                Thread.sleep(200);
                return 4;
            });
            assertThat(result).isEqualTo(4);
        }
    }

    @Test
    void aCallerWhoseTurnDoesNotComeInTimeLearnsWhenToTryAgain() throws InterruptedException {
        try (var hasty = gate(Duration.ofMillis(50))) {
            var begun = new CountDownLatch(1);
            var first = Thread.ofVirtual()
                    .start(() -> assertThatCode(() -> hasty.attend(A, () -> {
                                begun.countDown();
                                await(open);
                                return 1;
                            }))
                            .doesNotThrowAnyException());
            await(begun);
            assertThatExceptionOfType(Gate.Overloaded.class)
                    .isThrownBy(() -> hasty.attend("b", () -> done.add("late")))
                    .satisfies(e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(1)))
                    .withMessageContaining("Try again in 1 s.");
            open.countDown();
            first.join();
        }
        assertThat(done).isEmpty();
    }

    @Test
    void workAtOneGateNeedsNoTurnAtAnother() throws Exception {
        try (var other = gate(PATIENCE)) {
            occupy("a");
            assertThat(other.attend(A, () -> gate.compute(A, () -> 5))).isEqualTo(5);
        }
    }

    @Test
    void anExceptionOfTheWorkReachesItsCaller() {
        assertThatIOException()
                .isThrownBy(() -> gate.attend(A, () -> {
                    throw new IOException("as the test wants it");
                }));
    }
}
