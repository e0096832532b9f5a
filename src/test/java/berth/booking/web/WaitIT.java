package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.Scrape;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster of four PEs, all of them taken for three hours by one reservation, and requests that wait for room. */
class WaitIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @SuppressWarnings("NullAway.Init")
    private Reply inTheWay;

    @BeforeEach
    void open() {
        cluster = newCluster(4);
        client = client();
        inTheWay = asked("", "\"wait\":null");
        assertThat(inTheWay.status()).isEqualTo(201);
    }

    /** A run on all PEs in the next three hours, of three hours. */
    private Reply asked(String budget, String more, String... headers) {
        return client.post(
                "/api/v1/reservations",
                """
                {"cluster":"%s","terms":{"duration":"PT3H","pes":4,"deadline":"%s"%s},%s}\
                """.formatted(cluster, clock.instant().plus(Duration.ofHours(4)), budget, more),
                headers);
    }

    private Reply waits(String... headers) {
        return asked("", "\"wait\":{}", headers);
    }

    private Reply read(Reply asked) {
        return client.get("/api/v1/reservations/" + asked.text("id"));
    }

    private Reply cancel(Reply asked) {
        return client.post("/api/v1/reservations/%s/cancel".formatted(asked.text("id")), "{}");
    }

    private String types(Reply asked) {
        return client.get("/api/v1/reservations/%s/events".formatted(asked.text("id")))
                .body()
                .at("/items")
                .valueStream()
                .map(event -> event.get("type").asString())
                .toList()
                .toString();
    }

    @Test
    void requestsWithoutRoomWaitInOrderAndAreGrantedOnceThereIsRoom() throws Exception {
        var first = waits();
        var second = waits();
        assertThat(first.status()).as("%s", first).isEqualTo(202);
        assertThat(first.text("state")).isEqualTo("WAITING");
        assertThat(first.text("waitUntil"))
                .isEqualTo(
                        clock.instant().plus(Duration.ofHours(1)).plusSeconds(1).toString());
        assertThat(first.body().at("/placement").isNull()).isTrue();
        assertThat(read(second).body().at("/rank").asInt()).isEqualTo(2);
        assertThat(client.get("/api/v1/reservations?state=WAITING&cluster=" + cluster)
                        .body()
                        .at("/items"))
                .hasSize(2);
        assertThat(Scrape.of(admin).value("berth_reservations_waiting", Map.of("cluster", cluster)))
                .isEqualTo(2);

        cancel(inTheWay);

        assertThat(read(first).text("state")).isIn("CONFIRMED", "RUNNING");
        assertThat(types(first)).startsWith("[waiting, granted, confirmed");
        assertThat(read(second).body().at("/rank").asInt()).isEqualTo(1);
        assertThat(Scrape.of(admin).value("berth_waits_total", Map.of("cluster", cluster, "outcome", "granted")))
                .isEqualTo(1);
    }

    @Test
    void anOwnerCancelsItsWaitingRequest() {
        var waiting = waits();

        var given = cancel(waiting);

        assertThat(given.text("state")).isEqualTo("CANCELLED");
        assertThat(types(waiting)).isEqualTo("[waiting, withdrawn]");
        cancel(inTheWay);
        assertThat(read(waiting).text("state")).isEqualTo("CANCELLED");
    }

    @Test
    void aWaitingRequestExpires() {
        var until = clock.instant().plus(Duration.ofMinutes(10));
        var waiting = asked("", "\"wait\":{\"until\":\"%s\"}".formatted(until));
        assertThat(waiting.text("waitUntil")).isEqualTo(until.toString());

        pass(Duration.ofMinutes(10));
        desks.catchUp();

        assertThat(read(waiting).text("state")).isEqualTo("EXPIRED");
        assertThat(types(waiting)).isEqualTo("[waiting, wait-expired]");
        assertThat(client.get("/api/v1/reservations?state=EXPIRED&cluster=" + cluster)
                        .body()
                        .at("/items"))
                .hasSize(1);
    }

    @Test
    void aClientThatPrefersToWaitGetsTheReservation() {
        var heard = CompletableFuture.supplyAsync(() -> waits("Prefer", "wait=20"));
        while (client.get("/api/v1/reservations?state=WAITING&cluster=" + cluster)
                .body()
                .at("/items")
                .isEmpty()) {
            Thread.onSpinWait();
        }
        cancel(inTheWay);

        assertThat(heard.join().status()).isEqualTo(201);
    }

    @Test
    void aRepeatedKeyReturnsTheSameRequest() {
        var key = newName();
        var first = waits("Idempotency-Key", key);
        var again = waits("Idempotency-Key", key);
        assertThat(again.text("id")).isEqualTo(first.text("id"));

        cancel(inTheWay);
        assertThat(waits("Idempotency-Key", key).status()).isEqualTo(201);
    }

    @Test
    void aRequestWaitsOnlyAtANamedCluster() {
        var anywhere = client.post("/api/v1/reservations", """
            {"terms":{"duration":"PT3H","pes":4},"wait":{}}\
            """);
        assertThat(anywhere.status()).isEqualTo(422);
        assertThat(anywhere.body().at("/errors/0/field").asString()).isEqualTo("wait");
        assertThat(asked("", "\"wait\":{},\"hold\":\"PT5M\"").status()).isEqualTo(422);
        assertThat(asked("", "\"wait\":{},\"orderBy\":\"price\"").status()).isEqualTo(422);
        assertThat(asked("", "\"wait\":{\"until\":\"2020-01-01T00:00:00Z\"}")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("wait.until");
    }
}
