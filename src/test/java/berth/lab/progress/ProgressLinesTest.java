package berth.lab.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private long now;

    private final ProgressLines progress =
            new ProgressLines("experiment", 100, new PrintStream(said, true, UTF_8), () -> now);

    private void afterAStepOf(long seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
        progress.step();
    }

    @Test
    void printsTheRemainingTimePeriodically() {
        afterAStepOf(4);
        afterAStepOf(4);
        afterAStepOf(12);
        afterAStepOf(1);

        assertThat(said.toString(UTF_8)).isEqualToNormalizingNewlines("""
                experiment: 3 of 100 runs in 20 s, about 10 min 46 s left
                """);
    }

    @Test
    void saysNothingOfTheLastStep() {
        var one = new ProgressLines("experiment", 1, new PrintStream(said, true, UTF_8), () -> now);
        now += Duration.ofMinutes(1).toNanos();
        one.step();

        assertThat(said.toString(UTF_8)).isEmpty();
    }
}
