package berth.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CallFiguresTest {
    private static final long MILLI = 1_000_000;
    private static final CallResult CREATED = new CallResult.Status(201);
    private static final CallResult REFUSED = new CallResult.Status(409);
    private static final CallResult SILENCE = new CallResult.None("no connection");

    private final CallFigures figures = new CallFigures();

    @Test
    void countsFromWhenACallWasDue() {
        for (int i = 1; i <= 100; i++) {
            figures.count(CREATED, 0, 0, 0, i * MILLI);
        }
        assertThat(figures.latency(50)).isCloseTo(50, within(0.1));
        assertThat(figures.latency(99)).isCloseTo(99, within(0.1));
        assertThat(figures.latency(100)).isCloseTo(100, within(0.1));
        assertThat(figures.meanLatency()).isCloseTo(50.5, within(0.1));
    }

    @Test
    void separatesDelaysOfTheClientFromLatencyOfTheService() {
        figures.count(CREATED, 10 * MILLI, 40 * MILLI, 40 * MILLI, 50 * MILLI);
        assertThat(figures.latency(100)).isCloseTo(40, within(0.1));
        assertThat(figures.clientLateness(100)).isZero();

        figures.count(CREATED, 10 * MILLI, 0, 15 * MILLI, 20 * MILLI);
        assertThat(figures.clientLateness(100)).isCloseTo(5, within(0.01));
    }

    @Test
    void countsCallsThatWereNeverMadeUntilTheEnd() {
        figures.countNeverMade(10 * MILLI, 100 * MILLI);

        assertThat(figures.latency(100)).isCloseTo(90, within(0.1));
        assertThat(figures.due()).isEqualTo(1);
        assertThat(figures.made()).isZero();
        assertThat(figures.allSucceeded()).isFalse();
    }

    @Test
    void countsAnswersByTheirStatus() {
        figures.count(CREATED, 0, 0, 0, MILLI);
        figures.count(CREATED, 0, 0, 0, MILLI);
        assertThat(figures.allSucceeded()).isTrue();

        figures.count(REFUSED, 0, 0, 0, MILLI);
        assertThat(figures.allSucceeded()).isFalse();
        figures.count(SILENCE, 0, 0, 0, MILLI);
        assertThat(figures.answers()).isEqualTo(Map.of(CREATED, 2L, REFUSED, 1L, SILENCE, 1L));
    }

    @Test
    void areZeroWithoutACall() {
        assertThat(figures.latency(99.9)).isZero();
        assertThat(figures.meanLatency()).isZero();
        assertThat(figures.allSucceeded()).isTrue();
    }
}
