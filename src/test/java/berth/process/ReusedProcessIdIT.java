package berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A killed PostgreSQL leaves its process id behind, and another process gets it. In a container that is normal: process ids begin at 1
 * after every start, and the first go to Java's threads.
 */
@Tag("full")
class ReusedProcessIdIT {

    private static final Path THREADS = Path.of("/proc/self/task");

    @Test
    void berthDoesNotTakeAThreadForPostgres(@TempDir Path directory) throws Exception {
        assumeThat(THREADS)
                .as("Linux, where a thread has a number like a process")
                .isDirectory();
        try (var installation = Installation.in(directory)) {
            var service = installation.start();
            var pidFile = installation.data().resolve("postgresql").resolve("postmaster.pid");
            var lines = Files.readAllLines(pidFile, StandardCharsets.ISO_8859_1);
            service.askToStop();
            service.awaitExit(Duration.ofMinutes(1));
            assertThat(pidFile).as("PostgreSQL removes it when it ends").doesNotExist();

            lines.set(0, aThreadOfThisProcess());
            Files.write(pidFile, lines, StandardCharsets.ISO_8859_1);

            installation.start();
        }
    }

    private static String aThreadOfThisProcess() throws IOException {
        var self = Long.toString(ProcessHandle.current().pid());
        try (var threads = Files.list(THREADS)) {
            // the oldest threads live as long as the process
            return threads.map(thread -> thread.getFileName().toString())
                    .filter(number -> !number.equals(self))
                    .min((one, other) -> Long.compare(Long.parseLong(one), Long.parseLong(other)))
                    .orElseThrow();
        }
    }
}
