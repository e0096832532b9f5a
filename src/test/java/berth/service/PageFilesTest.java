package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.FileSystemResource;

/** The files of the page, without a browser. */
class PageFilesTest {

    private static final Path STATIC = Path.of("src/main/resources/static");
    private static final Path PAGE = STATIC.resolve("page");
    private static final Path LIBRARIES = PAGE.resolve("lib");

    /** Has what a browser never loads. */
    private static final Path CLIENT = STATIC.resolve("client");

    /** Somebody who tries it where it lies must not have what Python compiles of it put into the jar. */
    @Test
    void theClientIsOneFile() throws IOException {
        assertThat(files(CLIENT)).containsExactly(CLIENT.resolve("berth.py"));
    }

    @Test
    void thePageIsSmall() throws IOException {
        long bytes = 0;
        for (var file : files(STATIC)) {
            if (!file.toString().endsWith(".txt") && !file.endsWith("SHA256SUMS") && !file.startsWith(CLIENT)) {
                bytes += compressed(Files.readAllBytes(file));
            }
        }
        System.out.printf(Locale.ROOT, "PageFilesTest: all of the page is %.1f kB compressed%n", bytes / 1000.0);
        assertThat(bytes).isLessThan(270_000);
    }

    /** On a slow line, each kilobyte of these takes 20 ms. */
    @Test
    void theFirstViewIsSmall() throws IOException {
        long bytes = 0;
        for (var file : List.of("../index.html", "style.css")) {
            bytes += compressed(Files.readAllBytes(PAGE.resolve(file)));
        }
        for (var module : List.of("main.js", "home.js")) {
            bytes += compressed(bundle(module).getBytes(StandardCharsets.UTF_8));
        }
        System.out.printf(Locale.ROOT, "PageFilesTest: the first view is %.1f kB compressed%n", bytes / 1000.0);
        assertThat(bytes).isLessThan(50_000);
    }

    /** A class that is made of parts, such as that of a state, counts as used if its first part is. */
    @Test
    void thePageUsesEveryClassOfItsStyleSheet() throws IOException {
        var texts = new StringBuilder(Files.readString(LIBRARIES.resolve("uPlot-1.6.32.min.js")));
        for (var file : files(PAGE)) {
            if (PAGE.equals(file.getParent()) && file.toString().endsWith(".js")) {
                texts.append(Files.readString(file));
            }
        }
        var used = new HashSet<>(found("([\\w-]+)", texts.toString()));
        var css = Files.readString(PAGE.resolve("style.css")).replaceAll("(?s)/\\*.*?\\*/", "");
        var classes = found("\\.([a-zA-Z][\\w-]*)(?=[^{}]*\\{)", css);
        assertThat(classes)
                .hasSizeGreaterThan(100)
                .allMatch(each -> used.contains(each) || used.contains(each.replaceFirst("[A-Z]+$", "")));
    }

    /** index.html begins to load them before main.js says where they are. */
    @Test
    void theViewsThatAreLoadedFirstAreThoseOfThePage() throws IOException {
        var index = Files.readString(STATIC.resolve("index.html"));
        var ahead = found(
                "\"(\\w+)\"",
                found("if \\(\\[(.*?)]\\.includes\\(view\\)", index).getFirst());
        var main = Files.readString(PAGE.resolve("main.js"));
        assertThat(ahead).isEqualTo(found("(?m)^  (\\w+): \\{ title: ", main));
        assertThat(ahead).allSatisfy(view -> assertThat(main).contains("import(\"./%s.js\")".formatted(view)));
    }

    @Test
    void eachModuleImportsOnlyWhatAnotherOneExports() throws IOException {
        var main = bundle("main.js");
        for (var file : files(PAGE)) {
            var name = file.getFileName().toString();
            if (PAGE.equals(file.getParent()) && name.endsWith(".js")) {
                var own = bundle(name);
                var exports = new HashMap<String, List<String>>();
                for (var module : (name.equals("main.js") ? own : main + own).split("(?m)^modules\\[")) {
                    var returned = found("(?m)^return \\{ (.*) };$", module);
                    if (!returned.isEmpty()) {
                        exports.put(
                                module.substring(1, module.indexOf("\"]")), found("([\\w$]+): ", returned.getFirst()));
                    }
                    found("const (\\{[^}]*} = modules\\[\"[^\"]+)\"]", module).forEach(imported -> {
                        var parts = imported.split(" = modules\\[\"", 2);
                        assertThat(exports.get(parts[1])).as(name).containsAll(found("([\\w$]+): ", parts[0]));
                    });
                }
                assertThat(exports).containsKey(name);
            }
        }
    }

    private static String bundle(String module) throws IOException {
        return new ModuleBundles()
                .bundle(new FileSystemResource(PAGE.resolve(module)))
                .getContentAsString(StandardCharsets.UTF_8);
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static int compressed(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.size();
    }

    /** The libraries are unchanged, and none was added without an entry. */
    @Test
    void theLibrariesAreUnchangedReleases() throws IOException, NoSuchAlgorithmException {
        var sums = new TreeMap<String, String>();
        for (var file : files(LIBRARIES)) {
            if (!file.endsWith("SHA256SUMS")) {
                var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                sums.put(LIBRARIES.relativize(file).toString(), HexFormat.of().formatHex(digest));
            }
        }
        var told = Files.readAllLines(LIBRARIES.resolve("SHA256SUMS")).stream()
                .map(line -> line.split(" [ *]", 2))
                .collect(Collectors.toMap(line -> line[1], line -> line[0]));
        assertThat(sums).hasSizeGreaterThan(4).isEqualTo(told);
    }
}
