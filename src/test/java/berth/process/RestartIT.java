package berth.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A service is asked to end, ends, and later continues where it was; a second one beside it does not start. */
class RestartIT {

    private static final Duration ENDING = Duration.ofSeconds(20);
    private static final Duration REFUSAL = Duration.ofMinutes(1);
    private static final int SIGTERM = 128 + 15;
    private static final int PES = 8;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Installation installation;

    @SuppressWarnings("NullAway.Init")
    private static JavaProcess service;

    @SuppressWarnings("NullAway.Init")
    private static Api api;

    /** Each test has its own cluster. */
    private final String cluster = "small-" + UUID.randomUUID();

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    /** Everything that the service reports about its cluster. */
    private record Told(
            JsonNode cluster,
            JsonNode schedule,
            List<JsonNode> outages,
            List<JsonNode> reservations,
            List<JsonNode> events) {}

    @BeforeAll
    static void start() throws Exception {
        installation = Installation.in(directory);
        service = installation.start();
        api = installation.api();
    }

    @AfterAll
    static void end() throws Exception {
        installation.close();
    }

    @Test
    void anOrderlyStopEndsTheDatabaseAndARestartShowsTheSameData() throws Exception {
        createCluster();
        changeEverything();
        var before = told();
        assertThat(before.reservations)
                .extracting(RestartIT::nameAndState)
                .containsExactlyInAnyOrder(
                        "plain CONFIRMED",
                        "held HELD",
                        "to confirm CONFIRMED",
                        "to cancel CANCELLED",
                        "to fix CONFIRMED",
                        "to change CONFIRMED",
                        "to claim RUNNING",
                        "unclaimed RUNNING",
                        "to move CONFIRMED",
                        "to fail FAILED");
        assertThat(before.outages).hasSize(2);

        var postgres = installation.postgres();
        stop();
        // the service reports its end a moment before its process is gone
        Waiting.until(ENDING, () -> "PostgreSQL runs on.", () -> !postgres.isAlive());
        assertThat(installation.processesOnData()).isEmpty();
        assertThat(service.output()).doesNotContain("WARN", "ERROR", "Exception");

        service = installation.start();
        assertThat(told()).isEqualTo(before);
        assertThat(service.output())
                .contains("Cluster %s is open: 8 live reservations, %d events, epoch 2"
                        .formatted(cluster, before.events.size()));
    }

    /** Makes every possible change to reservations and their cluster. */
    private void changeEverything() throws Exception {
        assertThat(api.patch(
                                "/clusters/" + cluster,
                                "{\"labels\":{\"gpu\":\"none\"},\"policy\":{\"claimWithin\":\"PT1H\"}}")
                        .status())
                .isEqualTo(200);
        var begin = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(8);
        var claimed = reserve("to claim", begin, Duration.ofMinutes(50), 1, "");
        var unclaimed = reserve("unclaimed", begin, Duration.ofMinutes(90), 1, "");
        reserve("plain", now.plusSeconds(7200), Duration.ofHours(2), 3, "");
        reserve("held", now.plusSeconds(7200), Duration.ofHours(1), 2, ",\"hold\":\"PT15M\"");
        var confirmed = reserve("to confirm", now.plusSeconds(90_000), Duration.ofHours(1), 8, ",\"hold\":\"PT15M\"");
        var cancelled = reserve("to cancel", now.plusSeconds(180_000), Duration.ofHours(1), 8, "");
        var fixed = reserve("to fix", now.plusSeconds(7200), Duration.ofHours(2), 2, "");
        var changed = reserve("to change", now.plusSeconds(7200), Duration.ofHours(2), 1, "");
        act(confirmed, "confirm", "");
        act(cancelled, "cancel", "");
        act(fixed, "fix", "");
        act(changed, "renegotiations", "{\"terms\":{\"duration\":\"PT1H\",\"requires\":{\"gpu\":\"none\"}}}");
        recordOutages();
        Waiting.until(
                Duration.ofMinutes(1),
                service::output,
                () -> read(unclaimed).path("state").asString().equals("RUNNING"));
        act(claimed, "claim", "");
    }

