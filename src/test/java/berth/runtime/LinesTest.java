package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinesTest {

    private static final long SECOND = 1_000_000_000L;

    private final Lines<String> lines = new Lines<>(2);

    /** Does all waiting work, one piece after the other, each of which takes {@code length}, and returns it in its order. */
    private List<String> order(long length) {
        var done = new ArrayList<String>();
        long now = 0;
        for (var next = lines.next(now); next.isPresent(); next = lines.next(now)) {
            done.add(next.get().work());
            lines.end(next.get().caller(), now, now + length);
            now += length;
        }
        return done;
    }

    @Test
    void callersTakeTurns() {
        for (var work : List.of("a1", "a2", "a3", "a4", "b1", "b2", "c1")) {
            lines.add(work.substring(0, 1), work);
        }

        assertThat(order(SECOND)).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    }

    @Test
    void aCallerThatHasUsedMuchWaitsForAllThatHaveUsedLess() {
        lines.add("a", "long");
        assertThat(lines.next(0)).isPresent();
        lines.end("a", 0, 10 * SECOND);
        for (var work : List.of("a1", "b1", "b2", "b3")) {
            lines.add(work.substring(0, 1), work);
        }

        assertThat(order(SECOND)).containsExactly("b1", "b2", "b3", "a1");
    }

    @Test
    void halfOfTheTimeUsedIsForgottenAfterTheHalfLife() {
        lines.add("a", "work");
        assertThat(lines.next(0)).isPresent();
        lines.end("a", 0, 8 * SECOND);

        assertThat(lines.used("a", 8 * SECOND)).isEqualTo(8.0 * SECOND);
        assertThat(lines.used("a", 8 * SECOND + 2 * Lines.HALF_LIFE)).isCloseTo(2.0 * SECOND, within(1.0));
    }

    @Test
    void aCallerHasALimitedNumberOfConcurrentTurns() {
        List.of("a1", "a2", "a3").forEach(work -> lines.add("a", work));

        assertThat(lines.next(0)).isPresent();
        assertThat(lines.next(0)).isPresent();
        assertThat(lines.next(0)).isEmpty();
        lines.end("a", 0, 1);
        assertThat(lines.next(1))
                .hasValueSatisfying(next -> assertThat(next.work()).isEqualTo("a3"));
        assertThat(lines.waiting()).isZero();
    }

    @Test
    void withdrawnWorkIsNeverDone() {
        lines.add("a", "a1");
        lines.add("a", "a2");

        assertThat(lines.remove("a", "a1")).isTrue();
        assertThat(lines.remove("a", "a1")).isFalse();
        assertThat(lines.waiting("a")).isOne();
        assertThat(order(1)).containsExactly("a2");
    }

    /** A caller, how much of its work arrives at a time, and how long each piece takes. */
    private record Habit(String caller, int pieces, long length) {}

    private record Begun(String caller, long at, long length) {}

    /**
     * Whatever others do, and however many they are: work of a caller that has used less than all others begins as soon as the first of the
     * threads is free that were busy when it arrived.
     */
    @Test
    void aBusyCallerDelaysTheTurnOfAnotherByNoMoreThanOneReading() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            var random = new Random(seed);
            int threads = 1 + random.nextInt(3);
            var lines = new Lines<Long>(1 + random.nextInt(2));
            var busy = IntStream.range(0, 1 + random.nextInt(5))
                    .mapToObj(i -> new Habit("busy" + i, 1 + random.nextInt(50), 20 + random.nextInt(980)))
                    .toList();
            long longest = busy.stream().mapToLong(Habit::length).max().orElseThrow() * SECOND / 1000;
            var underWay = new ArrayList<Begun>();
            var arrived = new HashMap<Long, Long>();
            long now = 0;
            long rarely = 5 * SECOND;
            long lastOfTheRare = 0;
            long number = 0;
            while (now < 60 * SECOND) {
                for (var habit : busy) {
                    if (lines.waiting(habit.caller) == 0) {
                        for (int i = 0; i < habit.pieces; i++) {
                            lines.add(habit.caller, habit.length * SECOND / 1000);
                        }
                    }
                }
                if (now - lastOfTheRare >= rarely) {
                    lastOfTheRare = now;
                    arrived.put(--number, now);
                    lines.add("rare", number);
                }
                while (underWay.size() < threads) {
                    var next = lines.next(now);
                    if (next.isEmpty()) {
                        break;
                    }
                    long work = next.get().work();
                    if (work < 0) {
                        assertThat(now - Objects.requireNonNull(arrived.get(work)))
                                .as("seed %d: the wait of a caller that rarely comes, at %d", seed, now)
                                .isLessThanOrEqualTo(longest);
                    }
                    underWay.add(new Begun(next.get().caller().toString(), now, work < 0 ? SECOND / 1000 : work));
                }
                var first = underWay.stream()
                        .min((one, other) -> Long.compare(one.at + one.length, other.at + other.length))
                        .orElseThrow();
                underWay.remove(first);
                now = first.at + first.length;
                lines.end(first.caller, first.at, now);
            }
            assertThat(number)
                    .as("seed %d: how often the rare caller came", seed)
                    .isLessThan(-5);
        }
    }

    @Test
    void callersThatAlwaysHaveWorkGetTheSameTimeHoweverLongTheirWorkIs() {
        for (int seed = 0; seed < Seeds.of(50); seed++) {
            var random = new Random(seed);
            var lines = new Lines<Long>(2);
            var used = new HashMap<String, Long>();
            var lengths =
                    Map.of("a", 1L + random.nextInt(300), "b", 1L + random.nextInt(300), "c", 1L + random.nextInt(300));
            long now = 0;
            while (now < 600 * SECOND) {
                lengths.forEach((caller, length) -> {
                    if (lines.waiting(caller) == 0) {
                        lines.add(caller, length * SECOND / 1000);
                    }
                });
                var next = lines.next(now).orElseThrow();
                lines.end(next.caller(), now, now + next.work());
                now += next.work();
                used.merge(next.caller().toString(), next.work(), Long::sum);
            }
            assertThat(used.values())
                    .as("seed %d", seed)
                    .allSatisfy(time -> assertThat(time).isBetween(190 * SECOND, 210 * SECOND));
        }
    }
}
