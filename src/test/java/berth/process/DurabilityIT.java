package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that whatever is acknowledged is on disk, and that the service does not start otherwise. */
class DurabilityIT {

    private static final Duration ENDING = Duration.ofSeconds(60);
    private static final int RESERVATIONS = 300;

    /** PostgreSQL's processes report their last counts when they have been idle for ten seconds. */
    private static final Duration REPORTED = Duration.ofSeconds(12);

    /** The number of other syncs, such as of a checkpoint, during the test. */
    private static final int OTHERS = 40;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path databases;

    @Test
    void aDatabaseThatMayLoseWhatItHasCommittedIsRefused(@TempDir Path directory) throws Exception {
        isRefused("fsync", directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"synchronous_commit", "full_page_writes"})
    @Tag("full")
    void everyOtherSettingIsChecked(String setting, @TempDir Path directory) throws Exception {
        isRefused(setting, directory);
    }

    private static void isRefused(String setting, Path directory) throws Exception {
        try (var database = database("plain").setServerConfig(setting, "off").start();
                var installation = on(database, directory)) {
            isRefused(installation.launch(), setting);
        }
    }

    @Test
    @Tag("full")
    void aSettingOfTheRoleCountsToo(@TempDir Path directory) throws Exception {
        try (var database = database("role").start();
                var connection = database.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var installation = on(database, directory)) {
            statement.execute("alter role postgres set synchronous_commit = off");
            isRefused(installation.launch(), "synchronous_commit");
        }
    }

    /** Returns an operator's server, durable by default, with a unique name. */
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
                        "PostgreSQL runs with %s = off, so an acknowledged reservation could be lost."
                                .formatted(setting),
                        "Action:",
                        "Set it to on")
                .doesNotContain("\tat ", "Exception");
    }

    /**
     * Compares PostgreSQL's count of syncs of its log with the number of acknowledgements. The count lags, so some dozen syncs of the start
     * may be included; as many as acknowledgements appear only if every commit waits for its own.
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

    /**
     * A batch is one row of the journal and one sync. In addition PostgreSQL's WAL writer syncs five times a second what need not be on
     * disk at once, such as the projector's writes.
     */
    @Test
    @Tag("full")
    void aBatchWaitsForTheDiskOnce(@TempDir Path directory) throws Exception {
        try (var installation = Installation.in(directory)) {
            installation.start();
            try (var connection = installation.connectToDatabase()) {
                Thread.sleep(REPORTED);
                long syncsBefore = syncs(connection);
                long batchesBefore = batches(connection);
                var begun = Instant.now();
                reserveAtOnce(installation.api(), 16, 100);
                var took = Duration.between(begun, Instant.now());
                Thread.sleep(REPORTED);
                long batches = batches(connection) - batchesBefore;
                long syncs = syncs(connection) - syncsBefore;
                System.out.printf(
                        "1600 reservations, 16 at a time, in %d ms: %d batches, %d syncs of the write-ahead log%n",
                        took.toMillis(), batches, syncs);
                assertThat(batches).as("batches").isBetween(100L, 1600L);
                assertThat(syncs)
                        .as("syncs of %d batches in %s", batches, took)
                        .isBetween(batches, batches + 5 * (took.toSeconds() + 1) + OTHERS);
            }
        }
    }

    /** Returns how long each reservation took. */
    private static List<Duration> reserveAtOnce(Api api, int clients, int each) throws Exception {
        try (var threads = Executors.newFixedThreadPool(clients)) {
            var took = new ArrayList<Future<Duration>>();
            for (int i = 0; i < clients * each; i++) {
                took.add(threads.submit(() -> {
                    long begun = System.nanoTime();
                    var answer = api.post(
                            "/reservations", "{\"terms\":{\"duration\":\"PT1H\",\"pes\":1},\"cluster\":\"demo\"}");
                    long end = System.nanoTime();
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
                    return Duration.ofNanos(end - begun);
                }));
            }
            var all = new ArrayList<Duration>();
            for (var one : took) {
                all.add(one.get());
            }
            return all;
        }
    }

    /** With slow syncs no answer is earlier than its sync. */
    @Test
    @Tag("full")
    void noAnswerIsEarlierThanItsSync(@TempDir Path directory) throws Exception {
        var delay = Duration.ofMillis(12);
        try (var installation = Installation.in(directory)
                .with("LD_PRELOAD", Fault.compiled("slowsync", directory).toString())
                .with("SLOW_SYNC_MS", Long.toString(delay.toMillis()))) {
            installation.start();
            var api = installation.api();
            var took = reserveAtOnce(api, 8, 25);
            System.out.printf(
                    "%d reservations, 8 at a time, %d ms a sync: answered within %d to %d ms%n",
                    took.size(),
                    delay.toMillis(),
                    Collections.min(took).toMillis(),
                    Collections.max(took).toMillis());
            assertThat(took).allSatisfy(each -> assertThat(each).isGreaterThanOrEqualTo(delay));
        }
    }

    private static long batches(Connection connection) throws SQLException {
        return number(connection, "select count(*) from journal where cluster = 'demo'");
    }

    private static long syncs(Connection connection) throws SQLException {
        return number(connection, "select sum(fsyncs) from pg_stat_io where object = 'wal'");
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }
}
