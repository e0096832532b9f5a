package berth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The works of others in the jar, and their licences. */
class ThirdPartyTest {

    /** The list that the build makes of the present dependencies. Only Maven makes it. */
    private static final Path MADE = Path.of("target", "third-party", "THIRD-PARTY.txt");

    static boolean isMade() {
        return Files.exists(MADE);
    }

    @Test
    @EnabledIf(value = "isMade", disabledReason = "Maven has not listed the dependencies.")
    void theListIsUpToDate() throws IOException {
        assertThat(Path.of("THIRD-PARTY.txt"))
                .as("Copy %s over THIRD-PARTY.txt", MADE)
                .content()
                .isEqualTo(Files.readString(MADE));
    }

    @Test
    void theListNamesEachLibraryOfThePage() throws IOException {
        var list = Files.readString(Path.of("THIRD-PARTY.txt"));
        try (var files = Files.list(Path.of("src/main/resources/static/page/lib"))) {
            var licences = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("-LICENSE.txt"))
                    .map(name -> name.replace("-LICENSE.txt", ""))
                    .toList();

            assertThat(licences)
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(list).contains("\n  " + name + ": "));
        }
    }
}
