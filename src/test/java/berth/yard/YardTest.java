package berth.yard;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Whole Berths in a world of faults: see {@link Yard}. The property {@code berth.yard.seeds} sets the number of histories and {@code
 * berth.yard.first} the first seed. The cells that the first thousand histories reach often are listed in {@code reached.txt}, and a run
 * of that many from seed 1 must reach them; {@code berth.yard.reached.write=true} rewrites that list.
 */
class YardTest {

    /** Number of histories that must reach all listed cells; {@code -Pfull} runs as many. */
    private static final int ENOUGH_TO_REACH_ALL = 1_000;

    private static final long FIRST = Long.getLong("berth.yard.first", 1);
    private static final int SEEDS = Integer.getInteger("berth.yard.seeds", Seeds.of(1_000));

    /** Cells that are reached less often may be missed by chance. */
    private static final int OFTEN = 25;

    private static final Path REACHED = Path.of("src/test/resources/berth/yard/reached.txt");

    private static final Duration ENOUGH_SHRINKING = Duration.ofSeconds(30);

    @Test
    void noSeedBreaksAPromise() throws IOException {
        var coverage = new Coverage();
        // this thread runs every step of a history
        var threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            run(seed, coverage);
        }
        double seconds = (threads.getCurrentThreadCpuTime() - begun) / 1e9;
        System.out.printf(
                "The yard: %d seeds in %.1f s of processor time, %.0f commands and %.1f hours a second; %s, faults %s, %d cells%n",
                SEEDS,
                seconds,
                coverage.counts().getOrDefault("commands", 0L) / seconds,
                coverage.counts().getOrDefault("hours", 0L) / seconds,
                coverage.counts(),
                coverage.faults(),
                coverage.cells().size());
        if (Boolean.getBoolean("berth.yard.reached.write")) {
            Files.createDirectories(REACHED.getParent());
            Files.writeString(
                    REACHED,
                    coverage.often(OFTEN).stream().map(cell -> cell + "\n").collect(joining()));
        } else if (FIRST == 1 && SEEDS >= ENOUGH_TO_REACH_ALL) {
            assertThat(coverage.cells().keySet())
                    .as("what is reached, of what was reached")
                    .containsAll(reached());
        }
    }

    private static List<String> reached() throws IOException {
        try (var in = YardTest.class.getResourceAsStream("reached.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private static void run(long seed, Coverage coverage) {
        var swarm = Swarm.of(seed);
        var yard = new Yard(seed, swarm, coverage);
        try {
            yard.run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "Commit %s, seed %d, step %d: %s; shrunk to %s"
                            .formatted(
                                    commit(),
                                    seed,
                                    yard.simulation().steps(),
                                    History.firstLine(e),
                                    shrunk(seed, swarm)),
                    e);
        }
        coverage.add("steps", yard.simulation().steps());
        coverage.add("events", yard.events());
        coverage.add("occurrences", yard.occurrences());
        coverage.add("occurrences later", yard.laterOccurrences());
        coverage.add("hours", yard.simulation().elapsed().toHours());
    }

    /** Returns the commit of the sources, if it is known. */
    private static String commit() {
        try {
            var git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude=*").start();
            try (var told = git.inputReader()) {
                return told.lines().findFirst().orElse("unknown");
            }
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static Swarm shrunk(long seed, Swarm swarm) {
        if (Boolean.getBoolean("berth.yard.whole")) {
            return swarm;
        }
        long end = System.nanoTime() + ENOUGH_SHRINKING.toNanos();
        return swarm.shrunk(smaller -> System.nanoTime() < end && fails(seed, smaller), 300);
    }

    private static boolean fails(long seed, Swarm swarm) {
        try {
            new Yard(seed, swarm, new Coverage()).run();
            return false;
        } catch (AssertionError | RuntimeException e) {
            return true;
        }
    }
}
