package berth.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void callsArriveAtTheGivenRate() {
        List<Long> due = all(open(500, 100 * SECOND), 0);

        assertThat(due).isSorted().hasSizeBetween(49_000, 51_000);
        assertThat(due.getLast()).isLessThan(100 * SECOND);
    }

    /** The share of gaps above the mean is that of a Poisson process. */
    @Test
    void comeAtRandom() {
        List<Long> due = all(open(1_000, 100 * SECOND), 0);
        int longGaps = 0;
        for (int i = 1; i < due.size(); i++) {
            longGaps += due.get(i) - due.get(i - 1) > SECOND / 1_000 ? 1 : 0;
        }
        assertThat(longGaps / (double) due.size()).isCloseTo(Math.exp(-1), within(0.01));
    }

    @Test
    void doNotWaitForAnswers() {
        assertThat(all(open(500, SECOND), 0)).isEqualTo(all(open(500, SECOND), 3 * SECOND));
    }

    @Test
    void withoutARateACallIsDueAtOnce() {
        var arrivals = new Arrivals.Closed(SECOND);

        assertThat(arrivals.next(7)).isEqualTo(OptionalLong.of(7));
        assertThat(arrivals.next(SECOND - 1)).isEqualTo(OptionalLong.of(SECOND - 1));
        assertThat(arrivals.next(SECOND)).isEmpty();
    }

    private static Arrivals open(double rate, long end) {
        return new Arrivals.Open(rate, new SplittableRandom(1), end);
    }

    private static List<Long> all(Arrivals arrivals, long now) {
        List<Long> due = new ArrayList<>();
        for (var next = arrivals.next(now); next.isPresent(); next = arrivals.next(now)) {
            due.add(next.getAsLong());
        }
        return due;
    }
}
