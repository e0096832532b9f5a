package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class ThreadsTest {

    @Test
    void tasksRunAtTheSameTime() {
        var together = new CyclicBarrier(3);
        var done = new ConcurrentLinkedQueue<Integer>();
        Runnable one = () -> {
            try {
                done.add(together.await());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };

        Threads.OF_THE_JVM.together(List.of(one, one, one));

        assertThat(done).containsExactlyInAnyOrder(0, 1, 2);
        Threads.OF_THE_JVM.together(List.of());
    }

    @Test
    void aFailureIsThrownOnceAllTasksHaveEnded() {
        var done = new ConcurrentLinkedQueue<String>();
        Runnable fails = () -> {
            throw new IllegalStateException("as the test wants it");
        };

        assertThatIllegalStateException()
                .isThrownBy(() -> Threads.OF_THE_JVM.together(List.of(fails, () -> done.add("the other"))))
                .withMessage("as the test wants it");

        assertThat(done).containsExactly("the other");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Threads.OF_THE_JVM.together(List.of(() -> {
                    throw new AssertionError("an error stays one");
                })));
    }

    @Test
    void anInterruptedCallerInterruptsTheTasks() {
        var never = new CountDownLatch(1);
        var done = new ConcurrentLinkedQueue<String>();
        Thread.currentThread().interrupt();

        Threads.OF_THE_JVM.together(List.of(() -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                done.add("interrupted");
            }
        }));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).containsExactly("interrupted");
    }
}
