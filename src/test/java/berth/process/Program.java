package berth.process;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Berth;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.util.DigestUtils;
import org.springframework.util.FileSystemUtils;

/**
 * The command that starts this build's program.
 *
 * <p>Most tests start it unpacked and with a cache of its classes, which takes a quarter of the time. The cache is what Java remembers of
 * one start of the service. The first test that needs it creates it in {@code target/program}, where it stays until the next build.
 */
record Program(List<String> command) {

    private static final Path TARGET =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("target");
    private static final Path JAR = TARGET.resolve("berth.jar");
    private static final Path APART = TARGET.resolve("program");
    private static final Path CACHE = APART.resolve("berth.aot");

    /** The digest of the jar from which the rest was made. */
    private static final Path DIGEST = APART.resolve("berth.jar.md5");

    /** Locked while the cache is made, because tests run in more than one process. */
    private static final Path LOCK = TARGET.resolve("program.lock");

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** For a process that lives for seconds. A cache works only with the options with which it was made. */
    private static final List<String> SMALL_JAVA =
            List.of(JAVA, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Returns the jar that users start. */
    static Program shipped() {
        assertThat(JAR).as("the program; mvn package makes it").exists();
        return of(List.of(), JAR);
    }

    /** Returns the launcher, which chooses Java's flags itself. */
    static Program launcher() {
        assertThat(JAR).as("the program; mvn package makes it").exists();
        return new Program(List.of(TARGET.resolveSibling("bin/berth").toString()));
    }

    /** Returns the jar of the laboratory. */
    static Program laboratory() {
        var jar = TARGET.resolve("berth-lab.jar");
        assertThat(jar).as("the laboratory; mvn package makes it").exists();
        return of(List.of(), jar);
    }

    /** Returns the jar with more memory, for measurements. */
    static Program measured() {
        assertThat(JAR).as("the program; mvn package makes it").exists();
        return new Program(List.of(JAVA, "-Xmx800m", "-XX:+UseSerialGC", "-jar", JAR.toString()));
    }

    /** Returns a program that starts quickly. */
    static Program quick() {
        return Quick.PROGRAM;
    }

    /** Initialised once by the first caller; others wait. */
    private static final class Quick {
        static final Program PROGRAM = prepared();
    }

    /**
     * Returns the program with some changed classes, and with the code of the tests that makes the OpenAPI document.
     *
     * @param changed their directory, to which that code is copied
     */
    static Program with(Path changed) throws IOException {
        for (var made : List.of("berth/contract", "config")) {
            FileSystemUtils.copyRecursively(TARGET.resolve("test-classes").resolve(made), changed.resolve(made));
        }
        var classes = Stream.concat(
                        Stream.of(changed.toString()),
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(entry -> !entry.endsWith("test-classes")))
                .collect(joining(File.pathSeparator));
        return new Program(Stream.concat(SMALL_JAVA.stream(), Stream.of("-cp", classes, Berth.class.getName()))
                .toList());
    }

    private static Program prepared() {
        assertThat(JAR).as("the program; mvn package makes it").exists();
        try (var file = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = file.lock()) {
            // the jar has the same time in every build
            var digest = digest();
            if (!Files.exists(DIGEST) || !Files.readString(DIGEST).equals(digest)) {
                FileSystemUtils.deleteRecursively(APART);
                takeApart();
                remember();
                Files.writeString(DIGEST, digest);
            }
            // a proxy that Java cannot find in the cache does not matter
            return apart("-XX:AOTCache=" + CACHE, "-Xlog:aot*=error");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String digest() throws IOException {
        try (var jar = Files.newInputStream(JAR)) {
            return DigestUtils.md5DigestAsHex(jar);
        }
    }

    private static void takeApart() throws IOException, InterruptedException {
        var extraction = new ProcessBuilder(
                        JAVA, "-Djarmode=tools", "-jar", JAR.toString(), "extract", "--destination", APART.toString())
                .inheritIO()
                .start();
        assertThat(extraction.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(extraction.exitValue()).isZero();
    }

    /** Starts the service for the first time, makes a call, and keeps what Java has learnt when it ends. */
    private static void remember() throws Exception {
        var draft = APART.resolve("berth.aot.new");
        var learning = apart("-XX:AOTCacheOutput=" + draft, "-Xlog:aot*=error");
        var directory = Files.createTempDirectory("berth");
        try (var installation = Installation.of(learning, directory)) {
            var service = installation.start();
            assertThat(installation.api().get("/clusters").status()).isEqualTo(200);
            service.askToStop();
            service.awaitExit(PATIENCE);
        }
        FileSystemUtils.deleteRecursively(directory);
        Files.move(draft, CACHE, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Program apart(String... options) {
        return of(List.of(options), APART.resolve("berth.jar"));
    }

    private static Program of(List<String> options, Path jar) {
        return new Program(Stream.of(SMALL_JAVA, options, List.of("-jar", jar.toString()))
                .flatMap(List::stream)
                .toList());
    }
}
