package berth.events;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ClusterId;
import berth.service.Api;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests which events administrators, viewers and clients read; clients read only their own. */
class EventsIT extends ServiceSuite {

    private static final Random random = new Random(15);

    private record Client(Api api, Set<String> own) {}

    /** Two clients use two clusters, one of which collects requests; each client reads a few events from time to time. */
    @Test
    void eachClientReadsExactlyItsOwnEventsOnce() {
        var collecting = newCluster(64);
        admin.patch("/api/v1/clusters/" + collecting, """
            {"intake":{"order":"DPSAR","window":"PT1M"}}""");
        var clusters = List.of(newCluster(64), collecting);
        var clients = List.of(new Client(client(), new HashSet<>()), new Client(client(), new HashSet<>()));
        var readers = clients.stream().map(who -> new Reader(who.api)).toList();
        for (int turn = 0; turn < 60; turn++) {
            act(clients.get(random.nextInt(2)), clusters.get(random.nextInt(2)));
            if (turn % 10 == 9) {
                pass(Duration.ofMinutes(2));
            }
            readers.get(random.nextInt(2)).readOn();
        }
        pass(Duration.ofMinutes(2));
        while (!desks.schedule(new ClusterId(collecting))
                .orElseThrow()
                .requests()
                .isEmpty()) {
            Thread.onSpinWait();
        }
        desks.catchUp();

        for (int i = 0; i < clients.size(); i++) {
            var client = clients.get(i);
            var reader = readers.get(i);
            reader.readToTheEnd();
            var expected = new ArrayList<String>();
            for (var id : client.own) {
                var events = client.api.get("/api/v1/reservations/%s/events?limit=500".formatted(id));
                events.body().get("items").forEach(event -> expected.add(event.toString()));
            }
            assertThat(expected).hasSizeGreaterThan(20);
            assertThat(reader.seen).containsExactlyInAnyOrderElementsOf(expected);
            for (var cluster : clusters) {
                assertThat(reader.sequences(cluster)).isSorted().doesNotHaveDuplicates();
            }
            assertThat(expected).anyMatch(event -> event.contains("\"type\":\"requested\""));
        }
    }

    @Test
    void aWaitingReaderGetsTheNextEvent() throws Exception {
        var cluster = newCluster(8);
        var reader = client();
        var before = reserve(reader, cluster, """
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(at(24)));
        var cursor = reader.get("/api/v1/events").text("next");
        var path = "/api/v1/events?after=" + cursor;

        var nothing = waiting(reader, path, 1);
        assertThat(nothing.body().get("items")).isEmpty();
        assertThat(nothing.text("next")).isEqualTo(cursor);

        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            var heard = others.submit(() -> waiting(reader, path, 20));
            // the client does not receive events of other accounts
            for (int i = 0; i < 20; i++) {
                var other = reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}");
                admin.post("/api/v1/reservations/%s/cancel".formatted(other.text("id")));
            }
            assertThat(heard.isDone()).isFalse();
            admin.post("/api/v1/reservations/%s/cancel".formatted(before.text("id")));

            assertThat(heard.get().text("items.0.type")).isEqualTo("cancelled");
            assertThat(heard.get().text("items.0.reservation")).isEqualTo(before.text("id"));
        }
    }

    private static Api.Reply waiting(Api reader, String path, int seconds) {
        return reader.send(
                reader.request(path).header("Prefer", "wait=" + seconds).GET());
    }

    private void act(Client client, String cluster) {
        var reserved =
                reserve(client.api, cluster, """
                    {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(clock.instant().plusSeconds(36_000)));
        assertThat(reserved.status()).isIn(201, 202);
        client.own.add(reserved.text("id"));
        if (random.nextBoolean()) {
            var all = List.copyOf(client.own);
            client.api.post("/api/v1/reservations/%s/cancel".formatted(all.get(random.nextInt(all.size()))));
        }
        // events that belong to no client, and another batch in the cluster's history between the client's own events
        if (random.nextInt(4) == 0) {
            client.api.post("/api/v1/clusters/%s/jobs".formatted(cluster), """
                {"pes":64,"estimate":"PT1M"}""");
        }
    }

    /** A reader that reads a few events at a time and continues from there. */
    private static final class Reader {
        private final Api api;
        private final List<String> seen = new ArrayList<>();
        private final List<JsonNode> events = new ArrayList<>();
        private String cursor = "";

        Reader(Api api) {
            this.api = api;
        }

        int readOn() {
            var page = api.get("/api/v1/events?limit=%d%s".formatted(1 + random.nextInt(3), cursor));
            assertThat(page.status()).as("%s", page).isEqualTo(200);
            var items = page.body().get("items");
            items.forEach(event -> {
                seen.add(event.toString());
                events.add(event);
            });
            if (!page.body().get("next").isNull()) {
                cursor = "&after=" + page.text("next");
            }
            return items.size();
        }

        void readToTheEnd() {
            while (readOn() > 0) {
                // read page by page
            }
        }

        List<Long> sequences(String cluster) {
            return events.stream()
                    .filter(event -> event.get("cluster").asString().equals(cluster))
                    .map(event -> event.get("sequence").asLong())
                    .toList();
        }
    }

    @Test
    void aCursorGivesNoAccessToEventsOfOthers() {
        var cluster = newCluster(8);
        var mine = client();
        reserve(client(), cluster, """
            {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(clock.instant().plusSeconds(36_000)));
        desks.catchUp();
        var everything = admin.get("/api/v1/events?limit=500");

        assertThat(mine.get("/api/v1/events").body().toString()).isEqualTo("{\"items\":[],\"next\":null}");
        var on = mine.get("/api/v1/events?after=" + everything.text("next"));
        assertThat(on.body().get("items").size()).isZero();
        assertThat(on.text("next")).isEqualTo(everything.text("next"));
        assertThat(viewer().get("/api/v1/events?limit=500").body()).isEqualTo(everything.body());
    }

    @Test
    void aClientReadsEventsFromAnInstantOn() {
        var cluster = newCluster(8);
        var mine = client();
        var ids = new ArrayList<String>();
        var times = new ArrayList<Instant>();
        for (int i = 0; i < 20; i++) {
            times.add(clock.instant());
            ids.add(reserve(mine, cluster, """
                {"readyTime":"%s","duration":"PT1M","pes":1}""".formatted(clock.instant().plusSeconds(36_000)))
                    .text("id"));
            pass(Duration.ofSeconds(random.nextInt(3)));
        }
        desks.catchUp();

        for (int i = 0; i < 20; i++) {
            var from = times.get(i);
            var expected = IntStream.range(0, 20)
                    .filter(j -> !times.get(j).isBefore(from))
                    .mapToObj(ids::get)
                    .toList();
            var page = mine.get("/api/v1/events?limit=500&from=" + from);
            assertThat(reservations(page)).isEqualTo(expected);
        }
        var first = mine.get("/api/v1/events?limit=3&from=" + times.get(10));
        var on = mine.get("/api/v1/events?from=%s&after=%s".formatted(times.get(0), first.text("next")));
        assertThat(reservations(on))
                .isEqualTo(ids.subList(ids.indexOf(reservations(first).get(2)) + 1, 20));
        assertThat(reservations(
                        mine.get("/api/v1/events?from=" + clock.instant().plusSeconds(60))))
                .isEmpty();
        var refused = mine.get("/api/v1/events?from=yesterday");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().toString()).contains("\"from\"");
    }

    private static List<String> reservations(Api.Reply page) {
        return page.body()
                .get("items")
                .valueStream()
                .map(event -> event.get("reservation").asString())
                .toList();
    }
}
