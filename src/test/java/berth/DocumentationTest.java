package berth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the documents point at is there. */
class DocumentationTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TYPE = Pattern.compile("[A-Z][A-Za-z0-9]+");
    private static final Pattern FILE = Pattern.compile("[a-zA-Z][\\w./-]*/[\\w./-]+");
    private static final String HEADING = "## Where to change what";

    @Test
    void whereToChangeWhatNamesTypesAndFilesThatAreThere() throws IOException {
        var architecture = Files.readString(Path.of("docs", "architecture.md"));
        var named = CODE.matcher(architecture.substring(architecture.indexOf(HEADING)))
                .results()
                .map(match -> match.group(1))
                .toList();
        var types = types();

        assertThat(named.stream().filter(TYPE.asMatchPredicate()))
                .hasSizeGreaterThan(30)
                .isSubsetOf(types);
        assertThat(named.stream().filter(FILE.asMatchPredicate()).map(Path::of))
                .hasSizeGreaterThan(5)
                .allSatisfy(path -> assertThat(path).exists());
    }

    private static Set<String> types() throws IOException {
        try (var files = Files.walk(Path.of("src"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void everyDecisionHasAStatusAndIsInTheIndex() throws IOException {
        var directory = Path.of("docs", "adr");
        var index = Files.readString(directory.resolve("README.md"));
        List<Path> decisions;
        try (var files = Files.list(directory)) {
            decisions =
                    files.filter(file -> !file.endsWith("README.md")).sorted().toList();
        }

        assertThat(decisions).hasSizeGreaterThan(20).allSatisfy(file -> {
            assertThat(file).content().contains("\n**Status.** ");
            assertThat(index).contains("](%s)".formatted(file.getFileName()));
        });
    }
}
