package berth.http;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for news. It waits between its turns at the gate, not in them: it is carried out, and if there is nothing to return yet,
 * it returns null, waits, and is carried out again.
 */
public final class LongPoll implements AutoCloseable {

    /** The change that a call waits for. */
    public interface News extends AutoCloseable {

        /**
         * Waits for news.
         *
         * @return whether there are some within the time
         */
        boolean await(Duration patience) throws InterruptedException;

        /** Returns whether no more news will come. */
        boolean isOver();

        @Override
        void close();
    }

    /** The interval at which a waiting call checks whether it must stop waiting. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private static final String ATTRIBUTE = LongPoll.class.getName();

    private final News news;
    private final BooleanSupplier isStillGood;
    private final long end;
    private boolean isOver;

    private LongPoll(News news, BooleanSupplier isStillGood, Duration most) {
        this.news = news;
        this.isStillGood = isStillGood;
        this.end = System.nanoTime() + most.toNanos();
    }

    /**
     * Makes a call wait.
     *
     * @param isStillGood whether the news is still the caller may read; otherwise the call waits no longer
     * @param most how long the call waits
     */
    public static void begin(HttpServletRequest request, News news, BooleanSupplier isStillGood, Duration most) {
        request.setAttribute(ATTRIBUTE, new LongPoll(news, isStillGood, most));
    }

    /** Returns the wait that a call has begun; empty if it has not begun one. */
    public static Optional<LongPoll> of(HttpServletRequest request) {
        return Optional.ofNullable((@Nullable LongPoll) request.getAttribute(ATTRIBUTE));
    }

    /** Returns whether the call must return a response now, even if there is nothing new. */
    public boolean isOver() {
        return isOver;
    }

    /** Waits for news or until the wait is over. */
    void await() {
        try {
            do {
                if (news.await(CHECK_INTERVAL)) {
                    return;
                }
            } while (System.nanoTime() < end && !news.isOver() && isStillGood.getAsBoolean());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        isOver = true;
    }

    @Override
    public void close() {
        news.close();
    }
}
