package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ReservationsIT extends ServiceSuite {

    @Test
    void aReservationGetsTheProbedPlaceAndPrice() {
        var cluster = newCluster(8);
        var client = client();
        var terms = """
                {"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":6}""".formatted(at(24), at(34));
        reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(at(24), at(25)));

        var probe = client.post("/api/v1/probes", """
                {"terms":%s,"clusters":["%s"]}""".formatted(terms, cluster));
        var reserved = reserve(client, cluster, terms);

        assertThat(probe.status()).isEqualTo(200);
        assertThat(probe.text("slots.0.start")).isEqualTo(at(25)).isEqualTo(reserved.text("placement.start"));
        assertThat(probe.body().at("/slots/0/chosenByPolicy").asBoolean()).isTrue();
        assertThat(probe.body().at("/slots/0/price")).isEqualTo(reserved.body().at("/price"));
        assertThat(reserved.status()).isEqualTo(201);
        assertThat(reserved.text("state")).isEqualTo("CONFIRMED");
        assertThat(reserved.text("scenario")).isEqualTo("INTERVAL");
        assertThat(reserved.text("terms.duration")).isEqualTo("PT2H");
        // 12 USD for 12 PE-hours, less a fifth of 8/10 for flexibility and of 1/10 for lateness, both for 99 % of the
        // wait
        assertThat(reserved.text("price.amount")).isEqualTo("9.90");
    }

    @Test
    void aProbeNamesThePlaceThatThePolicyChooses() {
        var cluster = newCluster(8);
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"placement\":\"PE_BEST_FIT\"}}");
        reserve(admin, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":6}""".formatted(at(26), at(27)));
        var terms = """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":2}""".formatted(at(24), at(30));

        var slots = admin.post("/api/v1/probes", """
                {"terms":%s,"clusters":["%s"]}""".formatted(terms, cluster))
                .body()
                .get("slots");

        assertThat(slots.valueStream()
                        .filter(slot -> slot.get("chosenByPolicy").asBoolean())
                        .map(slot -> slot.get("start").asString()))
                .containsExactly(reserve(admin, cluster, terms).text("placement.start"))
                .containsExactly(at(26));
        assertThat(slots.at("/0/start").asString()).isEqualTo(at(24));
    }

    @Test
    void aReservationIsReadListedAndHasAHistory() {
        var cluster = newCluster(8);
        var client = client();
        var first = reserve(client, cluster, anyTime(8));
        var second = client.post("/api/v1/reservations", """
                {"terms":%s,"cluster":"%s","name":"my run","project":"climate"}""".formatted(anyTime(8), cluster));
        client.post("/api/v1/reservations/%s/cancel".formatted(second.text("id")));

        var read = client.get("/api/v1/reservations/" + second.text("id"));
        assertThat(read.text("name")).isEqualTo("my run");
        assertThat(read.text("project")).isEqualTo("climate");
        assertThat(read.text("state")).isEqualTo("CANCELLED");
        assertThat(read.text("price.amount")).isEqualTo("0.00");
        assertThat(client.get("/api/v1/reservations/" + first.text("id")).body())
                .isEqualTo(first.body());

        var page = client.get("/api/v1/reservations?limit=1");
        assertThat(page.text("items.0.id")).isEqualTo(second.text("id"));
        var rest = client.get("/api/v1/reservations?limit=1&after=" + page.text("next"));
        assertThat(rest.text("items.0.id")).isEqualTo(first.text("id"));
        assertThat(rest.body().get("next").isNull()).isTrue();

        var events = client.get("/api/v1/reservations/%s/events".formatted(second.text("id")));
        assertThat(events.body()
                        .get("items")
                        .valueStream()
                        .map(event -> event.get("type").asString()))
                .containsExactly("confirmed", "cancelled");
    }

    @Test
    void aChosenStartIsTakenOrRefused() {
        var cluster = newCluster(8);
        var body = """
                {"terms":{"duration":"PT1H","pes":8,"fixAfter":0},"cluster":"%s","start":"%s"}""".formatted(cluster, at(30));

        assertThat(admin.post("/api/v1/reservations", body).text("placement.start"))
                .isEqualTo(at(30));
        var refused = admin.post("/api/v1/reservations", body);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(refused.contentType()).isEqualTo("application/problem+json");
    }

    @Test
    void aHoldIsConfirmedOrExpires() {
        var cluster = newCluster(8);
        var hold = """
                {"terms":{"readyTime":"%s","duration":"PT1H","pes":4},"cluster":"%s","hold":"PT5M"}""".formatted(clock.instant().plus(Duration.ofDays(1)), cluster);
        var kept = admin.post("/api/v1/reservations", hold);
        var left = admin.post("/api/v1/reservations", hold);
        assertThat(kept.text("state")).isEqualTo("HELD");
        assertThat(kept.text("holdExpiresAt"))
                .isEqualTo(clock.instant().plus(Duration.ofMinutes(5)).toString());

        var confirmed = admin.post("/api/v1/reservations/%s/confirm".formatted(kept.text("id")));
        pass(Duration.ofMinutes(5));

        assertThat(confirmed.text("state")).isEqualTo("CONFIRMED");
        assertThat(state(kept)).isEqualTo("CONFIRMED");
        assertThat(state(left)).isEqualTo("EXPIRED");
        var late = admin.post("/api/v1/reservations/%s/confirm".formatted(left.text("id")));
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text("code")).isEqualTo("wrong-state");
    }

    @Test
    void aReservationRunsFromItsStartToItsEnd() {
        var cluster = newCluster(8);
        var now = reserve(admin, cluster, """
                {"duration":"PT1H","pes":8}""");

        assertThat(now.body().at("/placement/peIds").isNull()).isTrue();
        pass(Duration.ZERO);
        assertThat(state(now)).isEqualTo("RUNNING");
        assertThat(admin.get("/api/v1/reservations/" + now.text("id")).text("placement.peIds"))
                .isEqualTo("0-7");
        pass(Duration.ofHours(1));
        assertThat(state(now)).isEqualTo("COMPLETED");
        assertThat(admin.post("/api/v1/reservations/%s/cancel".formatted(now.text("id")))
                        .text("code"))
                .isEqualTo("wrong-state");
    }

    @Test
    void aRepeatedKeyReturnsTheFirstResult() {
        var cluster = newCluster(8);
        var body = """
                {"terms":%s,"cluster":"%s"}""".formatted(anyTime(8), cluster);
        var first = admin.post("/api/v1/reservations", body, "Idempotency-Key", cluster);
        admin.post("/api/v1/reservations/%s/cancel".formatted(first.text("id")));

        var again = admin.post("/api/v1/reservations", body, "Idempotency-Key", cluster);
        var other = admin.post("/api/v1/reservations", body.replace("PT1H", "PT2H"), "Idempotency-Key", cluster);

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text("code")).isEqualTo("key-reused");
    }

    @Test
    void aRepeatedActionUnderAKeyReturnsItsFirstResult() {
        var cluster = newCluster(8);
        var key = "act-on-" + cluster;
        var body = """
                {"terms":{"duration":"PT1H","pes":1},"cluster":"%s","start":"%s","hold":"PT10M"}""".formatted(cluster, at(5));
        var path = "/api/v1/reservations/"
                + admin.post("/api/v1/reservations", body).text("id");

        var confirmed = admin.post(path + "/confirm", "", "Idempotency-Key", key, "If-Match", "\"0\"");
        var again = admin.post(path + "/confirm", "", "Idempotency-Key", key, "If-Match", "\"0\"");
        var other = admin.post(path + "/cancel", "", "Idempotency-Key", key);

        assertThat(confirmed.text("state")).isEqualTo("CONFIRMED");
        assertThat(again.body()).isEqualTo(confirmed.body());
        assertThat(other.text("code")).isEqualTo("key-reused");
        assertThat(admin.post(path + "/confirm", "", "If-Match", "\"0\"").status())
                .isEqualTo(412);
        assertThat(admin.post(path + "/cancel", "").text("state")).isEqualTo("CANCELLED");
        assertThat(admin.post(path + "/confirm", "", "Idempotency-Key", key).text("state"))
                .isEqualTo("CONFIRMED");
    }

    @Test
    void aClusterIsCreatedOncePerKey() {
        var id = newName();
        var body = """
                {"id":"%s","pes":16,"policy":{"horizon":"P30D"},"tariff":{"pricePerPeHour":"2.5"}}""".formatted(id);

        var first = admin.post("/api/v1/clusters", body, "Idempotency-Key", id);
        var again = admin.post("/api/v1/clusters", body, "Idempotency-Key", id);
        var another = admin.post("/api/v1/clusters", body);

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(another.text("code")).isEqualTo("exists");
        assertThat(first.text("policy.horizon")).isEqualTo("P30D");
        assertThat(first.text("tariff.pricePerPeHour")).isEqualTo("2.50");
        assertThat(admin.get("/api/v1/clusters?limit=500").body().path("items").valueStream())
                .extracting(cluster -> cluster.path("id").asString())
                .containsOnlyOnce(id);
    }

    @Test
    void aReservationOverItsBudgetIsRejected() {
        var cluster = newCluster(8);
        var terms = """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8,"budget":{"amount":"%s","currency":"USD"}}""";

        var probe = admin.post("/api/v1/probes", """
                {"terms":%s,"clusters":["%s"]}""".formatted(terms.formatted(at(24), at(25), "7.99"), cluster));
        var refused = reserve(admin, cluster, terms.formatted(at(24), at(25), "7.99"));
        var granted = reserve(admin, cluster, terms.formatted(at(24), at(25), "8.00"));

        assertThat(probe.body().at("/slots/0/withinBudget").asBoolean()).isFalse();
        assertThat(refused.text("code")).isEqualTo("over-budget");
        assertThat(granted.text("price.amount")).isEqualTo("8.00");
    }

    @Test
    void aReaderOfAllEventsMissesNothingAndReadsNothingTwice() {
        var one = newCluster(8);
        var two = newCluster(8);
        var before = lastCursor();
        var made = new ArrayList<String>();
        for (int i = 0; i < 6; i++) {
            made.add(reserve(admin, i % 2 == 0 ? one : two, anyTime(1)).text("id"));
        }

        var read = new ArrayList<String>();
        var cursor = before;
        for (var page = eventsAfter(cursor, 4); page.body().get("items").size() > 0; page = eventsAfter(cursor, 4)) {
            page.body()
                    .get("items")
                    .forEach(event -> read.add(event.get("reservation").asString()));
            cursor = page.text("next");
        }

        assertThat(read).containsExactlyInAnyOrderElementsOf(made);
        reserve(admin, one, anyTime(1));
        assertThat(eventsAfter(cursor, 4).body().get("items").size()).isEqualTo(1);
    }

    private Reply eventsAfter(String cursor, int limit) {
        return admin.get("/api/v1/events?limit=%d&after=%s".formatted(limit, cursor));
    }

    private String lastCursor() {
        reserve(admin, newCluster(8), anyTime(1));
        var cursor = admin.get("/api/v1/events?limit=500").text("next");
        for (var page = eventsAfter(cursor, 500);
                page.body().get("items").size() > 0;
                page = eventsAfter(cursor, 500)) {
            cursor = page.text("next");
        }
        return cursor;
    }

    @Test
    void exactlyOneOfManyConcurrentClientsGetsTheLastSlot() throws Exception {
        var cluster = newCluster(1);
        var racers = new ArrayList<Api>();
        for (int i = 0; i < 64; i++) {
            racers.add(i < 4 ? client() : racers.get(i % 4));
        }
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < Seeds.of(100); round++) {
                var terms = """
                        {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":1}""".formatted(at(24 + round), at(25 + round));
                var attempts = racers.stream()
                        .<Callable<Reply>>map(racer -> () -> reserve(racer, cluster, terms))
                        .toList();
                var replies = new ArrayList<Reply>();
                for (var attempt : executor.invokeAll(attempts)) {
                    replies.add(attempt.get());
                }
                assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(1);
                assertThat(replies)
                        .filteredOn(reply ->
                                reply.status() == 409 && reply.text("code").equals("no-slot"))
                        .hasSize(63);
            }
        }
    }

    private String state(Reply reservation) {
        return admin.get("/api/v1/reservations/" + reservation.text("id")).text("state");
    }

    private static String anyTime(int pes) {
        return """
                {"readyTime":"%s","duration":"PT1H","pes":%d}""".formatted(at(24 * 20), pes);
    }
}
