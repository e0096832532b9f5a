package berth.replay;

import berth.terminal.Reply;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * How long and how often the same question is asked while no final answer comes. The pause before the n-th retry is 250 ms
 * · 2^(n−1), at most 8 s, shortened by up to half at random so that the workers do not ask in step; a {@code Retry-After}
 * of the service is waited for where it is longer.
 *
 * @param retries times it is asked again, 0 or more
 * @param within time for one question with all its retries, above zero; one attempt may take a third of it
 */
record Patience(int retries, Duration within) {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);

    /** @throws ReplayException if a value is out of its range */
    Patience {
        if (retries < 0) {
            throw ReplayException.badInput("--retries is %d: give 0 or more.".formatted(retries));
        }
        if (within.compareTo(Duration.ofMillis(10)) < 0 || within.compareTo(Duration.ofDays(1)) > 0) {
            throw ReplayException.badInput("--patience is %s: give a time from PT0.01S to PT24H.".formatted(within));
        }
    }

    /**
     * What came of a question.
     *
     * @param last the final answer, or the last of those that were not
     * @param attempts times it was asked, at least 1
     * @param took from the first asking to the last reply
     */
    record Asked(Reply last, int attempts, Duration took) {}

    /**
     * Asks until the answer is final, patience ends or the signal is raised.
     *
     * @param question is given the time it may take
     */
    Asked ask(Function<Duration, Reply> question, StopSignal stop) {
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            Duration timeout = shorter(within.dividedBy(3), within.minus(since(begin)));
            Reply reply = question.apply(timeout.compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : timeout);
            Duration took = since(begin);
            if (reply.isFinal() || attempt > retries) {
                return new Asked(reply, attempt, took);
            }
            Duration pause = pauseAfter(attempt, reply);
            if (took.plus(pause).compareTo(within) >= 0 || stop.isRaisedWithin(pause)) {
                return new Asked(reply, attempt, took);
            }
        }
    }

    private static Duration pauseAfter(int attempt, Reply reply) {
        Duration pause = shorter(LONGEST_PAUSE, FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 20)));
        long nanos = ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos() + 1);
        Duration jittered = Duration.ofNanos(nanos);
        return reply instanceof Reply.Heard heard && heard.retryAfter().compareTo(jittered) > 0
                ? heard.retryAfter()
                : jittered;
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
