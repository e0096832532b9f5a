package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The service is asked to end, ends, and goes on later where it stood. */
class RestartIT {

    private static final Duration ENDING = Duration.ofSeconds(20);
    private static final int SIGTERM = 128 + 15;
    private static final int PES = 8;

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    /** All that the service tells about its cluster. */
    private record Told(JsonNode cluster, JsonNode schedule, List<JsonNode> reservations, List<JsonNode> events) {}

    @Test
    void anOrderlyStopEndsTheDatabaseTooAndARestartTellsTheSame(@TempDir Path directory) throws Exception {
        try (var installation = Installation.in(directory)) {
            var service = installation.start();
            var api = installation.api();
            createCluster(api);
            reserve(api, "plain", now.plusSeconds(7200), Duration.ofHours(2), 5, "");
            reserve(api, "held", now.plusSeconds(7200), Duration.ofHours(1), 2, ",\"hold\":\"PT1H\"");
            var confirmed =
                    reserve(api, "to confirm", now.plusSeconds(90_000), Duration.ofHours(1), 8, ",\"hold\":\"PT1H\"");
            var cancelled = reserve(api, "to cancel", now.plusSeconds(180_000), Duration.ofHours(1), 8, "");
            assertThat(api.post("/reservations/%s/confirm".formatted(confirmed), "")
                            .status())
                    .isEqualTo(200);
            assertThat(api.post("/reservations/%s/cancel".formatted(cancelled), "")
                            .status())
                    .isEqualTo(200);
            var before = told(api);
            assertThat(before.reservations).hasSize(4);
            assertThat(before.events).hasSize(6);

            var postgres = installation.postgres();
            stop(service);
            // it tells that it is done a moment before its process has gone
            Waiting.until(Duration.ofSeconds(5), () -> "PostgreSQL runs on.", () -> !postgres.isAlive());
            assertThat(installation.processesOnData()).isEmpty();
            assertThat(service.output()).doesNotContain("WARN", "ERROR", "Exception");

            var restarted = installation.start();
            assertThat(told(api)).isEqualTo(before);
            assertThat(restarted.output()).contains("3 live reservations, 6 events, epoch 2");
        }
    }

    @Test
    void whatFellDueWhileTheServiceWasDownHappensInOrderAndAtItsOwnTime(@TempDir Path directory) throws Exception {
        try (var installation = Installation.in(directory)) {
            var service = installation.start();
            var api = installation.api();
            createCluster(api);
            var begin = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(4);
            // the whole cluster each: the second can start only once the first has ended
            var second = reserve(api, "second", begin.plusSeconds(2), Duration.ofSeconds(1), PES, "");
            var first = reserve(api, "first", begin, Duration.ofSeconds(2), PES, "");
            var held = reserve(api, "held", begin.plusSeconds(3600), Duration.ofHours(1), PES, ",\"hold\":\"PT3S\"");
            var expiry = instant(read(api, held), "holdExpiresAt");
            stop(service);
            long untilOver =
                    Duration.between(Instant.now(), begin.plusSeconds(4)).toMillis();
            Thread.sleep(Math.max(0, untilOver));

            var restarted = installation.start();
            Waiting.until(
                    Duration.ofSeconds(20),
                    restarted::output,
                    () -> read(api, second).path("state").asString().equals("COMPLETED"));
            assertThat(read(api, first).path("state").asString()).isEqualTo("COMPLETED");
            assertThat(read(api, held).path("state").asString()).isEqualTo("EXPIRED");
            assertThat(read(api, held).path("price").path("amount").asString()).isEqualTo("0.00");
            assertThat(happened(api, first))
                    .endsWith("started at " + begin, "completed at " + begin.plusSeconds(2))
                    .hasSize(3);
            assertThat(happened(api, second))
                    .endsWith("started at " + begin.plusSeconds(2), "completed at " + begin.plusSeconds(3))
                    .hasSize(3);
            assertThat(happened(api, held)).endsWith("expired at " + expiry).hasSize(2);
            var inOrder = api.all("/events").stream()
                    .skip(3)
                    .map(event -> event.path("type").asString())
                    .toList();
            assertThat(inOrder.stream().filter(type -> !type.equals("expired")))
                    .containsExactly("started", "completed", "started", "completed");
            var times = api.all("/events").stream()
                    .map(event -> instant(event, "at"))
                    .toList();
            assertThat(times).isSorted();
        }
    }

    private static void stop(JavaProcess service) {
        service.askToStop();
        long begin = System.nanoTime();
        assertThat(service.awaitExit(ENDING)).isEqualTo(SIGTERM);
        System.out.printf("Ended %d ms after SIGTERM%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }

    private static void createCluster(Api api) throws IOException {
        assertThat(api.post("/clusters", "{\"id\":\"small\",\"pes\":%d}".formatted(PES))
                        .status())
                .isEqualTo(201);
    }

    /** Answers the id. */
    private static String reserve(Api api, String name, Instant start, Duration duration, int pes, String more)
            throws IOException {
        var answer = api.post("/reservations", """
                {"terms":{"duration":"%s","pes":%d},"cluster":"small","start":"%s","name":"%s"%s}""".formatted(duration, pes, start, name, more));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.id();
    }

    private static JsonNode read(Api api, String id) throws IOException {
        return api.get("/reservations/" + id).body();
    }

    private Told told(Api api) throws IOException {
        return new Told(
                api.get("/clusters/small").body(),
                api.get("/clusters/small/schedule?from=%s&to=%s".formatted(now, now.plus(30, ChronoUnit.DAYS)))
                        .body(),
                api.all("/reservations"),
                api.all("/events"));
    }

    private static List<String> happened(Api api, String id) throws IOException {
        return api.all("/reservations/%s/events".formatted(id)).stream()
                .map(event -> "%s at %s".formatted(event.path("type").asString(), instant(event, "at")))
                .toList();
    }

    private static Instant instant(JsonNode node, String field) {
        return Instant.parse(node.path(field).asString());
    }
}
