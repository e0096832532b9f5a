package berth.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetriesTest {

    private static final Instant NOW = Instant.parse("2027-01-30T09:30:00.500Z");

    private final Random random = new Random(1);

    private Optional<Duration> after(int failures) {
        return Retries.after(failures, Optional.empty(), random);
    }

    @Test
    void tenAttemptsAreMadeWithLongerAndLongerPauses() {
        var least = List.of("PT5S", "PT5M", "PT30M", "PT2H", "PT5H", "PT10H", "PT14H", "PT20H", "PT24H");

        for (int failures = 1; failures <= least.size(); failures++) {
            var pause = Duration.parse(least.get(failures - 1));
            for (int i = 0; i < 100; i++) {
                assertThat(after(failures).orElseThrow()).isBetween(pause, pause.plusMillis(pause.toMillis() / 10));
            }
        }
        assertThat(after(10)).isEmpty();
        assertThat(after(11)).isEmpty();
    }

    @Test
    void pausesAreSpreadAtRandom() {
        assertThat(IntStream.range(0, 100).mapToObj(_ -> after(2)).distinct()).hasSizeGreaterThan(50);
    }

    @Test
    void aReceiverMayAskForAPauseOfUpToADay() {
        assertThat(Retries.after(1, Optional.of(Duration.ofHours(1)), random)).hasValue(Duration.ofHours(1));
        assertThat(Retries.after(1, Optional.of(Duration.ofDays(30)), random)).hasValue(Duration.ofDays(1));
        assertThat(Retries.after(9, Optional.of(Duration.ofDays(30)), random).orElseThrow())
                .isBetween(Duration.ofDays(1), Duration.ofHours(27));
        // the receiver cannot ask for a shorter pause than usual
        assertThat(Retries.after(3, Optional.of(Duration.ofSeconds(1)), random).orElseThrow())
                .isGreaterThanOrEqualTo(Duration.ofMinutes(30));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0                             | PT0S
            30                            | PT30S
            9999999                       | PT2777H46M39S
            Sat, 30 Jan 2027 10:30:00 GMT | PT59M59.5S
            Sat, 30 Jan 2027 09:30:01 GMT | PT0.5S
            Sat, 30 Jan 2027 09:30:00 GMT | PT0S
            Mon, 1 Jan 2024 00:00:00 GMT  | PT0S
            """)
    void aReceiverAsksForAPauseInSecondsOrUntilADate(String header, Duration asked) {
        assertThat(Retries.asked(header, NOW)).contains(asked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "soon", "-1", "1.5", "12345678", "Sun, 30 Jan 2027 10:30:00 GMT", "2027-01-30T10:30:00Z"})
    void aMalformedHeaderIsIgnored(String header) {
        assertThat(Retries.asked(header, NOW)).isEmpty();
    }

    @Test
    void aDateCountsForADayAtTheMost() {
        var asked = Retries.asked("Fri, 31 Dec 9999 23:59:59 GMT", NOW);

        assertThat(Retries.after(1, asked, random)).hasValue(Duration.ofDays(1));
    }

    @Test
    void aDateOfAReceiverIsComparedWithTheClockOfBerth() throws IOException {
        try (var receiver = new Receiver();
                var sender = new Sender(new Addresses(List.of("127.0.0.0/8")), 1, () -> NOW)) {
            receiver.behaving((_, exchange) -> {
                exchange.getResponseHeaders().add("Retry-After", "Sat, 30 Jan 2027 10:30:00 GMT");
                return 503;
            });

            var reply = sender.send(
                    URI.create(receiver.url()),
                    Map.of("webhook-id", "1", "webhook-timestamp", "1", "webhook-signature", "v1,"),
                    new Payloads.Payload("application/json", "{}".getBytes()));

            assertThat(reply).isEqualTo(new Sender.Reply.Answered(503, Optional.of(Duration.parse("PT59M59.5S"))));
        }
    }
}
