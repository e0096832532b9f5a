package berth.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/berth} starts Berth, the second time with a cache of classes. */
class LauncherIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration MUCH_PATIENCE = Duration.ofMinutes(10);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    @Tag("full")
    void theSecondStartUsesTheCacheOfTheFirstUnlessItIsBroken() throws Exception {
        var caches = directory.resolve("caches");
        try (var installation = launched(caches)) {
            var first = installation.start();
            assertThat(usesCache(first)).isFalse();
            Waiting.until(MUCH_PATIENCE, first::output, () -> madeIn(caches).size() == 1);
            stop(first);

            var second = installation.start();
            assertThat(usesCache(second)).isTrue();
            stop(second);

            try (var cache = new RandomAccessFile(madeIn(caches).getFirst().toFile(), "rw")) {
                cache.seek(cache.length() / 3);
                cache.write(new byte[1 << 20]);
            }
            var third = installation.start();
            assertThat(usesCache(third)).isFalse();
            assertThat(third.output()).doesNotContain("[aot]", "[cds]");
            stop(third);
        }
    }

    @Test
    @Tag("full")
    void theServiceStartsWhereNoCacheCanBe() throws Exception {
        var file = Files.createFile(directory.resolve("file"));
        try (var installation = launched(file.resolve("caches"))) {
            var service = installation.start();
            assertThat(service.output()).startsWith("20").doesNotContain("mkdir");
            stop(service);
        }
    }

    @Test
    void anOlderJavaIsNamedWithTheRemedy() throws Exception {
        var old = executable(directory.resolve("java"), "#!/bin/sh\necho 'openjdk version \"17.0.15\"' >&2\n");
        var refused = run(Map.of("JAVA", old.toString()));
        assertThat(refused.awaitExit(PATIENCE)).isEqualTo(1);
        assertThat(refused.output()).contains(old + " is Java 17.0.15.", "Install a Java 25 runtime, or set JAVA_HOME");

        var missing = run(Map.of("JAVA", directory.resolve("none").toString()));
        assertThat(missing.awaitExit(PATIENCE)).isEqualTo(1);
        assertThat(missing.output()).contains("none was not found.", "Install a Java 25 runtime, or set JAVA_HOME");
    }

    @Test
    void commandsGetTheirOptionsAndReturnTheirExitCodes() throws Exception {
        var java = Map.of("JAVA_HOME", System.getProperty("java.home"));
        var version = run(java, "-Xmx64m", "--version");
        assertThat(version.awaitExit(PATIENCE)).isZero();
        assertThat(version.output()).startsWith("berth ");
        assertThat(run(java, "no such command").awaitExit(PATIENCE)).isEqualTo(2);
    }

    private Installation launched(Path caches) throws IOException {
        return Installation.of(Program.launcher(), directory)
                .with("PATH", withoutPriorities() + File.pathSeparator + System.getenv("PATH"))
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("BERTH_CACHE_DIR", caches.toString())
                .with("BERTH_CACHE_AFTER", "15");
    }

    /** Returns a directory in which {@code nice} gives no lower priority: with that, a busy machine would make no cache for minutes. */
    private Path withoutPriorities() throws IOException {
        var programs = Files.createDirectory(directory.resolve("programs"));
        executable(programs.resolve("nice"), "#!/bin/sh\n[ \"$1 $2\" = '-n 19' ] && shift 2 && exec \"$@\"\n");
        return programs;
    }

    private static Path executable(Path file, String script) throws IOException {
        Files.writeString(file, script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private JavaProcess run(Map<String, String> environment, String... arguments) throws IOException {
        return JavaProcess.start(
                Program.launcher(),
                Files.createTempFile(directory, "launcher", ".log"),
                environment,
                List.of(arguments));
    }

    private static void stop(JavaProcess service) {
        service.askToStop();
        assertThat(service.awaitExit(PATIENCE)).isEqualTo(143);
    }

    private static boolean usesCache(JavaProcess service) throws IOException {
        return Files.readString(Path.of("/proc/%d/maps".formatted(service.pid())), UTF_8)
                .contains("berth.aot");
    }

    private static List<Path> madeIn(Path caches) throws IOException {
        if (!Files.exists(caches)) {
            return List.of();
        }
        try (var files = Files.find(caches, 3, (file, _) -> file.endsWith("berth.aot"))) {
            return files.toList();
        } catch (UncheckedIOException _) {
            // another file was removed meanwhile
            return List.of();
        }
    }
}
