package berth.engine;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;

/** Threads that wait for a signal without an end, so that only the signal continues their work. */
public final class OnlyWoken extends ThreadsOfTheJvm {

    private volatile boolean isWaiting;

    /** Returns whether a thread has begun to wait for a signal. */
    boolean isWaiting() {
        return isWaiting;
    }

    @Override
    public <T> T poll(BlockingQueue<T> queue, Duration within) throws InterruptedException {
        isWaiting = true;
        return queue.take();
    }
}
