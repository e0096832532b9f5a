package berth.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.sla.InvalidFigure;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Factors by time, compared with the factor of each second. */
class SignalTest {

    private static final int END = 60;

    private final Random random = new Random();

    @Test
    void aRunHasTheFactorOfEachOfItsSeconds() {
        for (int seed = 0; seed < 2_000; seed++) {
            random.setSeed(seed);
            var signal = signal();
            var parts = List.of(part(), part());

            var expected = parts.stream()
                    .map(part -> LongStream.range(
                                    part.slot().start(), part.slot().end())
                            .mapToObj(signal::at)
                            .reduce(BigDecimal.ZERO, BigDecimal::add)
                            .multiply(BigDecimal.valueOf(part.pes())))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            assertThat(signal.weighed(parts)).as("seed %d", seed).isEqualByComparingTo(expected);
        }
    }

    @Test
    void aNewSignalCountsFromItsFirstFactorOn() {
        for (int seed = 0; seed < 2_000; seed++) {
            random.setSeed(seed);
            var before = signal();
            var next = signal();
            var both = before.followedBy(next);
            long start = random.nextInt(END);

            for (long second = 0; second < 2 * END; second++) {
                boolean isNew = second >= next.steps().getFirst().from();
                assertThat(both.at(second)).isEqualTo((isNew ? next : before).at(second));
                assertThat(before.before(start).at(second))
                        .isEqualTo(second < start ? before.at(second) : Signal.NONE.at(second));
                if (second >= start) {
                    assertThat(both.since(start).at(second)).isEqualTo(both.at(second));
                }
            }
            assertThat(both.source()).isEqualTo(next.source());
            assertThat(both.followedBy(next)).isEqualTo(both);
            assertThat(both.since(start).steps().size() <= both.steps().size()).isTrue();
        }
    }

    @Test
    void theFactorChangesOnlyAtItsChanges() {
        for (int seed = 0; seed < 500; seed++) {
            random.setSeed(seed);
            var signal = signal();
            var changes = signal.changes(new Slot(1, 2 * END)).boxed().toList();

            for (long second = 1; second < 2 * END; second++) {
                if (!signal.at(second).equals(signal.at(second - 1))) {
                    assertThat(changes).contains(second);
                }
            }
            assertThat(changes).isSorted();
        }
    }

    @Test
    void inAStretchOfStartsTheMeanFactorChangesAtAConstantRate() {
        for (int seed = 0; seed < 2_000; seed++) {
            random.setSeed(seed);
            var signal = seed == 0 ? Signal.NONE : signal();
            long duration = 1 + random.nextInt(END);
            var starts = Slot.of(random.nextInt(END), 1 + random.nextInt(END));
            var all = LongStream.range(starts.start(), starts.end())
                    .map(start -> signal.sum(Slot.of(start, duration)))
                    .toArray();
            long most = all[random.nextInt(all.length)] + random.nextInt(3) - 1;

            var stretches = signal.stretches(starts, duration, Integer.MAX_VALUE);

            long at = starts.start();
            for (var stretch : stretches) {
                assertThat(stretch.starts().start()).isEqualTo(at);
                at = stretch.starts().end();
                for (long start = stretch.starts().start(); start < at; start++) {
                    assertThat(all[(int) (start - starts.start())])
                            .isEqualTo(stretch.factors()
                                    + stretch.rate() * (start - stretch.starts().start()));
                }
                assertThat(stretch.firstWithin(most))
                        .isEqualTo(LongStream.range(stretch.starts().start(), at)
                                .filter(start -> all[(int) (start - starts.start())] <= most)
                                .findFirst());
            }
            assertThat(at).isEqualTo(starts.end());
            assertThat(signal.stretches(starts, duration, 2))
                    .isEqualTo(stretches.subList(0, Math.min(2, stretches.size())));
        }
    }

    @Test
    void theOldestFactorsAreForgottenIfThereAreTooMany() {
        var signal = Signal.NONE;
        for (int times = 0; times < 3; times++) {
            long from = 10_000L * times;
            var steps = LongStream.range(0, Signal.MAX_SENT)
                    .mapToObj(step -> new SignalStep(from + step, 2_000_000))
                    .toList();
            signal = signal.followedBy(new Signal("load", steps, from + 10_000));
        }

        assertThat(signal.steps()).hasSize(Signal.MAX_STEPS);
        assertThat(signal.at(0)).isEqualByComparingTo("1");
        assertThat(signal.at(20_000)).isEqualByComparingTo("2");
    }

    @Test
    void aFactorOutOfRangeOrOutOfOrderIsRefused() {
        assertThatThrownBy(() -> SignalStep.of(0, BigDecimal.ZERO)).isInstanceOf(InvalidFigure.class);
        assertThatThrownBy(() -> SignalStep.of(0, new BigDecimal("100.000001"))).isInstanceOf(InvalidFigure.class);
        assertThatThrownBy(() -> SignalStep.of(0, new BigDecimal("0.5000001"))).isInstanceOf(InvalidFigure.class);
        assertThat(SignalStep.of(0, new BigDecimal("1e2")).factor()).isEqualByComparingTo("100");
        var step = SignalStep.of(5, BigDecimal.TWO);
        assertThatThrownBy(() -> new Signal("x", List.of(step, step), 9)).isInstanceOf(InvalidFigure.class);
        assertThatThrownBy(() -> new Signal("x", List.of(step), 5)).isInstanceOf(InvalidFigure.class);
    }

    private Signal signal() {
        var steps = new ArrayList<SignalStep>();
        long from = random.nextInt(20);
        for (int step = 0; step < 1 + random.nextInt(6); step++) {
            steps.add(new SignalStep(from, SignalStep.MIN + random.nextInt(3_000_000)));
            from += 1 + random.nextInt(10);
        }
        return new Signal("source " + random.nextInt(2), steps, from);
    }

    private Part part() {
        return Part.whole(Slot.of(random.nextInt(END), 1 + random.nextInt(END)), 1 + random.nextInt(4));
    }
}
