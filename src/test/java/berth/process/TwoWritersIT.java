package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service is stopped, another one takes over its database, and the first continues. Nothing that it had begun happens beside its
 * successor. A third one has the PostgreSQL of both and a cluster at another Berth.
 */
@Tag("full")
class TwoWritersIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Longer than a start takes on an idle machine. */
    private static final Duration WINDOW = Duration.ofSeconds(20);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Installation there;

    @SuppressWarnings("NullAway.Init")
    private Installation first;

    @SuppressWarnings("NullAway.Init")
    private Installation second;

    @BeforeEach
    void start() throws Exception {
        there = Installation.in(Files.createDirectory(directory.resolve("there")));
        there.start();
        try (var connection = there.connectToDatabase();
                var statement = connection.createStatement()) {
            statement.execute("create database shared");
        }
        first = onShared("first");
        second = onShared("second");
    }

    @AfterEach
    void end() throws Exception {
        first.close();
        second.close();
        there.close();
    }

    private Installation onShared(String name) throws IOException {
        return Installation.in(Files.createDirectory(directory.resolve(name)))
                .with("SPRING_DATASOURCE_URL", sharedUrl())
                .with("SPRING_DATASOURCE_USERNAME", "postgres")
                .with("SPRING_DATASOURCE_PASSWORD", there.databasePassword())
                .with("BERTH_ADMIN_TOKEN", "berth_the-same-for-both-of-them-0123456789")
                .with("BERTH_BROKER_INTAKE_ORDER", "DPSAR")
                .with("BERTH_BROKER_INTAKE_WINDOW", WINDOW.toString());
    }

    private String sharedUrl() throws IOException {
        return there.databaseUrl().replaceAll("/postgres$", "/shared");
    }

    @Test
    void anInstanceThatWakesAfterATakeoverBooksNothingAndEnds() throws Exception {
        var replaced = first.start();
        var old = api(first);
        assertThat(old.post("/clusters", """
                {"id":"far","peer":{"url":"%s","token":"%s","cluster":"demo"}}""".formatted(
                                there.url(), Files.readString(there.tokenFile()).strip()))
                        .status())
                .isEqualTo(201);
        var from = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
        var collected = old.post("/reservations", """
                {"terms":{"duration":"PT1H","pes":4,"readyTime":"%s"}}""".formatted(from));
        assertThat(collected.status()).as(collected.toString()).isEqualTo(202);

        signal(replaced, "STOP");
        endSessionsOnShared();
        second.start();
        // with the request in memory and its round still to come
        signal(replaced, "CONT");

        assertThat(replaced.awaitExit(PATIENCE)).isEqualTo(3);
        assertThat(replaced.output()).contains("has taken over the database");
        var present = api(second);
        Waiting.until(
                PATIENCE,
                () -> "undecided",
                () -> state(present, collected.id()).equals("CONFIRMED"));
        assertThat(booked(present)).hasSize(1);
        var cluster = present.get("/reservations/" + collected.id())
                .body()
                .path("cluster")
                .asString();
        assertThat(booked(there.api())).hasSize(cluster.equals("far") ? 1 : 0);
    }

    /** Ends the old service's sessions and so releases its lock. */
    private void endSessionsOnShared() throws IOException, SQLException {
        try (var connection = there.connectToDatabase();
                var statement = connection.createStatement()) {
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shared'");
        }
    }

    private static Api api(Installation installation) {
        return new Api(installation.url(), "berth_the-same-for-both-of-them-0123456789");
    }

    private static void signal(JavaProcess service, String name) throws IOException, InterruptedException {
        Installation.signal(ProcessHandle.of(service.pid()).orElseThrow(), name);
    }

    private static String state(Api api, String id) throws IOException {
        return api.get("/reservations/" + id).body().path("state").asString("");
    }

    private static List<String> booked(Api api) throws IOException {
        return api.all("/reservations").stream()
                .map(reservation -> reservation.path("state").asString())
                .filter(List.of("CONFIRMED", "HELD", "RUNNING")::contains)
                .toList();
    }
}
