package berth.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.desk.SideDesk.Asker;
import berth.sla.AccountName;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SideDeskTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Asker A = asker("a");

    private final SideDesk sideDesk = new SideDesk(1, Threads.OF_THE_JVM, PATIENCE, new SimpleMeterRegistry());
    private final CountDownLatch open = new CountDownLatch(1);
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> clients = new ArrayList<>();

    @AfterEach
    void close() {
        open.countDown();
        sideDesk.close();
    }

    private static Asker asker(String account) {
        return new Asker.Account(new AccountName(account));
    }

    /** Submits a computation that ends on request, and returns once it waits for its turn or runs. */
    private void handIn(String account, String name) {
        int before = sideDesk.waiting();
        var client = Thread.ofVirtual()
                .start(() -> sideDesk.compute(asker(account), () -> {
                    await(open);
                    return done.add(name);
                }));
        clients.add(client);
        while (sideDesk.waiting() == before && client.getState() != Thread.State.TERMINATED) {
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
                .start(() -> sideDesk.compute(asker(account), () -> {
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
    void accountsTakeTurns() throws InterruptedException {
        occupy("a");
        handIn("a", "a2");
        handIn("a", "a3");
        handIn("a", "a4");
        handIn("b", "b1");
        handIn("b", "b2");
        handIn("c", "c1");

        assertThat(order()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    }

    @Test
    void anAccountThatAsksForTooMuchIsSentAwayAndOthersAreNot() throws InterruptedException {
        occupy("a");
        for (int i = 0; i < SideDesk.MAX_PER_ACCOUNT; i++) {
            handIn("a", "a");
        }

        assertThatExceptionOfType(SideDesk.Overloaded.class).isThrownBy(() -> sideDesk.compute(A, () -> 1));
        handIn("b", "b");
        assertThat(order()).hasSize(SideDesk.MAX_PER_ACCOUNT + 2).startsWith("a1", "b");
        assertThat(sideDesk.compute(A, () -> 2)).isEqualTo(2);
    }

    @Test
    void aComputationThatFailsFailsForItsClientAlone() {
        assertThatIllegalStateException()
                .isThrownBy(() -> sideDesk.compute(A, () -> {
                    throw new IllegalArgumentException("as the test wants it");
                }));
        assertThat(sideDesk.compute(A, () -> 3)).isEqualTo(3);
    }

    @Test
    void aClosedOneTakesNothingMore() {
        sideDesk.close();
        assertThatExceptionOfType(SideDesk.Unanswered.class).isThrownBy(() -> sideDesk.compute(A, () -> 1));
    }

    @Test
    void aClosedOneFinishesWhatWaits() throws InterruptedException {
        occupy("a");
        handIn("a", "a2");
        handIn("b", "b1");
        sideDesk.close();

        assertThat(order()).containsExactly("a1", "b1", "a2");
    }

    @Test
    void whoeverWaitsTooLongIsSentAwayAndNothingIsComputedForIt() throws InterruptedException {
        try (var hasty = new SideDesk(1, Threads.OF_THE_JVM, Duration.ofMillis(50), new SimpleMeterRegistry())) {
            var begun = new CountDownLatch(1);
            var first = Thread.ofVirtual()
                    .start(() -> assertThatExceptionOfType(SideDesk.Unanswered.class)
                            .isThrownBy(() -> hasty.compute(A, () -> {
                                begun.countDown();
                                await(open);
                                return done.add("a1");
                            })));
            await(begun);
            for (var account : List.of("a", "a", "b")) {
                assertThatExceptionOfType(SideDesk.Unanswered.class)
                        .isThrownBy(() -> hasty.compute(asker(account), () -> done.add("given up")));
            }
            assertThat(hasty.waiting()).isZero();
            first.join();
            open.countDown();
        }
        // it was running: nobody gets its result, and the next ones are served
        try (var patient = new SideDesk(1, Threads.OF_THE_JVM, PATIENCE, new SimpleMeterRegistry())) {
            assertThat(patient.compute(A, () -> 1)).isEqualTo(1);
        }
        assertThat(done).doesNotContain("given up");
    }
}
