package berth.engine;

import berth.runtime.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The threads and the time of the JVM, of which a test may change some. It knows the lasting threads. */
public class ThreadsOfTheJvm implements Threads {

    /** How much later than its work a lasting thread ends, so that the end of the work does not pass for the end of the thread. */
    private static final Duration LINGERING = Duration.ofMillis(100);

    private final ConcurrentLinkedQueue<Thread> lasting = new ConcurrentLinkedQueue<>();

    /** Returns the names of the lasting threads that have not ended. */
    public List<String> living() {
        return lasting.stream().filter(Thread::isAlive).map(Thread::getName).toList();
    }

    @Override
    public Thread lasting(String name, Runnable work) {
        var thread = OF_THE_JVM.lasting(name, () -> {
            work.run();
            linger();
        });
        lasting.add(thread);
        return thread;
    }

    private static void linger() {
        try {
            // a component may have interrupted its thread
            Thread.interrupted();
            Thread.sleep(LINGERING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public ThreadFactory light() {
        return OF_THE_JVM.light();
    }

    @Override
    public int processors() {
        return OF_THE_JVM.processors();
    }

    @Override
    public long nanoTime() {
        return OF_THE_JVM.nanoTime();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        OF_THE_JVM.sleep(time);
    }

    @Override
    public <T> T get(CompletableFuture<T> result, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException {
        return OF_THE_JVM.get(result, patience);
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, Duration within) throws InterruptedException {
        return OF_THE_JVM.poll(queue, within);
    }

    @Override
    public boolean join(Thread thread, Duration within) throws InterruptedException {
        return OF_THE_JVM.join(thread, within);
    }
}
