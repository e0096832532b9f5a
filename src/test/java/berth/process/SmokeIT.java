package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first start of the jar and a user's first calls. */
class SmokeIT {

    private static final Duration ENDING = Duration.ofSeconds(20);
    private static final int SIGTERM = 128 + 15;

    @Test
    void theJarOfTheServiceLeavesTheLaboratoryToItsOwnJar(@TempDir Path directory) throws Exception {
        var command = List.of("experiment", "--help");
        var service = JavaProcess.start(Program.shipped(), directory.resolve("service.log"), Map.of(), command);
        var laboratory = JavaProcess.start(Program.laboratory(), directory.resolve("lab.log"), Map.of(), command);

        assertThat(service.awaitExit(ENDING)).isEqualTo(2);
        assertThat(service.output()).contains("berth-lab.jar").hasLineCount(1);
        assertThat(laboratory.awaitExit(ENDING)).as(laboratory.output()).isZero();
        assertThat(laboratory.output()).contains("experiment", "calibration");
    }

    @Test
    void aClientProbesReservesReadsAndCancels(@TempDir Path directory) throws Exception {
        try (var installation = Installation.of(Program.shipped(), directory)) {
            var service = installation.start();
            var api = installation.api();
            var tomorrow = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
            var terms = "{\"readyTime\":\"%s\",\"duration\":\"PT1H\",\"pes\":4}".formatted(tomorrow);

            var probe = api.post("/probes", "{\"clusters\":[\"demo\"],\"terms\":%s}".formatted(terms));
            assertThat(probe.status()).as(probe.toString()).isEqualTo(200);
            assertThat(probe.body().path("slots")).isNotEmpty();

            var start = probe.body().at("/slots/0/start");
            var reserved = api.post(
                    "/reservations",
                    "{\"cluster\":\"demo\",\"terms\":%s,\"start\":%s}".formatted(terms, start.toString()));
            assertThat(reserved.status()).as(reserved.toString()).isEqualTo(201);
            assertThat(reserved.body().at("/placement/start")).isEqualTo(start);

            assertThat(api.get("/reservations/" + reserved.id()).body()).isEqualTo(reserved.body());

            var cancelled = api.post("/reservations/%s/cancel".formatted(reserved.id()), "");
            assertThat(cancelled.status()).as(cancelled.toString()).isEqualTo(200);
            assertThat(api.get("/reservations/" + reserved.id())
                            .body()
                            .path("state")
                            .asString())
                    .isEqualTo("CANCELLED");

            service.askToStop();
            assertThat(service.awaitExit(ENDING)).isEqualTo(SIGTERM);
            assertThat(service.output()).doesNotContain("WARN", "ERROR", "Exception");
        }
    }
}