    /** Records an outage that displaces reservations and one that is cancelled. */
    private void recordOutages() throws IOException {
        var then = now.plusSeconds(200_000);
        reserve("to move", then, Duration.ofHours(1), 5, "");
        var strict = api.post("/reservations", """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":3},"cluster":"%s","name":"to fail"}
                """.formatted(then, then.plusSeconds(3600), cluster));
        assertThat(strict.status()).isEqualTo(201);
        var lasting = api.post(
                "/clusters/%s/outages".formatted(cluster),
                "{\"pes\":6,\"from\":\"%s\",\"to\":\"%s\"}".formatted(then, then.plusSeconds(1_000_000)));
        assertThat(lasting.status()).isEqualTo(201);
        assertThat(lasting.body().path("moved")).hasSize(1);
        assertThat(lasting.body().path("failed")).hasSize(1);
        var calledOff = api.post(
                "/clusters/%s/outages".formatted(cluster),
                "{\"pes\":1,\"from\":\"%s\",\"to\":\"%s\",\"reason\":\"tests\"}".formatted(then, then.plusSeconds(60)));
        assertThat(api.delete("/clusters/%s/outages/%s".formatted(cluster, calledOff.id())))
                .isEqualTo(204);
    }

    private static void act(String id, String action, String body) throws IOException {
        var answer = api.post("/reservations/%s/%s".formatted(id, action), body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static String nameAndState(JsonNode reservation) {
        return reservation.path("name").asString() + " "
                + reservation.path("state").asString();
    }

    @Test
    void aRestartedServiceCatchesUpInOrderWithTheProperTimes() throws Exception {
        createCluster();
        var begin = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(10);
        // each needs the whole cluster, so the second can start only after the first has ended
        var second = reserve("second", begin.plusSeconds(2), Duration.ofSeconds(1), PES, "");
        var first = reserve("first", begin, Duration.ofSeconds(2), PES, "");
        var held = reserve("held", begin.plusSeconds(3600), Duration.ofHours(1), PES, ",\"hold\":\"PT3S\"");
        var expiry = instant(read(held), "holdExpiresAt");
        stop();
        long untilOver = Duration.between(Instant.now(), begin.plusSeconds(4)).toMillis();
        Thread.sleep(Math.max(0, untilOver));

        service = installation.start();
        Waiting.until(
                Duration.ofMinutes(1),
                service::output,
                () -> read(second).path("state").asString().equals("COMPLETED"));
        assertThat(read(first).path("state").asString()).isEqualTo("COMPLETED");
        assertThat(read(held).path("state").asString()).isEqualTo("EXPIRED");
        assertThat(read(held).path("price").path("amount").asString()).isEqualTo("0.00");
        assertThat(happened(first))
                .endsWith("started at " + begin, "completed at " + begin.plusSeconds(2))
                .hasSize(3);
        assertThat(happened(second))
                .endsWith("started at " + begin.plusSeconds(2), "completed at " + begin.plusSeconds(3))
                .hasSize(3);
        assertThat(happened(held)).endsWith("expired at " + expiry).hasSize(2);
        var inOrder = ofCluster(api.all("/events")).stream()
                .skip(3)
                .map(event -> event.path("type").asString())
                .toList();
        assertThat(inOrder.stream().filter(type -> !type.equals("expired")))
                .containsExactly("started", "completed", "started", "completed");
        var times = ofCluster(api.all("/events")).stream()
                .map(event -> instant(event, "at"))
                .toList();
        assertThat(times).isSorted();
    }

    // ---- a second one

    private static void theFirstGoesOnServing() throws Exception {
        assertThat(service.isAlive()).isTrue();
        var booked = installation
                .api()
                .post("/reservations", "{\"terms\":{\"duration\":\"PT1H\",\"pes\":1},\"cluster\":\"demo\"}");
        assertThat(booked.status()).isEqualTo(201);
        assertThat(service.output()).doesNotContain("WARN", "ERROR");
    }

    @Test
    void aSecondServiceOnTheSameDataDirectoryIsRefused() throws Exception {
        isRefused(
                installation.launch(),
                "The data directory %s is in use by process %d.".formatted(installation.data(), service.pid()));
        theFirstGoesOnServing();
    }

    @Test
    void aSecondServiceOnTheSameDatabaseIsRefused(@TempDir Path elsewhere) throws Exception {
        try (var other = Installation.in(elsewhere)
                .with("SPRING_DATASOURCE_URL", installation.databaseUrl())
                .with("SPRING_DATASOURCE_USERNAME", "postgres")
                .with("SPRING_DATASOURCE_PASSWORD", installation.databasePassword())) {
            isRefused(
                    other.launch(),
                    "The database is in use by another Berth (berth, process %d on ".formatted(service.pid()));
        }
        theFirstGoesOnServing();
    }

    /** Checks that its message says what is wrong and what to do, in words for users. */
    private static void isRefused(JavaProcess service, String reason) {
        assertThat(service.awaitExit(REFUSAL)).isEqualTo(1);
        assertThat(service.output())
                .contains(reason)
                .containsSubsequence("Description:", reason, "Action:", "Stop that process")
                .doesNotContain("\tat ", "WARN", "Exception");
    }

    private static void stop() throws IOException {
        long begin;
        try (var kept = new Socket("localhost", URI.create(installation.url()).getPort())) {
            kept.setSoTimeout((int) ENDING.toMillis());
            assertThat(headers(kept)).startsWith("HTTP/1.1 200").doesNotContain("Connection: close");
            service.askToStop();
            begin = System.nanoTime();
            getsResponsesUntilOneClosesTheConnection(kept);
        }
        assertThat(service.awaitExit(ENDING)).isEqualTo(SIGTERM);
        System.out.printf("Ended %d ms after SIGTERM%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }

    /** A client that sends one request after another over a connection must never wait for a response in vain. */
    private static void getsResponsesUntilOneClosesTheConnection(Socket kept) throws IOException {
        String headers;
        do {
            headers = headers(kept);
            assertThat(headers).startsWith("HTTP/1.1 200");
        } while (!headers.contains("Connection: close"));
        assertThat(kept.getInputStream().read()).isEqualTo(-1);
    }

    /** Sends a request whose response has no body, and returns the headers of the response, as far as they come. */
    private static String headers(Socket kept) throws IOException {
        kept.getOutputStream().write("HEAD /api/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        var headers = new StringBuilder();
        for (int got = 0; got >= 0 && headers.indexOf("\r\n\r\n") < 0; ) {
            got = kept.getInputStream().read();
            headers.append((char) got);
        }
        return headers.toString();
    }

    private void createCluster() throws IOException {
        assertThat(api.post("/clusters", "{\"id\":\"%s\",\"pes\":%d}".formatted(cluster, PES))
                        .status())
                .isEqualTo(201);
    }

    /** Reserves at that start, movable until then; returns the id. */
    private String reserve(String name, Instant start, Duration duration, int pes, String more) throws IOException {
        var answer = api.post("/reservations", """
                {"terms":{"duration":"%s","pes":%d,"slack":"P60D","fixAfter":1},"cluster":"%s","start":"%s","name":"%s"%s}""".formatted(duration, pes, cluster, start, name, more));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.id();
    }

    private static JsonNode read(String id) throws IOException {
        return api.get("/reservations/" + id).body();
    }

    private Told told() throws IOException {
        return new Told(
                api.get("/clusters/" + cluster).body(),
                api.get("/clusters/%s/schedule?from=%s&to=%s".formatted(cluster, now, now.plus(30, ChronoUnit.DAYS)))
                        .body(),
                api.all("/clusters/%s/outages".formatted(cluster)),
                ofCluster(api.all("/reservations")),
                ofCluster(api.all("/events")));
    }

    private List<JsonNode> ofCluster(List<JsonNode> items) {
        return items.stream()
                .filter(item -> item.path("cluster").asString().equals(cluster))
                .toList();
    }

    private static List<String> happened(String id) throws IOException {
        return api.all("/reservations/%s/events".formatted(id)).stream()
                .map(event -> "%s at %s".formatted(event.path("type").asString(), instant(event, "at")))
                .toList();
    }

    private static Instant instant(JsonNode node, String field) {
        return Instant.parse(node.path(field).asString());
    }
}
