package berth.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetriesTest {

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
    void notAllComeBackAtOnce() {
        assertThat(IntStream.range(0, 100).mapToObj(_ -> after(2)).distinct()).hasSizeGreaterThan(50);
    }

    @Test
    void aReceiverIsLeftAloneAsLongAsItWantsToBeButNoLongerThanADay() {
        assertThat(Retries.after(1, Optional.of(Duration.ofHours(1)), random)).hasValue(Duration.ofHours(1));
        assertThat(Retries.after(1, Optional.of(Duration.ofDays(30)), random)).hasValue(Duration.ofDays(1));
        // sooner than usual it is not called
        assertThat(Retries.after(3, Optional.of(Duration.ofSeconds(1)), random).orElseThrow())
                .isGreaterThanOrEqualTo(Duration.ofMinutes(30));
    }
}
