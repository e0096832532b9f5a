package berth.rest;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 for clients who send the head of a request within a time, however often they send a byte of it. */
public final class HeadDeadline extends Http11NioProtocol {

    private static final long SECONDS = 10;

    private @Nullable ScheduledExecutorService watch;

    @Override
    public void start() throws Exception {
        super.start();
        watch = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("head-deadline").factory());
        var _ = watch.scheduleWithFixedDelay(this::endLate, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void stop() throws Exception {
        if (watch != null) {
            watch.shutdownNow();
        }
        super.stop();
    }

    /** A connection has a processor while it waits for the rest of a head, and no thread has it then. */
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
