package berth.terminal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The retry policy for requests without a final reply. The pause before the n-th retry is 250 ms · 2^(n−1), at most 8 s, shortened at
 * random by up to half so that several clients do not retry in step. If the service sends a longer {@code Retry-After}, that is the pause.
 *
 * @param retries the most retries, 0 or more
 * @param within total time for one request and its retries, above zero; one attempt may take a third of it
 */
public record Patience(int retries, Duration within) {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(8);
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

    /** @throws UnusableOption if a value is out of range */
    public Patience {
        if (retries < 0) {
            throw new UnusableOption("--retries is %d. Give 0 or more.".formatted(retries));
        }
        if (within.compareTo(Duration.ofMillis(10)) < 0 || within.compareTo(Duration.ofDays(1)) > 0) {
            throw new UnusableOption("--patience is %s. Give a time from PT0.01S to PT24H.".formatted(within));
        }
    }

    /**
     * Result of a request and its retries.
     *
     * @param last the final reply, or the last reply if none was final
     * @param attempts number of attempts, at least 1
     * @param took time from the first attempt to the last reply
     */
    public record Outcome(HttpResult last, int attempts, Duration took) {}

    /**
     * Sends a request until the reply is final, the patience ends or the thread is interrupted.
     *
     * @param request sends the request once, within the given time
     */
    public Outcome send(Function<Duration, HttpResult> request) {
        return send(request, Patience::isInterruptedWithin);
    }

    /**
     * Sends a request until the reply is final, the patience ends or the caller stops.
     *
     * @param request sends the request once, within the given time
     * @param isStoppedWithin waits for a pause, or until the caller stops, and returns whether it does
     */
    public Outcome send(Function<Duration, HttpResult> request, Predicate<Duration> isStoppedWithin) {
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            Duration timeout = shorter(within.dividedBy(3), within.minus(since(begin)));
            HttpResult reply = request.apply(timeout.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : timeout);
            Duration took = since(begin);
            if (reply.isFinal() || attempt > retries) {
                return new Outcome(reply, attempt, took);
            }
            Duration pause = pauseAfter(attempt, reply);
            if (took.plus(pause).compareTo(within) >= 0 || isStoppedWithin.test(pause)) {
                return new Outcome(reply, attempt, took);
            }
        }
    }

    private static boolean isInterruptedWithin(Duration pause) {
        try {
            Thread.sleep(pause);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static Duration pauseAfter(int attempt, HttpResult reply) {
        Duration pause = shorter(MAX_PAUSE, FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 20)));
        long nanos = ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos() + 1);
        Duration jittered = Duration.ofNanos(nanos);
        return reply instanceof HttpResult.Response response
                        && response.retryAfter().compareTo(jittered) > 0
                ? response.retryAfter()
                : jittered;
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
