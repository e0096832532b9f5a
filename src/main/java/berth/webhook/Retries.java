package berth.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** When a message that did not arrive is sent again: at once at first, then after longer and longer pauses for some three days. */
final class Retries {

    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));

    /** The longest that a receiver may ask to be left alone. */
    private static final Duration LONGEST = Duration.ofHours(24);

    /** The share by which a pause may be longer, so that not all come back at once. */
    private static final double JITTER = 0.1;

    private Retries() {}

    /**
     * For how long a receiver wants to be left alone, as its header {@code Retry-After} says: seconds, or a date as HTTP writes them. A date
     * that has gone by asks for nothing.
     *
     * @return empty if the header says neither
     */
    static Optional<Duration> asked(String header, Instant now) {
        if (header.matches("[0-9]{1,7}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(header)));
        }
        try {
            var date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from);
            return Optional.of(date.isAfter(now) ? Duration.between(now, date) : Duration.ZERO);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * How long to wait after so many attempts have failed; empty if enough have.
     *
     * @param failures at least 1
     * @param asked for how long the receiver wants to be left alone; it is, at least
     */
    static Optional<Duration> after(int failures, Optional<Duration> asked, RandomGenerator random) {
        if (failures > PAUSES.size()) {
            return Optional.empty();
        }
        var pause = PAUSES.get(failures - 1);
        var jittered = pause.plusMillis((long) (pause.toMillis() * JITTER * random.nextDouble()));
        var wanted = asked.filter(time -> time.compareTo(jittered) > 0).orElse(jittered);
        return Optional.of(wanted.compareTo(LONGEST) > 0 && pause.compareTo(LONGEST) < 0 ? LONGEST : wanted);
    }
}
