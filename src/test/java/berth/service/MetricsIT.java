package berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.http.BodyLimit;
import berth.service.Scrape.Sample;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsIT extends ServiceSuite {

    private static final HttpClient http = HttpClient.newHttpClient();

    @Test
    void administratorsAndViewersReadMetrics() throws Exception {
        assertThat(status(admin, "/actuator/prometheus")).isEqualTo(200);
        assertThat(status(viewer(), "/actuator/prometheus")).isEqualTo(200);
        assertThat(status(client(), "/actuator/prometheus")).isEqualTo(403);
        assertThat(status(new Api(port, Optional.empty()), "/actuator/prometheus"))
                .isEqualTo(401);
        assertThat(status(viewer(), "/actuator")).isEqualTo(403);
    }

    @Test
    void administratorsAndViewersReadTheHealthOfComponents() {
        for (var api : new Api[] {admin, viewer()}) {
            assertThat(api.get("/health").text("components.desks.status")).isEqualTo("UP");
            assertThat(api.get("/health").text("components.db.status")).isEqualTo("UP");
        }
        assertThat(client().get("/health").status()).isEqualTo(403);
        assertThat(new Api(port, Optional.empty()).get("/health").status()).isEqualTo(401);
        for (var path : new String[] {"/actuator/health", "/actuator/health/liveness"}) {
            assertThat(new Api(port, Optional.empty()).get(path).text("status")).isEqualTo("UP");
            assertThat(admin.get(path).body().has("components")).isFalse();
        }
        assertThat(admin.get("/actuator/health/db").status()).isEqualTo(404);
    }

    @Test
    void requestsToAClusterAreCounted() throws Exception {
        var cluster = newCluster(4);
        var body = """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":%s,"deadline":"%s"}}""";
        var deadline = clock.instant().plus(Duration.ofHours(1));
        admin.post("/api/v1/reservations", body.formatted(cluster, 3, deadline));
        admin.post("/api/v1/reservations", body.formatted(cluster, 3, deadline));
        admin.post("/api/v1/reservations", body.formatted(cluster, 5, deadline));
        desks.catchUp();

        var scrape = Scrape.of(admin);
        var own = Map.of("cluster", cluster);
        assertThat(scrape.value("berth_reservations_total", Map.of("cluster", cluster, "outcome", "accepted")))
                .isEqualTo(1);
        assertThat(scrape.value("berth_reservations_total", Map.of("cluster", cluster, "outcome", "refused")))
                .isEqualTo(2);
        assertThat(scrape.value("berth_refusals_total", Map.of("cluster", cluster, "code", "no-slot")))
                .isEqualTo(1);
        assertThat(scrape.value("berth_refusals_total", Map.of("cluster", cluster, "code", "never-fits")))
                .isEqualTo(1);
        assertThat(scrape.value("berth_reservations_live", own)).isEqualTo(1);
        assertThat(scrape.value("berth_cluster_booked_ratio", own)).isEqualTo(0.75);
        assertThat(scrape.value("berth_desk_commit_seconds_count", Map.of("cluster", cluster, "outcome", "committed")))
                .isGreaterThanOrEqualTo(1);
        assertThat(scrape.value("berth_desk_batch_commands_sum", own)).isGreaterThanOrEqualTo(3);
    }

    @Test
    void probesAreTimed() throws Exception {
        var before = Scrape.of(admin);
        var cluster = newCluster(4);
        var body = """
                {"clusters":["%s"],"terms":{"duration":"PT1H","pes":%s}}""";
        admin.post("/api/v1/probes", body.formatted(cluster, 4));
        admin.post("/api/v1/probes", body.formatted(cluster, 5));
        admin.post("/api/v1/probes", body.formatted(cluster, 5));

        var after = Scrape.of(admin);
        for (var expected : Map.of("slots", 1.0, "nothing", 2.0).entrySet()) {
            var labels = Map.of("outcome", expected.getKey());
            assertThat(after.value("berth_probes_seconds_count", labels)
                            - before.value("berth_probes_seconds_count", labels))
                    .isEqualTo(expected.getValue());
        }
    }

    @Test
    void unknownPathsAndMethodsMakeNoNewMetrics() throws Exception {
        // two calls, because a request is counted after its response
        askOdd("a");
        askOdd("b");
        var before = requests(Scrape.of(admin));
        for (int i = 0; i < 30; i++) {
            askOdd("odd" + i);
        }
        var after = requests(Scrape.of(admin));

        assertThat(after).isEqualTo(before);
    }

    private void askOdd(String word) throws Exception {
        for (var path : new String[] {
            "/%s",
            "/api/v1/%s",
            "/api/v1/clusters/%s",
            "/api/v1/clusters/%s/%s",
            "/api/v1/reservations/%s",
            "/api/v1//%s",
            "/api/v1/events?after=%s",
            "/actuator/%s",
            "/actuator/health/%s"
        }) {
            status(admin, path.formatted(word, word));
            status(new Api(port, Optional.empty()), path.formatted(word, word));
        }
        var odd = admin.request("/api/v1/clusters").method("X" + word.toUpperCase(), BodyPublishers.noBody());
        http.send(odd.build(), BodyHandlers.discarding());
    }

    /** Returns the label sets of the HTTP request metric, except that of reading the metrics. */
    private static Set<Map<String, String>> requests(Scrape scrape) {
        return scrape.of("http_server_requests_seconds_count", Map.of()).stream()
                .map(Sample::labels)
                .filter(labels -> !"/actuator/prometheus".equals(labels.get("uri")))
                .collect(Collectors.toSet());
    }

    private static double sum(Api api, Map<String, String> labels) throws Exception {
        return Scrape.of(api).of("http_server_requests_seconds_count", labels).stream()
                .mapToDouble(Sample::value)
                .sum();
    }

    @Test
    void aRequestIsCountedUnderTheStatusThatItsClientSaw() throws Exception {
        var labels = Map.of("method", "POST", "status", "413");
        double before = sum(admin, labels);

        admin.post("/api/v1/probes", "x".repeat(BodyLimit.MAX + 1));

        await().untilAsserted(() -> assertThat(sum(admin, labels)).isEqualTo(before + 1));
    }

    @Test
    void noMetricNamesAnAccount() throws Exception {
        var cluster = newCluster(4);
        client().post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":1}}""".formatted(cluster));

        assertThat(Scrape.of(admin).samples().stream()
                        .filter(sample -> sample.name().startsWith("berth_"))
                        .flatMap(sample -> sample.labels().keySet().stream()))
                .containsOnly("cluster", "outcome", "code", "le", "why");
    }

    private static int status(Api api, String path) throws IOException, InterruptedException {
        return http.send(api.request(path).GET().build(), BodyHandlers.discarding())
                .statusCode();
    }
}
