package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

/** The service is asked to end, ends, and goes on later where it stood. */
class RestartIT {

    private static final Duration ENDING = Duration.ofSeconds(20);
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

    /** Each test has its own. */
    private final String cluster = "small-" + UUID.randomUUID();

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    /** All that the service tells about its cluster. */
    private record Told(JsonNode cluster, JsonNode schedule, List<JsonNode> reservations, List<JsonNode> events) {}

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
    void anOrderlyStopEndsTheDatabaseTooAndARestartTellsTheSame() throws Exception {
        createCluster();
        reserve("plain", now.plusSeconds(7200), Duration.ofHours(2), 5, "");
        reserve("held", now.plusSeconds(7200), Duration.ofHours(1), 2, ",\"hold\":\"PT1H\"");
        var confirmed = reserve("to confirm", now.plusSeconds(90_000), Duration.ofHours(1), 8, ",\"hold\":\"PT1H\"");
        var cancelled = reserve("to cancel", now.plusSeconds(180_000), Duration.ofHours(1), 8, "");
        assertThat(api.post("/reservations/%s/confirm".formatted(confirmed), "").status())
                .isEqualTo(200);
        assertThat(api.post("/reservations/%s/cancel".formatted(cancelled), "").status())
                .isEqualTo(200);
        var before = told();
        assertThat(before.reservations).hasSize(4);
        assertThat(before.events).hasSize(6);

        var postgres = installation.postgres();
        stop();
        // it tells that it is done a moment before its process has gone
        Waiting.until(Duration.ofSeconds(5), () -> "PostgreSQL runs on.", () -> !postgres.isAlive());
        assertThat(installation.processesOnData()).isEmpty();
        assertThat(service.output()).doesNotContain("WARN", "ERROR", "Exception");

        service = installation.start();
        assertThat(told()).isEqualTo(before);
        assertThat(service.output())
                .contains("Cluster %s is open: 3 live reservations, 6 events, epoch 2".formatted(cluster));
    }

    @Test
    void whatFellDueWhileTheServiceWasDownHappensInOrderAndAtItsOwnTime() throws Exception {
        createCluster();
        var begin = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(4);
        // the whole cluster each: the second can start only once the first has ended
        var second = reserve("second", begin.plusSeconds(2), Duration.ofSeconds(1), PES, "");
        var first = reserve("first", begin, Duration.ofSeconds(2), PES, "");
        var held = reserve("held", begin.plusSeconds(3600), Duration.ofHours(1), PES, ",\"hold\":\"PT3S\"");
        var expiry = instant(read(held), "holdExpiresAt");
        stop();
        long untilOver = Duration.between(Instant.now(), begin.plusSeconds(4)).toMillis();
        Thread.sleep(Math.max(0, untilOver));

        service = installation.start();
        Waiting.until(
                Duration.ofSeconds(20),
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

    private static void stop() {
        service.askToStop();
        long begin = System.nanoTime();
        assertThat(service.awaitExit(ENDING)).isEqualTo(SIGTERM);
        System.out.printf("Ended %d ms after SIGTERM%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }

    private void createCluster() throws IOException {
        assertThat(api.post("/clusters", "{\"id\":\"%s\",\"pes\":%d}".formatted(cluster, PES))
                        .status())
                .isEqualTo(201);
    }

    /** Answers the id. */
    private String reserve(String name, Instant start, Duration duration, int pes, String more) throws IOException {
        var answer = api.post("/reservations", """
                {"terms":{"duration":"%s","pes":%d},"cluster":"%s","start":"%s","name":"%s"%s}""".formatted(duration, pes, cluster, start, name, more));
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
