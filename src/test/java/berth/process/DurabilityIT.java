package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is acknowledged is on disk, or the service does not start. */
class DurabilityIT {

    private static final Duration ENDING = Duration.ofSeconds(60);
    private static final int RESERVATIONS = 300;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path databases;

    @ParameterizedTest
    @ValueSource(strings = {"fsync", "synchronous_commit", "full_page_writes"})
    void aDatabaseThatMayLoseWhatItHasCommittedIsRefused(String setting, @TempDir Path directory) throws Exception {
        try (var database = database("plain").setServerConfig(setting, "off").start();
                var installation = on(database, directory)) {
            isRefused(installation.launch(), setting);
        }
    }

    @Test
    void aSettingOfTheRoleCountsToo(@TempDir Path directory) throws Exception {
        try (var database = database("role").start();
                var connection = database.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var installation = on(database, directory)) {
            statement.execute("alter role postgres set synchronous_commit = off");
            isRefused(installation.launch(), "synchronous_commit");
        }
    }

    /** A server of the operator's, durable unless it is told otherwise; there is one of each name. */
    private static EmbeddedPostgres.Builder database(String name) {
        return EmbeddedPostgres.builder()
                .setDataDirectory(databases.resolve(name))
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(databases.resolve("programs").toFile())
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .setPGStartupWait(ENDING)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on");
    }

    private static Installation on(EmbeddedPostgres database, Path directory) throws Exception {
        return Installation.in(directory)
                .with("SPRING_DATASOURCE_URL", "jdbc:postgresql://localhost:%d/postgres".formatted(database.getPort()))
                .with("SPRING_DATASOURCE_USERNAME", "postgres");
    }

    private static void isRefused(JavaProcess service, String setting) {
        assertThat(service.awaitExit(ENDING)).isEqualTo(1);
        assertThat(service.output())
                .containsSubsequence(
                        "Description:",
                        "PostgreSQL runs with %s = off: an acknowledged reservation could be lost.".formatted(setting),
                        "Action:",
                        "Set it to on")
                .doesNotContain("\tat ", "Exception");
    }

    /**
     * PostgreSQL counts when it asks the system to write its log through to the disk. It reports with some delay, so that
     * a few dozen syncs of the start may count here too; that many more there are only if every commit waits for its own.
     */
    @Test
    void everyAcknowledgementWaitsForTheDisk(@TempDir Path directory) throws Exception {
        try (var installation = Installation.in(directory)) {
            installation.start();
            var api = installation.api();
            try (var connection = installation.connectToDatabase()) {
                long before = syncs(connection);
                for (int i = 0; i < RESERVATIONS; i++) {
                    var answer = api.post(
                            "/reservations",
                            "{\"terms\":{\"duration\":\"PT1H\",\"pes\":1},\"cluster\":\"demo\",\"name\":\"%d\"}"
                                    .formatted(i));
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
                }
                Waiting.until(
                        Duration.ofSeconds(30),
                        () -> "Too few syncs of the write-ahead log.",
                        () -> syncs(connection) - before >= RESERVATIONS);
                System.out.printf(
                        "%d reservations, one after the other: %d syncs of the write-ahead log%n",
                        RESERVATIONS, syncs(connection) - before);
            }
        }
    }

    private static long syncs(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("select sum(fsyncs) from pg_stat_io where object = 'wal'")) {
            result.next();
            return result.getLong(1);
        }
    }
}
