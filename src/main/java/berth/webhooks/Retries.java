package berth.webhooks;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Determines when a failed message is sent again: first after five seconds, then after growing pauses for about three days. */
public final class Retries {

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

    /** The longest pause that a receiver can ask for. */
    private static final Duration LONGEST = Duration.ofHours(24);

    /** The largest share by which a pause is prolonged at random, so that messages do not all return at the same time. */
    private static final double JITTER = 0.1;

    private Retries() {}

    /**
     * Returns the pause that a {@code Retry-After} header asks for, given in seconds or as an HTTP date. A date in the past asks for none.
     *
     * @return empty if the header is neither
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
     * Returns the pause after that many failures; empty if there is no further attempt.
     *
     * @param failures the number of failures, at least 1
     * @param asked the pause that the receiver asked for; if it is longer than the planned pause it counts, up to a day
     */
    public static Optional<Duration> after(int failures, Optional<Duration> asked, RandomGenerator random) {
        if (failures > PAUSES.size()) {
            return Optional.empty();
        }
        var pause = PAUSES.get(failures - 1);
        var jittered = pause.plusMillis((long) (pause.toMillis() * JITTER * random.nextDouble()));
        var most = jittered.compareTo(LONGEST) > 0 ? jittered : LONGEST;
        var wanted = asked.filter(time -> time.compareTo(jittered) > 0).orElse(jittered);
        return Optional.of(wanted.compareTo(most) > 0 ? most : wanted);
    }
}
