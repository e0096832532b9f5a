package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The files of the page, without a browser. */
class PageFilesTest {

    private static final Path STATIC = Path.of("src/main/resources/static");
    private static final Path LIBRARIES = STATIC.resolve("page/lib");

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
