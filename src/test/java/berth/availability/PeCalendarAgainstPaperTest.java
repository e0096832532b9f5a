package berth.availability;

import berth.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Plays random commands, the same for each seed, on a calendar, the paper's own list and a grid of seconds. */
class PeCalendarAgainstPaperTest {

    @Test
    void agreesWhereEverySecondCounts() {
        for (int seed = 0; seed < Seeds.of(1500); seed++) {
            playAndShrink(new PeWorld(1 + seed % 5, 100, 4 + seed % 17, 6), seed);
        }
    }

    @Test
    void agreesAtTheBeginningOfAllTime() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            playAndShrink(new PeWorld(3, Long.MIN_VALUE, 12, 6), seed);
        }
    }

    @Test
    void agreesAtTheEndOfAllTime() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            playAndShrink(new PeWorld(3, Long.MAX_VALUE - 12, 12, 6), seed);
        }
    }

    @Test
    void agreesOnPEsOfSeveralWords() {
        for (int seed = 0; seed < Seeds.of(40); seed++) {
            playAndShrink(new PeWorld(63 + 33 * (seed % 5), -20, 60, 12), seed);
        }
    }

    private static void playAndShrink(PeWorld world, int seed) {
        var commands = world.commands(new Random(seed), 60, 4 + seed % 5);
        Shrinker.play(
                "%s, seed %d".formatted(world, seed),
                commands,
                rest -> world.play(rest, 1, new PeGrid(world.pes(), world.origin(), world.seconds())));
    }

    @Test
    void agreesWhereAFewLeavesSplitAndJoin() {
        for (int seed = 0; seed < 8; seed++) {
            var world = new PeWorld(5 + 40 * seed, 1_000_000, 500, 30);
            var commands = world.commands(new Random(seed), 600, 8);
            commands.addAll(world.commands(new Random(seed), 600, 2));
            Shrinker.play("%s, seed %d".formatted(world, seed), commands, rest -> world.play(rest, 10));
        }
    }

    @Test
    void agreesOnSeveralLevels() {
        for (int seed = 0; seed < 3; seed++) {
            var world = new PeWorld(200 + 900 * seed, 1_700_000_000L, 30_000, 200 + 300 * seed);
            var commands = world.commands(new Random(seed), 2_500, 9);
            commands.addAll(world.commands(new Random(seed), 2_000, 1));
            Shrinker.play("%s, seed %d".formatted(world, seed), commands, rest -> world.play(rest, 300));
        }
    }
}
