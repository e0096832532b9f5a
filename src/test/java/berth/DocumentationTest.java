package berth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks what the documents refer to: types, files and decision records. */
class DocumentationTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TYPE = Pattern.compile("[A-Z][A-Za-z0-9]+");
    private static final Pattern FILE = Pattern.compile("[a-zA-Z][\\w./-]*/[\\w./-]+");
    private static final String HEADING = "## Where to change what";

    /** {@code sh} is run by {@code src/test/documents/run.py}, which also describes the markers; {@code console} is a transcript. */
    private static final Set<String> LANGUAGES = Set.of(
            "caddy",
            "console",
            "crontab",
            "http",
            "ini",
            "java",
            "json",
            "mermaid",
            "nginx",
            "promql",
            "properties",
            "python",
            "sh",
            "sql",
            "text",
            "yaml");

    private static final Pattern FENCE = Pattern.compile(" *(`{3,})([^`]*)");
    private static final Pattern MARKER = Pattern.compile(
            "<!-- (Made by .*|not run: \\S.*|fails: [1-9][0-9]* \\S.*|until: \\S.*|input: \\S.*|file: \\S+|with: (client|slurm [1-9][0-9]*)) -->");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

    @Test
    void theTableOfChangesNamesPresentTypesAndFiles() throws IOException {
        var architecture = Files.readString(Path.of("docs", "explanation", "architecture.md"));
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

    @Test
    void everyBlockNamesItsLanguage() throws IOException {
        var blocks = documents().stream()
                .flatMap(document -> document.fences.stream())
                .toList();

        assertThat(blocks).hasSizeGreaterThan(50);
        assertThat(blocks.stream().filter(fence -> !LANGUAGES.contains(fence.language)))
                .isEmpty();
    }

    @Test
    void everyMarkerIsKnownAndGivesItsReason() throws IOException {
        var markers = documents().stream()
                .flatMap(document -> document.markers.stream())
                .toList();

        assertThat(markers).isNotEmpty();
        assertThat(markers.stream().filter(MARKER.asMatchPredicate().negate())).isEmpty();
    }

    @Test
    void everyLinkToADocumentLeadsToItsHeading() throws IOException {
        var documents = documents().stream().collect(Collectors.toMap(document -> document.path, document -> document));
        var links = documents.values().stream()
                .flatMap(document -> document.links.stream())
                .toList();

        assertThat(links).hasSizeGreaterThan(100);
        assertThat(links.stream().filter(link -> !leadsSomewhere(link, documents)))
                .isEmpty();
    }

    private static boolean leadsSomewhere(Link link, Map<Path, Document> documents) {
        var document = documents.get(link.target);
        return document == null || link.anchor.isEmpty()
                ? Files.exists(link.target)
                : document.anchors.contains(link.anchor);
    }

    private static List<Document> documents() throws IOException {
        try (var files = Files.walk(Path.of("docs"))) {
            var paths = Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(Path::of),
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .sorted())
                    .toList();
            var documents = new ArrayList<Document>();
            for (var path : paths) {
                documents.add(Document.read(path));
            }
            return documents;
        }
    }

    /** A fenced block. */
    private record Fence(String place, String language) {}

    /** A link to a file of the repository, with an empty anchor where it has none. */
    private record Link(String place, Path target, String anchor) {}

    /** A document's parts that are checked. */
    private record Document(
            Path path, List<Fence> fences, List<String> markers, List<Link> links, Set<String> anchors) {

        static Document read(Path path) throws IOException {
            var document = new Document(path, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new HashSet<>());
            var end = "";
            var number = 0;
            for (var line : Files.readAllLines(path)) {
                number++;
                var place = path + ":" + number;
                var fence = FENCE.matcher(line);
                if (!end.isEmpty()) {
                    end = line.strip().equals(end) ? "" : end;
                } else if (fence.matches()) {
                    end = fence.group(1);
                    document.fences.add(new Fence(place, fence.group(2).strip()));
                } else if (line.strip().startsWith("<!--")) {
                    document.markers.add(line.strip());
                } else {
                    document.addText(place, line);
                }
            }
            return document;
        }

        private void addText(String place, String line) {
            if (line.startsWith("#")) {
                addAnchor(line.replaceFirst("#+ ", "").replaceAll("\\]\\([^)]*\\)", ""));
            }
            LINK.matcher(CODE.matcher(line).replaceAll("")).results().forEach(link -> {
                var file = link.group(1);
                var anchor = link.group(2) == null ? "" : link.group(2);
                if (!ELSEWHERE.matcher(file).matches()) {
                    links.add(new Link(
                            place,
                            file.isEmpty() ? path : path.resolveSibling(file).normalize(),
                            anchor));
                }
            });
        }

        /** Adds the anchor that a heading gets: letters, digits and hyphens, and a number where it would be the second of that name. */
        private void addAnchor(String heading) {
            var plain = heading.strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            var anchor = plain;
            for (var count = 1; !anchors.add(anchor); count++) {
                anchor = plain + "-" + count;
            }
        }
    }
}
