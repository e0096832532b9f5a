package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only one process writes: a second one is told which process does, and ends. */
class SecondServiceIT {

    private static final Duration ENDING = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Installation installation;

    @SuppressWarnings("NullAway.Init")
    private static JavaProcess first;

    @BeforeAll
    static void start() throws Exception {
        installation = Installation.in(directory);
        first = installation.start();
    }

    @AfterAll
    static void end() throws Exception {
        installation.close();
    }

    @AfterEach
    void theFirstGoesOnServing() throws Exception {
        assertThat(first.isAlive()).isTrue();
        var booked = installation
                .api()
                .post("/reservations", "{\"terms\":{\"duration\":\"PT1H\",\"pes\":1},\"cluster\":\"demo\"}");
        assertThat(booked.status()).isEqualTo(201);
        assertThat(first.output()).doesNotContain("WARN", "ERROR");
    }

    @Test
    void aSecondServiceOnTheSameDataDirectoryIsRefused() throws Exception {
        var second = installation.launch();
        isRefused(second, "The data directory %s is in use by process %d.".formatted(installation.data(), first.pid()));
    }

    @Test
    void aSecondServiceOnTheSameDatabaseIsRefused(@TempDir Path elsewhere) throws Exception {
        try (var other = Installation.in(elsewhere)
                .with("SPRING_DATASOURCE_URL", installation.databaseUrl())
                .with("SPRING_DATASOURCE_USERNAME", "postgres")
                .with("SPRING_DATASOURCE_PASSWORD", installation.databasePassword())) {
            isRefused(
                    other.launch(),
                    "The database is in use by another Berth (berth, process %d on ".formatted(first.pid()));
        }
    }

    /** Checks that its message says what is wrong and what to do, in words for users. */
    private static void isRefused(JavaProcess service, String reason) {
        assertThat(service.awaitExit(ENDING)).isEqualTo(1);
        assertThat(service.output())
                .contains(reason)
                .containsSubsequence("Description:", reason, "Action:", "Stop that process")
                .doesNotContain("\tat ", "WARN", "Exception");
    }
}
