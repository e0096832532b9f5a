package berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the client for login nodes and a client generated from the OpenAPI document, with the machine's Python and a running service. A
 * test whose Python or library is missing is skipped with a line that says so.
 */
@Tag("full")
class ClientIT {

    private static final Path HOME = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path TESTS = HOME.resolve("src/test/python");
    private static final Path CLIENT = HOME.resolve("src/main/resources/static/client/berth.py");
    private static final Path GENERATED = HOME.resolve("target/generated-test-sources/python");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Installation installation;

    /** The machine's global Python, or else whichever is first in the path. */
    @SuppressWarnings("NullAway.Init")
    private static String python;

    /** The output and the exit code of a program. */
    private record Ended(int code, String output) {}

    @BeforeAll
    static void start() throws Exception {
        python = needed(
                "Python 3.8 or later",
                Stream.of("/usr/bin/python3", "python3"),
                "import sys; sys.exit(sys.version_info < (3, 8))");
        installation = Installation.in(directory);
        installation.start();
    }

    @AfterAll
    static void end() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    /** Returns the first of these that can run the code; skips the test if there is none. */
    private static String needed(String what, Stream<String> pythons, String code) {
        var found = pythons.filter(each -> runs(each, code)).findFirst();
        if (found.isEmpty()) {
            System.out.println("ClientIT: skipped what needs " + what + ", which is not there.");
        }
        assumeTrue(found.isPresent(), what + " is not there.");
        return found.get();
    }

    private static boolean runs(String python, String code) {
        try {
            return run(Map.of(), List.of(python, "-c", code)).code == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void theTestsWithoutAServicePass() throws IOException {
        succeed(List.of(python, "-m", "unittest", "test_berth"));
    }

    @Test
    void theTestsWithAServicePass() throws IOException {
        succeed(List.of(python, "-m", "unittest", "test_service"));
    }

    @Test
    void theCommandRunOutlastsARestart() throws Exception {
        var api = installation.api();
        var log = directory.resolve("run.log");
        var client = process(Map.of("BERTH_URL", installation.url(), "BERTH_TOKEN", installation.token()))
                .command(
                        python,
                        CLIENT.toString(),
                        "run",
                        "--cluster=demo",
                        "--pes=1",
                        "--for=1h",
                        "--ready=+8s",
                        "--",
                        "sh",
                        "-c",
                        "echo begun $BERTH_RESERVATION")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Waiting.until(PATIENCE, () -> read(log), () -> read(log).contains("Reserved"));
            installation.last().killHard();
            // it must start meanwhile
            Thread.sleep(9000);
            installation.start();
            assertThat(client.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            client.destroyForcibly();
        }

        assertThat(read(log)).contains("trying again", "begun ").doesNotContain("Traceback");
        assertThat(client.exitValue()).isZero();
        var id = read(log).substring(read(log).indexOf("begun ") + 6).strip();
        var reservation = api.get("/reservations/" + id).body();
        assertThat(reservation.path("state").asString()).isEqualTo("COMPLETED");
        assertThat(api.all("/reservations"))
                .hasSizeLessThan(500)
                .filteredOn(each -> each.path("id").asString().equals(id))
                .hasSize(1);
    }

    @Test
    void pylintFindsNoFault() throws IOException {
        var pythons = Stream.of(python, "python3");
        var with = needed("pylint", pythons, "import pylint");
        succeed(List.of(with, "-m", "pylint", "--rcfile=" + TESTS.resolve("pylintrc"), CLIENT.toString()));
    }

    @Test
    void mypyFindsNoFault() throws IOException {
        var with = needed("mypy", Stream.of(python, "python3"), "import mypy");
        var cache = "--cache-dir=" + HOME.resolve("target/mypy");
        succeed(List.of(with, "-m", "mypy", "--strict", cache, CLIENT.toString()));
    }

    /** Uses the libraries that the generated client asks for, because Debian 12 has an older pydantic. */
    @Test
    void aGeneratedClientReserves() throws IOException {
        var venv = HOME.resolve("target/venv/bin/python3").toString();
        var with = needed(
                "pydantic 2 with urllib3 and dateutil",
                Stream.of(venv, python, "python3"),
                "import pydantic, urllib3, dateutil, sys; sys.exit(int(pydantic.VERSION.split('.')[0]) < 2)");
        succeed(List.of(with, TESTS.resolve("generated_client.py").toString()));
    }

    private static void succeed(List<String> command) throws IOException {
        var ended = run(environment(), command);
        assertThat(ended.code).as("%s%n%s", command, ended.output).isZero();
        System.out.println("ClientIT: " + command.getLast() + ": "
                + ended.output.strip().lines().reduce((first, last) -> last).orElse(""));
    }

    private static Map<String, String> environment() throws IOException {
        return Map.of("BERTH_TEST_URL", installation.url(), "BERTH_TEST_TOKEN", installation.token());
    }

    private static ProcessBuilder process(Map<String, String> environment) {
        var builder = new ProcessBuilder().directory(TESTS.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("BERTH_"));
        builder.environment().putAll(environment);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("PYLINTHOME", HOME.resolve("target/pylint").toString());
        builder.environment().put("PYTHONPATH", GENERATED.toString());
        return builder;
    }

    private static Ended run(Map<String, String> environment, List<String> command) throws IOException {
        var log = Files.createTempFile("client", ".log");
        try {
            var process = process(environment)
                    .command(new ArrayList<>(command))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Ended(-1, "It does not end. " + read(log));
            }
            return new Ended(process.exitValue(), read(log));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            Files.delete(log);
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "(%s)".formatted(e);
        }
    }
}
