package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the yard finds bugs. Bugs are planted in the sources one after another, and a seed must fail for each. The property {@code
 * berth.yard.bugs} selects them: {@code all}, or those whose names contain the expression; by default a few that are found quickly.
 */
@Tag("full")
class PlantedBugsTest {

    private static final String WHICH = System.getProperty("berth.yard.bugs", "");

    private static final Set<String> FOUND_SOON = Set.of(
            "results are returned before the commit",
            "resolving takes recorded batches for unrecorded ones, and the reverse",
            "a used key is not remembered");

    /** The number of seeds over which finds are counted. */
    private static final long COUNTED = Long.getLong("berth.yard.bugs.counted", WHICH.isEmpty() ? 0 : 200);

    private static final long MAX = Long.getLong("berth.yard.bugs.most", 10_000);

    @BeforeAll
    static void requireSources() {
        assumeThat(Files.isDirectory(Path.of("src/main/java/berth")))
                .as("whether the sources are there")
                .isTrue();
    }

    static List<PlantedBug> bugs() {
        return PlantedBugs.ALL.stream()
                .filter(bug -> WHICH.isEmpty()
                        ? FOUND_SOON.contains(bug.name())
                        : WHICH.equals("all")
                                || Pattern.compile(WHICH).matcher(bug.name()).find())
                .toList();
    }

    /** Checks that the classes that are loaded again fail for no other reason. */
    @Test
    void withoutAPlantedBugTheYardFindsNothing(@TempDir Path directory) throws Exception {
        var none = PlantedBugs.ALL.getFirst();
        var histories = new PlantedBug("none", none.file(), none.asItStands(), none.asItStands(), none.histories())
                .plant(directory);
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(histories.apply(seed)).as("what seed %d finds", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theYardFindsEachPlantedBug(PlantedBug bug, @TempDir Path directory) throws Exception {
        var histories = bug.plant(directory);
        long first = 0;
        Optional<String> what = Optional.empty();
        int found = 0;
        for (long seed = 1; seed <= (first == 0 ? MAX : COUNTED); seed++) {
            var failure = histories.apply(seed);
            found += failure.isPresent() && seed <= COUNTED ? 1 : 0;
            if (first == 0 && failure.isPresent()) {
                first = seed;
                what = failure;
            }
        }
        assertThat(what).as("whether any of %d seeds finds: %s", MAX, bug).isPresent();
        System.out.printf(
                "| %s | %d%s | %s |%n",
                bug, first, COUNTED == 0 ? "" : " | %d of %d".formatted(found, COUNTED), what.orElseThrow());
    }
}
