package berth.http;

import berth.runtime.FailureStreak;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** HTTP/1.1 that closes connections whose client does not send the complete head of a request in time, however often it sends a byte. */
public final class HeadDeadline extends Http11NioProtocol {

    private static final long SECONDS = 10;

    private final FailureStreak streak = new FailureStreak(
            LoggerFactory.getLogger(HeadDeadline.class),
            "Connections that are late with the head of a request could not be closed; Berth tries again.");

    private @Nullable ScheduledExecutorService watch;

    @Override
    public void start() throws Exception {
        super.start();
        watch = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("head-deadline").factory());
        var _ = watch.scheduleWithFixedDelay(this::tryEndLate, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void stop() throws Exception {
        if (watch != null) {
            watch.shutdownNow();
            var _ = watch.awaitTermination(1, TimeUnit.SECONDS);
        }
        super.stop();
    }

    /** Closes the connections that are late. The executor would never repeat a task that throws. */
    private void tryEndLate() {
        try {
            endLate();
            streak.ended();
        } catch (RuntimeException | Error e) {
            streak.failed(e);
        }
    }

    /** Closes the connections that are late. A connection that waits for the rest of a head has a processor but no thread. */
    private void endLate() {
        long now = System.nanoTime();
        getEndpoint().getConnections().stream()
                .filter(connection -> connection.getCurrentProcessor() instanceof Processor waiting
                        && isLate(waiting.getRequest().getStartTimeNanos(), now))
                .forEach(connection -> connection.close());
    }

    private static boolean isLate(long begun, long now) {
        return begun >= 0 && now - begun > TimeUnit.SECONDS.toNanos(SECONDS);
    }
}
