package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An account asks for far more than its limit allows, on many clusters and at all instances, while the active instance is killed. */
class LimitedAccountIT {

    private static final int LIMIT = 10;
    private static final int CLUSTERS = 9;
    private static final int REQUESTS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** The same in each repetition of a request, or Berth would reject the key. */
    private final Instant ready = Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS);

    @Test
    void anAccountNeverExceedsItsLimit() throws Exception {
        try (var database = SharedDatabase.in(directory);
                var decides = instance(database, "decides");
                var standsBy = instance(database, "stands-by")) {
            var first = decides.start();
            standsBy.start();
            Waiting.until(PATIENCE, () -> "The standby is not ready.", () -> isReady(standsBy.url()));
            var admin = new Api(standsBy.url(), SharedDatabase.TOKEN);
            for (int i = 0; i < CLUSTERS; i++) {
                assertThat(admin.post("/clusters", "{\"id\":\"c%d\",\"pes\":100}".formatted(i))
                                .status())
                        .isEqualTo(201);
            }
            var token = admin.post("/accounts", """
                            {"name":"carol","role":"CLIENT","limits":{"activeReservations":%d}}""".formatted(LIMIT))
                    .body()
                    .path("token")
                    .asString();

            int booked = 0;
            try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
                var answers = new ArrayList<Future<Integer>>();
                for (int i = 0; i < REQUESTS; i++) {
                    int number = i;
                    // at the standby, because the other instance no longer answers
                    answers.add(clients.submit((Callable<Integer>) () -> ask(standsBy.url(), token, number)));
                    if (number == REQUESTS / 2) {
                        first.killHard();
                    }
                }
                for (var each : answers) {
                    int status = each.get();
                    assertThat(status).isIn(201, 403);
                    booked += status == 201 ? 1 : 0;
                }
            }

            assertThat(booked).isEqualTo(LIMIT);
            assertThat(new Api(standsBy.url(), token).all("/reservations")).hasSize(LIMIT);
        }
    }

    private Installation instance(SharedDatabase database, String name) throws IOException {
        return database.instance(Program.quick(), Files.createDirectory(directory.resolve(name)));
    }

    private static boolean isReady(String url) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var readiness = HttpRequest.newBuilder(URI.create(url + "/actuator/health/readiness"))
                    .build();
            return client.send(readiness, BodyHandlers.discarding()).statusCode() == 200;
        }
    }

    /** Repeats a request with one key until it has a result; returns the status. */
    private int ask(String url, String token, int number) throws InterruptedException {
        var body = "{\"cluster\":\"c%d\",\"terms\":{\"duration\":\"PT1H\",\"pes\":1,\"readyTime\":\"%s\"}}"
                .formatted(number % CLUSTERS, ready);
        long end = System.nanoTime() + PATIENCE.toNanos();
        int status = 0;
        while (System.nanoTime() < end) {
            try {
                status = new Api(url, token)
                        .post("/reservations", body, "request-" + number)
                        .status();
            } catch (IOException e) {
                // it is repeated
            }
            if (status == 201 || status == 403) {
                break;
            }
            Thread.sleep(100);
        }
        return status;
    }
}
