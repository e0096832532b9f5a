package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the first start, which takes seconds, in the middle. */
@Tag("full")
class InterruptedStartIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void theStartAfterACutOffStartSucceeds(@TempDir Path directory) throws Exception {
        try (var installation = Installation.in(directory)) {
            var programs = installation.data().resolve("postgresql.programs");

            var whileUnpacking = installation.launch();
            Waiting.until(
                    PATIENCE,
                    whileUnpacking::output,
                    () -> find(programs, Files::isSymbolicLink).isPresent());
            whileUnpacking.killHard();
            // if it was fast enough to finish, it now looks as if it had not
            var done = find(programs, file -> file.endsWith(".exists"));
            if (done.isPresent()) {
                Files.delete(done.get());
            }

            var whileInitialising = installation.launch();
            Waiting.until(
                    PATIENCE,
                    whileInitialising::output,
                    () -> find(installation.data(), file -> file.endsWith("PG_VERSION"))
                            .isPresent());
            var initdb = installation.processesOnData().stream()
                    .filter(process -> process.info().command().orElse("").endsWith("initdb"))
                    .findAny()
                    .orElseThrow();
            // it outlives the service and the next one
            Installation.signal(initdb, "STOP");
            whileInitialising.killHard();

            installation.start();
            Installation.signal(initdb, "CONT");
            initdb.onExit().get();
            assertThat(Api.isHealthy(installation.url())).isTrue();
            var booked = installation
                    .api()
                    .post("/reservations", "{\"terms\":{\"duration\":\"PT1H\",\"pes\":1},\"cluster\":\"demo\"}");
            assertThat(booked.status()).isEqualTo(201);
            assertThat(Files.getPosixFilePermissions(programs))
                    .as("nobody else can put other programs there")
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }

    private static Optional<Path> find(Path directory, Predicate<Path> wanted) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (var files = Files.walk(directory)) {
            return files.filter(wanted).findAny();
        } catch (java.io.UncheckedIOException e) {
            // a file was removed meanwhile
            return Optional.empty();
        }
    }
}
