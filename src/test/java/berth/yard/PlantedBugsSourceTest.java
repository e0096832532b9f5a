package berth.yard;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlantedBugsSourceTest {

    /** Checks all quotations, because it takes long to look for the bugs themselves. */
    @Test
    void everyBugQuotesThePresentSource() {
        assumeThat(Files.isDirectory(Path.of("src/main/java/berth")))
                .as("whether the sources are there")
                .isTrue();
        for (var bug : PlantedBugs.ALL) {
            assertThatCode(bug::planted).doesNotThrowAnyException();
        }
    }
}
