package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ClusterId;
import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a cluster of four PEs that collects requests for a minute and decides them by priority and length. */
class IntakeIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @BeforeEach
    void open() {
        cluster = newCluster(4);
        admin.patch("/api/v1/clusters/" + cluster, """
            {"intake":{"order":"DPSAR","window":"PT1M"}}\
            """);
        client = client();
    }

    private Reply hours(Api api, int hours, String... headers) {
        return api.post("/api/v1/reservations", body("\"duration\":\"PT%dH\",\"pes\":4".formatted(hours)), headers);
    }

    private String body(String terms) {
        return """
            {"cluster":"%s","terms":{%s},"name":"run","project":"climate"}\
            """.formatted(cluster, terms);
    }

    private Reply read(Reply asked) {
        return client.get("/api/v1/reservations/" + asked.text("id"));
    }

    private Reply act(Reply asked, String action, String... headers) {
        return client.post("/api/v1/reservations/%s/%s".formatted(asked.text("id"), action), "{}", headers);
    }

    private void endTheWindow() {
        pass(Duration.ofMinutes(1));
        while (!desks.schedule(new ClusterId(cluster)).orElseThrow().requests().isEmpty()) {
            Thread.onSpinWait();
        }
        // accepted requests may start at once
        desks.catchUp();
    }

    @Test
    void aRequestIsAnsweredAsPendingAndBecomesAReservationOfTheSameId() {
        var pending = hours(client, 1);

        assertThat(pending.status()).as("%s", pending).isEqualTo(202);
        assertThat(pending.text("state")).isEqualTo("PENDING");
        assertThat(pending.text("terms.duration")).isEqualTo("PT1H");
        assertThat(pending.body().at("/placement").isNull()).isTrue();
        assertThat(pending.body().at("/price").isNull()).isTrue();
        assertThat(read(pending)).isEqualTo(new Reply(200, pending.contentType(), pending.etag(), pending.body()));

        endTheWindow();

        var reserved = read(pending);
        assertThat(reserved.text("state")).isEqualTo("RUNNING");
        assertThat(reserved.text("placement.start")).isEqualTo(clock.instant().toString());
        assertThat(reserved.text("name")).isEqualTo("run");
        var history = client.get("/api/v1/reservations/%s/events".formatted(pending.text("id")));
        assertThat(history.body()
                        .at("/items")
                        .valueStream()
                        .map(event -> event.get("type").asString()))
                .containsExactly("requested", "granted", "confirmed", "started");
    }

    @Test
    void theAccountOfHigherPriorityComesFirst() {
        var low = withPriority(1);
        var high = withPriority(9);
        var first = hours(low, 1);
        var second = hours(high, 2);

        endTheWindow();

        assertThat(low.get("/api/v1/reservations/" + first.text("id")).text("placement.start"))
                .isEqualTo(clock.instant().plus(Duration.ofHours(2)).toString());
        assertThat(high.get("/api/v1/reservations/" + second.text("id")).text("placement.start"))
                .isEqualTo(clock.instant().toString());
    }

    private Api withPriority(int priority) {
        var created = admin.post("/api/v1/accounts", """
            {"name":"%s","role":"CLIENT","priority":%d}\
            """.formatted(newName(), priority));
        return new Api(port, Optional.of(created.text("token")));
    }

    @Test
    void aClientThatWaitsGetsTheDecision() {
        var fine = CompletableFuture.supplyAsync(() -> hours(client, 1, "Prefer", "respond-async, wait=20"));
        var refused = CompletableFuture.supplyAsync(() -> client.post(
                "/api/v1/reservations",
                body("""
                    "duration":"PT2H","pes":4,"deadline":"%s\"\
                    """.formatted(clock.instant().plus(Duration.ofHours(2)).plusSeconds(120))),
                "Prefer",
                "wait=20"));
        while (desks.schedule(new ClusterId(cluster)).orElseThrow().requests().size() < 2) {
            Thread.onSpinWait();
        }
        endTheWindow();

        assertThat(fine.join().status()).as("%s", fine.join()).isEqualTo(201);
        assertThat(refused.join().status()).as("%s", refused.join()).isEqualTo(409);
        assertThat(refused.join().text("code")).isEqualTo("no-slot");
        assertThat(refused.join().text("alternatives.0.start"))
                .isEqualTo(clock.instant().plus(Duration.ofHours(1)).toString());
    }

    @Test
    void aRejectedRequestIsReadAndListedAsRejected() {
        hours(client, 3);
        var late = client.post(
                "/api/v1/reservations", body("""
                    "duration":"PT4H","pes":4,"deadline":"%s\"\
                    """.formatted(clock.instant().plus(Duration.ofHours(5)))));
        var other = client();
        endTheWindow();

        var rejected = read(late);
        assertThat(rejected.text("state")).as("%s", rejected).isEqualTo("REJECTED");
        assertThat(rejected.text("reason")).isEqualTo("no-slot");
        assertThat(act(late, "cancel").text("code")).isEqualTo("wrong-state");
        assertThat(other.get("/api/v1/reservations/" + late.text("id")).status())
                .isEqualTo(404);
    }

    @Test
    void listsShowPendingAndRejectedRequestsAmongReservations() {
        var granted = hours(client, 1);
        endTheWindow();
        var given = hours(client, 1);
        act(given, "cancel");
        var pending = hours(client, 1);

        assertThat(listed(client, "")).containsExactly(id(pending), id(given), id(granted));
        assertThat(listed(client, "&state=PENDING")).containsExactly(id(pending));
        assertThat(listed(client, "&state=CANCELLED")).containsExactly(id(given));
        assertThat(listed(client, "&state=CONFIRMED")).isEmpty();
        assertThat(listed(client, "&state=RUNNING")).containsExactly(id(granted));
        assertThat(listed(client, "&project=climate&limit=2")).containsExactly(id(pending), id(given));
        assertThat(listed(client, "&limit=2&after=" + id(given))).containsExactly(id(granted));
        assertThat(listed(client, "&from=" + clock.instant())).containsExactly(id(granted));
        assertThat(listed(client(), "")).isEmpty();
        assertThat(listed(admin, "&state=PENDING")).contains(id(pending));
        assertThat(listed(admin, "&owner=" + pending.text("owner")))
                .containsExactly(id(pending), id(given), id(granted));
        assertThat(listed(client, "&owner=" + pending.text("owner") + "&state=PENDING"))
                .containsExactly(id(pending));
        assertThat(listed(admin, "&owner=somebody-else")).isEmpty();
        assertThat(client.get("/api/v1/reservations?owner=somebody-else").text("errors.0.field"))
                .isEqualTo("owner");
    }

    private List<String> listed(Api api, String query) {
        var reply = api.get("/api/v1/reservations?cluster=" + cluster + query);
        assertThat(reply.status()).as("%s", reply).isEqualTo(200);
        return reply.body()
                .at("/items")
                .valueStream()
                .map(item -> item.get("id").asString())
                .toList();
    }

    private static String id(Reply reply) {
        return reply.text("id");
    }

    @Test
    void aPendingRequestCanOnlyBeCancelled() {
        var pending = hours(client, 1);

        for (var action : new String[] {"confirm", "fix", "claim", "complete"}) {
            assertThat(act(pending, action).text("code")).as(action).isEqualTo("wrong-state");
        }
        assertThat(client.post("/api/v1/reservations/%s/renegotiations".formatted(id(pending)), """
            {"terms":{"pes":1}}\
            """)
                        .text("code"))
                .isEqualTo("wrong-state");
        assertThat(client.get("/api/v1/reservations/%s/renegotiations".formatted(id(pending)))
                        .body()
                        .at("/items")
                        .size())
                .isZero();
        assertThat(client().post("/api/v1/reservations/%s/cancel".formatted(id(pending)))
                        .status())
                .isEqualTo(404);
        assertThat(act(pending, "cancel", "If-Match", "\"5\"").status()).isEqualTo(412);

        var given = act(pending, "cancel", "If-Match", pending.etag());

        assertThat(given.status()).as("%s", given).isEqualTo(200);
        assertThat(given.text("state")).isEqualTo("CANCELLED");
        assertThat(read(pending).text("state")).isEqualTo("CANCELLED");
        endTheWindow();
        assertThat(read(pending).text("state")).isEqualTo("CANCELLED");
    }

    @Test
    void aRepeatedRequestReturnsTheStateOfTheFirst() {
        var first = hours(client, 1, "Idempotency-Key", "monday");
        var again = hours(client, 1, "Idempotency-Key", "monday");
        endTheWindow();
        var late = hours(client, 1, "Idempotency-Key", "monday");

        assertThat(again.status()).isEqualTo(202);
        assertThat(id(again)).isEqualTo(id(first)).isEqualTo(id(late));
        assertThat(late.status()).as("%s", late).isEqualTo(201);
        assertThat(hours(client, 2, "Idempotency-Key", "monday").text("code")).isEqualTo("key-reused");
    }

    @Test
    void anImpossibleRequestIsRejectedAtOnce() {
        var wide = client.post("/api/v1/reservations", body("\"duration\":\"PT1H\",\"pes\":5"));
        var empty = client.post("/api/v1/reservations", body("\"duration\":\"PT0S\",\"pes\":1"));

        assertThat(wide.text("code")).as("%s", wide).isEqualTo("never-fits");
        assertThat(empty.text("errors.0.field")).as("%s", empty).isEqualTo("terms.duration");
        var ordered = client.post("/api/v1/reservations", """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":1},"orderBy":"LOWEST_PRICE"}\
            """.formatted(cluster));
        assertThat(ordered.text("errors.0.field")).as("%s", ordered).isEqualTo("orderBy");
    }

    @Test
    void anAlternativeIsTakenInItsRoundIfTheClientAcceptsIt() {
        hours(client, 2);
        var strict =
                "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":4,\"readyTime\":\"%s\",\"deadline\":\"%s\"}%s}"
                        .formatted(
                                cluster,
                                clock.instant().plus(Duration.ofMinutes(90)),
                                clock.instant().plus(Duration.ofMinutes(150)),
                                ",\"acceptAlternatives\":%s");
        endTheWindow();
        var far = client.post("/api/v1/reservations", strict.formatted("{\"maxPhi\":0.51}"));
        var near = client.post("/api/v1/reservations", strict.formatted("{\"maxPhi\":0.52}"));
        assertThat(near.text("state")).as("%s", near).isEqualTo("PENDING");
        endTheWindow();

        assertThat(read(far).text("reason")).isEqualTo("no-slot");
        var granted = read(near);
        // after the first run, which began after a minute: 31 minutes of 60 beyond the deadline
        assertThat(granted.text("placement.start"))
                .as("%s", granted)
                .isEqualTo(clock.instant().plus(Duration.ofMinutes(119)).toString());
        assertThat(granted.text("terms.readyTime")).isEqualTo(granted.text("placement.start"));
    }

    @Test
    void aHoldIsDecidedAtOnce() {
        var held = client.post("/api/v1/reservations", """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":1},"hold":"PT5M"}\
            """.formatted(cluster));

        assertThat(held.status()).as("%s", held).isEqualTo(201);
        assertThat(held.text("state")).isEqualTo("HELD");
    }

    @Test
    void aClusterThatDoesNotCollectDecidesAtOnce() {
        var reserved = client.post("/api/v1/reservations", """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":1}}\
            """.formatted(newCluster(4)), "Prefer", "wait=10");

        assertThat(reserved.status()).as("%s", reserved).isEqualTo(201);
    }
}
