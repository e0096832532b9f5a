package berth.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LoadRunTest {
    private static final CallResult FINE = new CallResult.Status(200);

    /** A stall also delays the calls that would have been made in the meantime: a quarter of all calls take half the stall or longer. */
    @Test
    void countsAStallInTheLatencyOfEveryCallDueMeanwhile() {
        var phases = new Phases(Duration.ZERO, Duration.ofSeconds(1));
        CallFigures figures = run(200, phases, stallingOnce(500)).measured();

        assertThat(figures.due()).isGreaterThan(150);
        assertThat(figures.latency(100)).isGreaterThanOrEqualTo(499);
        assertThat(figures.latency(80)).isGreaterThanOrEqualTo(249);
    }

    /** A connection that waits for an answer makes no other call, so that only one call is slow. */
    @Test
    void withoutARateTheNextCallFollowsTheAnswer() {
        var phases = new Phases(Duration.ZERO, Duration.ofSeconds(1));
        LoadRun run = run(new Arrivals.Closed(phases.end()), phases, stallingOnce(1_000));

        assertThat(run.measured().answers()).isEqualTo(Map.of(FINE, 1L));
        assertThat(run.measured().neverMade()).isZero();
    }

    @Test
    void countsDueCallsThatNoThreadWasFreeToMake() {
        var phases = new Phases(Duration.ZERO, Duration.ofMillis(300));
        CallFigures figures = run(100, phases, stallingOnce(400)).measured();

        assertThat(figures.made()).isEqualTo(1);
        assertThat(figures.neverMade()).isEqualTo(dueIn(100, 0, phases.end()) - 1);
        assertThat(figures.latency(75)).isGreaterThan(100);
        assertThat(figures.allSucceeded()).isFalse();
    }

    @Test
    void countsTheWarmUpSeparately() {
        var phases = new Phases(Duration.ofMillis(200), Duration.ofMillis(300));
        LoadRun run = run(500, phases, () -> FINE);

        assertThat(run.warmUp().due()).isEqualTo(dueIn(500, 0, phases.warm()));
        assertThat(run.measured().due()).isEqualTo(dueIn(500, phases.warm(), phases.end()));
    }

    private static LoadRun run(double rate, Phases phases, Supplier<CallResult> call) {
        return run(open(rate, phases.end()), phases, call);
    }

    /** Runs with one worker. */
    private static LoadRun run(Arrivals arrivals, Phases phases, Supplier<CallResult> call) {
        var run = new LoadRun("test", arrivals, call, phases, System.nanoTime());
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            run.begin(threads, 1);
        }
        return run;
    }

    private static Arrivals open(double rate, long end) {
        return new Arrivals.Open(rate, new SplittableRandom(1), end);
    }

    private static long dueIn(double rate, long from, long to) {
        Arrivals arrivals = open(rate, to);
        long count = 0;
        for (var next = arrivals.next(0); next.isPresent(); next = arrivals.next(0)) {
            count += next.getAsLong() >= from ? 1 : 0;
        }
        return count;
    }

    private static Supplier<CallResult> stallingOnce(long millis) {
        var first = new AtomicBoolean(true);
        return () -> {
            if (first.getAndSet(false)) {
                try {
                    Thread.sleep(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return FINE;
        };
    }
}
