package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The promises of one service are exported to another machine and kept there. */
@Tag("full")
class MovedServiceIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** So far ahead that nothing happens to it during the test. */
    private static final String RUN =
            "{\"cluster\":\"demo\",\"terms\":{\"readyTime\":\"%s\",\"duration\":\"PT1H\",\"pes\":4}}"
                    .formatted(Instant.now().plus(Duration.ofDays(1)));

    @Test
    void anotherMachineKeepsAnImportedReservation(@TempDir Path directory) throws Exception {
        var file = directory.resolve("promises.zip");
        var stopped = directory.resolve("stopped.zip");
        Api.Answer promised;
        String token;
        try (var old = Installation.in(Files.createDirectory(directory.resolve("old")))) {
            var service = old.start();
            promised = old.api().post("/reservations", RUN, "k");
            assertThat(promised.status()).as(promised.toString()).isEqualTo(201);
            token = Files.readString(old.tokenFile()).strip();

            // while the service runs
            run(old.data(), 0, "live reservations 1.", "export", "--out", file.toString());
            run(old.data(), 1, "exists already; name a new file", "export", "--out", file.toString());
            run(old.data(), 1, "is in use by process", "rebuild");
            service.killHard();
            run(old.data(), 0, "Cluster demo: rebuilt, events 0 to ", "rebuild");
            // while it does not run
            run(old.data(), 0, "live reservations 1.", "export", "--out", stopped.toString());
        }
        try (var other = Installation.in(Files.createDirectory(directory.resolve("other")))) {
            run(other.data(), 0, "You can start the service now.", "import", stopped.toString());
            run(other.data(), 1, "The database is not empty", "import", file.toString());
            run(other.data(), 0, "is good", "verify", file.toString());
            other.start();

            var api = new Api(other.url(), token);
            assertThat(api.get("/reservations/" + promised.id()).body()).isEqualTo(promised.body());
            assertThat(api.post("/reservations", RUN, "k").body()).isEqualTo(promised.body());
        }
    }

    /** Runs a command on a data directory and expects an exit code and a text in the output. */
    private static void run(Path data, int exitCode, String says, String... command) throws Exception {
        var log = Files.createTempFile("command", ".log");
        var process =
                JavaProcess.start(Program.quick(), log, Map.of("BERTH_DATA_DIR", data.toString()), List.of(command));
        int exited = process.awaitExit(PATIENCE);
        assertThat(process.output()).contains(says);
        assertThat(exited).isEqualTo(exitCode);
        Files.delete(log);
    }
}
