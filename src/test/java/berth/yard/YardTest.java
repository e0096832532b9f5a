package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Whole Berths in a world where everything goes wrong: see {@link Yard}. The property {@code berth.yard.seeds} says how many histories,
 * {@code berth.yard.first} with which it begins.
 */
class YardTest {

    private static final long FIRST = Long.getLong("berth.yard.first", 1);
    private static final int SEEDS = Integer.getInteger("berth.yard.seeds", 300);

    private static final Logger LOG = (Logger) LoggerFactory.getLogger("berth");

    /** What goes wrong here is told so often that nobody could read it. */
    @BeforeAll
    static void beSilent() {
        if (!Boolean.getBoolean("berth.yard.loud")) {
            LOG.setLevel(Level.OFF);
        }
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    @Test
    void noSeedBreaksAPromise() {
        var coverage = new Coverage();
        long begun = System.nanoTime();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            run(seed, coverage);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(
                "The yard: %d seeds in %.1f s, %s, faults %s, %d cells%n",
                SEEDS,
                seconds,
                coverage.counts(),
                coverage.faults(),
                coverage.cells().size());
    }

    private static void run(long seed, Coverage coverage) {
        var swarm = Swarm.of(seed);
        var yard = new Yard(seed, swarm, coverage);
        try {
            yard.run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "Seed %d fails at step %d: %s; shrunk to %s"
                            .formatted(seed, yard.simulation().steps(), e.getMessage(), shrunk(seed, swarm)),
                    e);
        }
        coverage.add("steps", yard.simulation().steps());
        coverage.add("events", yard.events());
        coverage.add("hours", yard.simulation().elapsed().toHours());
    }

    private static Swarm shrunk(long seed, Swarm swarm) {
        return Boolean.getBoolean("berth.yard.whole") ? swarm : swarm.shrunk(smaller -> fails(seed, smaller), 300);
    }

    private static boolean fails(long seed, Swarm swarm) {
        try {
            new Yard(seed, swarm, new Coverage()).run();
            return false;
        } catch (AssertionError | RuntimeException e) {
            return true;
        }
    }

    @Test
    void aSeedAlwaysMakesTheSameHistory() {
        var first = new Yard(7, Swarm.of(7), new Coverage());
        var second = new Yard(7, Swarm.of(7), new Coverage());
        first.run();
        second.run();

        assertThat(first.reservations()).isNotEmpty().isEqualTo(second.reservations());
        assertThat(first.simulation().steps()).isEqualTo(second.simulation().steps());
        assertThat(first.simulation().elapsed())
                .isGreaterThan(Duration.ofMinutes(1))
                .isEqualTo(second.simulation().elapsed());
    }
}
