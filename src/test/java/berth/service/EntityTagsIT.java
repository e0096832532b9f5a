package berth.service;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.service.Api.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Requests, reservations and their cluster, read after each of many random changes. */
class EntityTagsIT extends ServiceSuite {

    private static final int SEEDS = Seeds.of(40);
    private static final int STEPS = 25;

    @Test
    void aTagStandsForOneBodyAndAnOldTagChangesNothing() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var life = new Life(new SplittableRandom(seed));
            for (int step = 0; step < STEPS; step++) {
                life.step();
                life.look("seed %d, step %d".formatted(seed, step));
            }
        }
    }

    /** The history of a cluster of four PEs. Half of the clusters collect requests. */
    private final class Life {

        private final SplittableRandom random;
        private final String cluster = newCluster(4);
        private final String path = "/api/v1/clusters/" + cluster;
        private final Api client = client();
        private final Instant begun = clock.instant();
        private final List<String> runs = new ArrayList<>();
        private final Map<List<String>, Reply> tagged = new HashMap<>();
        private final Map<String, Reply> latest = new HashMap<>();
        private final Map<Api, Reply> schedules = new HashMap<>();

        Life(SplittableRandom random) {
            this.random = random;
            if (random.nextBoolean()) {
                admin.patch(path, "{\"intake\":{\"order\":\"DPSAR\",\"window\":\"PT30S\"}}");
            }
            admin.patch(path, "{\"policy\":{\"visibility\":\"BUSY\"}}");
        }

        void step() {
            switch (random.nextInt(9)) {
                case 0, 1, 2, 3 -> reserve();
                case 4 -> change("renegotiations", "{\"terms\":{\"pes\":%d}}".formatted(1 + random.nextInt(4)));
                case 5 -> change("fix", "");
                case 6 -> change("cancel", "");
                case 7 -> admin.patch(path, "{\"peNames\":\"n[%d-%d]\"}".formatted(seed(), seed() + 3));
                default -> {
                    pass(Duration.ofSeconds(20 + random.nextInt(60)));
                    desks.catchUp();
                }
            }
        }

        private int seed() {
            return 10 + latest.getOrDefault(path, admin.get(path)).version() * 10;
        }

        private void reserve() {
            var until = clock.instant().plus(Duration.ofHours(8));
            var answer = client.post("/api/v1/reservations", """
                    {"cluster":"%s","terms":{"duration":"PT3H","pes":%d,"deadline":"%s"}%s}""".formatted(
                            cluster, 1 + random.nextInt(4), until, random.nextInt(3) > 0 ? ",\"wait\":{}" : ""));
            if (answer.status() < 300) {
                runs.add("/api/v1/reservations/" + answer.text("id"));
            }
        }

        private void change(String action, String body) {
            if (!runs.isEmpty()) {
                client.post(runs.get(random.nextInt(runs.size())) + "/" + action, body);
            }
        }

        /** Reads everything. */
        void look(String when) {
            runs.forEach(run -> look(when, run, client));
            look(when, path, client);
            look(when, path, admin);
            var period = "?from=%s&to=%s".formatted(begun, begun.plus(Duration.ofDays(2)));
            look(when, path + "/schedule" + period, client);
            lookAgain(when, path + "/schedule" + period, client);
            look(when, path + "/schedule" + period, admin);
            lookAgain(when, path + "/schedule" + period, admin);
        }

        /** A client that has a schedule need not read it again until it changes. */
        private void lookAgain(String when, String url, Api reader) {
            var now = requireNonNull(latest.get(url));
            var last = schedules.put(reader, now);
            if (last != null) {
                var again = reader.send(reader.request(url).header("If-None-Match", last.etag()));
                var kept = again.status() == 304 ? last : again;
                assertThat(kept.etag()).as("%s: %s", when, url).isEqualTo(again.etag());
                assertThat(kept.body())
                        .as("%s: %s", when, url)
                        .isEqualTo(kept.etag().equals(now.etag()) ? now.body() : again.body());
            }
        }

        private void look(String when, String url, Api reader) {
            var now = reader.get(url);
            assertThat(now.status()).isEqualTo(200);
            var before = tagged.putIfAbsent(List.of(url, now.etag()), now);
            assertThat(now.body())
                    .as("%s: %s %s", when, url, now.etag())
                    .isEqualTo(before == null ? now.body() : before.body());
            var last = latest.put(url, now);
            if (last != null && !url.contains("/schedule") && last.version() != now.version()) {
                assertThat(now.version()).as("%s: %s", when, url).isGreaterThan(last.version());
                var stale = url.equals(path)
                        ? admin.patch(path, "{\"admission\":\"CLOSED\"}", "If-Match", last.etag())
                        : client.post(url + "/cancel", "", "If-Match", last.etag());
                assertThat(stale.status()).as("%s: %s", when, url).isEqualTo(412);
            }
        }
    }
}
