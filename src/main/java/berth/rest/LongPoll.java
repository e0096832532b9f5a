package berth.rest;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for news. It waits between its turns at the gate, not in them: it is carried out, and if there is nothing to return yet,
 * it returns null, waits, and is carried out again.
 */
final class LongPoll implements AutoCloseable {

    /** The interval at which a waiting call checks whether it must stop waiting. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private static final String ATTRIBUTE = LongPoll.class.getName();

    private final EventFeed.Listener listener;
    private final BooleanSupplier isStillGood;
    private final long end;
    private boolean isOver;

    private LongPoll(EventFeed.Listener listener, BooleanSupplier isStillGood, Duration most) {
        this.listener = listener;
        this.isStillGood = isStillGood;
        this.end = System.nanoTime() + most.toNanos();
    }

    /**
     * Makes a call wait.
     *
     * @param isStillGood whether the listener still receives what the caller may read; otherwise the call waits no longer
     * @param most how long the call waits
     */
    static void begin(
            HttpServletRequest request, EventFeed.Listener listener, BooleanSupplier isStillGood, Duration most) {
        request.setAttribute(ATTRIBUTE, new LongPoll(listener, isStillGood, most));
    }

    /** Returns the wait that a call has begun; empty if it has not begun one. */
    static Optional<LongPoll> of(HttpServletRequest request) {
        return Optional.ofNullable((@Nullable LongPoll) request.getAttribute(ATTRIBUTE));
    }

    /** Returns whether the call must return a response now, even if there is nothing new. */
    boolean isOver() {
        return isOver;
    }

    /** Waits for news or until the wait is over. */
    void await() {
        try {
            do {
                if (listener.next(CHECK_INTERVAL) != null) {
                    return;
                }
            } while (System.nanoTime() < end && !listener.isOver() && isStillGood.getAsBoolean());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        isOver = true;
    }

    @Override
    public void close() {
        listener.close();
    }
}
