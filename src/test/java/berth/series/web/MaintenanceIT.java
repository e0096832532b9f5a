package berth.series.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests a maintenance that takes all eight PEs out of service for eight hours every other day. */
class MaintenanceIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    /** The start of the first window, 20 hours after the start of the test. */
    @SuppressWarnings("NullAway.Init")
    private Instant first;

    @BeforeEach
    void open() {
        cluster = newCluster(8);
        client = client();
        first = clock.instant().plus(Duration.ofHours(20));
    }

    private String path() {
        return "/api/v1/clusters/%s/maintenances".formatted(cluster);
    }

    private Reply maintain(int pes, int firstDay, int count, String more) {
        return admin.post(path(), body(pes, firstDay, "PT8H", count, more));
    }

    private String body(int pes, int firstDay, String duration, int count, String more) {
        var start = LocalDateTime.ofInstant(first.plus(Duration.ofDays(firstDay)), ZoneOffset.UTC);
        return """
            {"pes":%d,"duration":"%s","reason":"patch day","count":%d,
             "recurrence":{"rrule":"FREQ=DAILY;INTERVAL=2","dtstart":"%s","zone":"UTC"}%s}""".formatted(pes, duration, count, start, more);
    }

    private static <T> List<T> windows(JsonNode maintenance, Function<JsonNode, T> what) {
        return maintenance.get("windows").valueStream().map(what).toList();
    }

    private static List<String> states(JsonNode maintenance) {
        return windows(maintenance, window -> window.get("state").asString());
    }

    /** Reserves between the given hours after the start of the first window. */
    private Reply booked(int from, int to, String duration) {
        return reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"%s","pes":8}""".formatted(hours(from), hours(to), duration));
    }

    private Instant hours(int after) {
        return first.plus(Duration.ofHours(after));
    }

    @Test
    void reservationsArePlacedAroundMaintenance() {
        var made = maintain(8, 0, 3, "");

        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(states(made.body())).containsExactly("RECORDED", "RECORDED", "RECORDED");
        assertThat(booked(-1, 7, "PT2H").text("code")).isEqualTo("no-slot");
        assertThat(booked(23, 31, "PT2H").status()).isEqualTo(201);
        assertThat(booked(47, 58, "PT2H").text("placement.start"))
                .isEqualTo(hours(56).toString());
        var seen = client.get(path()).body().get("items").get(0);
        assertThat(windows(seen, window -> window.get("longestBefore").asString())
                        .getFirst())
                .isEqualTo("PT20H");
        assertThat(seen.get("reason").asString()).isEqualTo("patch day");
        assertThat(admin.get("/api/v1/clusters/%s/outages".formatted(cluster))
                        .body()
                        .get("items"))
                .hasSize(3);
    }

    @Test
    void aDryRunNamesTheReservationsThatWouldFail() {
        var inTheWay = booked(1, 2, "PT1H");

        var tried = maintain(8, 0, 3, ",\"dryRun\":true");
        assertThat(tried.status()).as("%s", tried).isEqualTo(200);
        assertThat(tried.body().get("id").isNull()).isTrue();
        assertThat(tried.body().at("/effects/named/failed/0/reservation").asString())
                .isEqualTo(inTheWay.text("id"));
        assertThat(client.get(path()).body().get("items")).isEmpty();
        assertThat(client.get("/api/v1/reservations/" + inTheWay.text("id")).text("state"))
                .isEqualTo("CONFIRMED");

        maintain(8, 0, 3, "");
        assertThat(client.get("/api/v1/reservations/" + inTheWay.text("id")).text("state"))
                .isEqualTo("FAILED");
    }

    @Test
    void laterWindowsAreRecordedBeforeTheHorizonReachesThem() {
        var made = maintain(8, 88, 4, "");
        assertThat(states(made.body())).containsExactly("RECORDED", "RECORDED", "AHEAD", "AHEAD");

        pass(Duration.ofDays(3));
        advanceSeries();
        assertThat(states(client.get(path()).body().get("items").get(0)))
                .containsExactly("RECORDED", "RECORDED", "RECORDED", "AHEAD");
        pass(Duration.ofDays(1));
        assertThat(booked(24 * 92, 24 * 92 + 4, "PT1H").text("code")).isEqualTo("no-slot");
    }

    /** A dead node stays out for itself, and comes back only after the window if it is repaired in between. */
    @Test
    void aMaintenanceTakesTheRestOfAClusterWithADeadNode() {
        var dead = admin.post("/api/v1/clusters/%s/outages".formatted(cluster), "{\"pes\":1}");
        assertThat(dead.status()).isEqualTo(201);

        assertThat(states(maintain(8, 0, 3, "").body())).containsExactly("RECORDED", "RECORDED", "RECORDED");

        assertThat(bookedOn(7, 1).text("code")).isEqualTo("no-slot");
        admin.delete("/api/v1/clusters/%s/outages/%s".formatted(cluster, dead.text("id")));
        assertThat(bookedOn(1, 1).text("code")).isEqualTo("no-slot");
        assertThat(bookedOn(8, 9).status()).isEqualTo(201);
    }

    /** Reserves two hours on some PEs, that many hours after the start of the first window. */
    private Reply bookedOn(int pes, int after) {
        return reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":%d}""".formatted(hours(after), hours(after + 2), pes));
    }

    @Test
    void aMaintenanceTakesAllPesOfAShrunkenCluster() {
        maintain(8, 88, 4, "");
        assertThat(admin.patch("/api/v1/clusters/" + cluster, "{\"pes\":4}").status())
                .isEqualTo(200);

        pass(Duration.ofDays(3));
        advanceSeries();

        assertThat(states(client.get(path()).body().get("items").get(0)))
                .containsExactly("RECORDED", "RECORDED", "RECORDED", "AHEAD");
    }

    @Test
    void calledOffWindowsDoNotTakePlaceUnlessTheyHaveBegun() {
        var made = maintain(8, 0, 3, "");
        pass(Duration.ofHours(21));

        var off = admin.delete(path() + "/" + made.text("id"));

        assertThat(off.status()).as("%s", off).isEqualTo(200);
        assertThat(states(off.body())).containsExactly("RECORDED", "LEFT_OUT", "LEFT_OUT");
        assertThat(windows(off.body(), window -> window.get("longestBefore").isNull()))
                .containsOnly(true);
        assertThat(booked(49, 50, "PT1H").status()).isEqualTo(201);
        assertThat(admin.delete(path() + "/" + made.text("id")).status()).isEqualTo(200);
    }

    @Test
    void aRepeatedKeyReturnsTheSameMaintenance() {
        var body = body(8, 0, "PT8H", 2, "");
        var once = admin.post(path(), body, "Idempotency-Key", "patches");

        assertThat(admin.post(path(), body, "Idempotency-Key", "patches").text("id"))
                .isEqualTo(once.text("id"));
        assertThat(client.get(path()).body().get("items")).hasSize(1);
        assertThat(client.post(path(), body).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"9,1,PT8H,pes", "0,1,PT8H,pes", "1,0,PT8H,count", "1,2,PT49H,duration", "1,1,PT0S,duration"})
    void aWrongFieldIsNamedAndNothingIsRecorded(int pes, int count, String duration, String field) {
        var reply = admin.post(path(), body(pes, 0, duration, count, ""));

        assertThat(reply.status()).as("%s", reply).isEqualTo(422);
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
        assertThat(client.get(path()).body().get("items")).isEmpty();
    }
}
