package berth.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.ServiceSuite;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SignalIT extends ServiceSuite {

    private Instant day = Instant.EPOCH;

    @BeforeEach
    void chooseADay() {
        day = Instant.parse(at(24));
    }

    @Test
    void reservationsPayTheFactorsOfTheirHours() {
        var cluster = newCluster(8);
        var path = "/api/v1/clusters/%s/signal".formatted(cluster);
        assertThat(admin.get(path).body().get("factors").size()).isZero();

        var sent = admin.put(path, signal("0.5", "2.5"));

        assertThat(sent.status()).as("%s", sent).isEqualTo(200);
        assertThat(viewer().get(path).body()).isEqualTo(sent.body());
        assertThat(sent.text("source")).isEqualTo("day-ahead");
        assertThat(sent.text("factors.1.factor")).isEqualTo("2.5");
        assertThat(sent.text("to")).isEqualTo(day.plus(2, ChronoUnit.HOURS).toString());
        assertThat(price(cluster, 0)).isEqualTo("4.00");
        assertThat(price(cluster, 30)).isEqualTo("12.00");
        assertThat(price(cluster, 60)).isEqualTo("20.00");
        assertThat(price(cluster, 120)).isEqualTo("8.00");
        assertThat(admin.put(path, signal("0.5", "2.5")).status()).isEqualTo(200);
        assertThat(changes(cluster)).hasSize(1).first().satisfies(event -> {
            assertThat(event.at("/data/source").asString()).isEqualTo("day-ahead");
            assertThat(event.at("/data/to")).isEqualTo(sent.body().get("to"));
        });
        admin.patch("/api/v1/clusters/" + cluster, "{\"tariff\":{\"pricePerPeHour\":2}}");
        assertThat(price(cluster, 0)).isEqualTo("8.00");
        assertThat(admin.delete(path).status()).isEqualTo(204);
        assertThat(price(cluster, 0)).isEqualTo("16.00");
    }

    @Test
    void aReservationThatFollowsPricesMovesIntoCheaperHours() {
        var cluster = newCluster(8);
        var made = admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s","mobility":{"follow":"CHEAPEST"}}}""".formatted(
                        cluster, day.minus(3, ChronoUnit.HOURS), day.plus(2, ChronoUnit.HOURS)));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(made.text("terms.mobility.follow")).isEqualTo("CHEAPEST");

        admin.put("/api/v1/clusters/%s/signal".formatted(cluster), signal("0.5", "2.5"));

        var path = "/api/v1/reservations/" + made.text("id");
        var moved = admin.get(path);
        assertThat(moved.text("placement.start")).isEqualTo(day.toString());
        assertThat(Double.parseDouble(moved.text("price.amount")))
                .isLessThan(Double.parseDouble(made.text("price.amount")) / 1.9);
        assertThat(moved.text("moves.count")).isEqualTo("0");
        var last = admin.get(path + "/events")
                .body()
                .get("items")
                .valueStream()
                .toList()
                .getLast();
        assertThat(last.at("/data/move/why").asString()).isEqualTo("CHEAPER");
        assertThat(last.at("/data/move/priceBefore")).isEqualTo(made.body().get("price"));
        var wrong = admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":8,"mobility":{"follow":"CHEAPEST"}}}""".formatted(cluster));
        assertThat(wrong.text("errors.0.field")).isEqualTo("terms.mobility");
    }

    @Test
    void wrongFactorsAreNamed() {
        var path = "/api/v1/clusters/%s/signal".formatted(newCluster(8));
        var good = signal("1", "2");
        for (var wrong : new String[][] {
            {"{}", "source"},
            {signal("0", "1"), "factors[0].factor"},
            {signal("1", "-1"), "factors[1].factor"},
            {signal("1", "1.0000001"), "factors[1].factor"},
            {good.replaceFirst("\"from\":\"[^\"]*\"", "\"from\":\"today\""), "factors[0].from"},
            {
                good.replaceFirst("\"from\":\"[^\"]*\"", "\"from\":\"" + day.plus(90, ChronoUnit.MINUTES) + "\""),
                "factors[1].from"
            },
            {good.replaceFirst("\"to\":\"[^\"]*\"", "\"to\":\"" + day + "\""), "to"},
            {good.replaceFirst("\"to\":\"[^\"]*\"", "\"to\":\"2020-01-01T00:00:00Z\""), "to"},
            {"{\"source\":\"x\",\"factors\":[],\"to\":\"%s\"}".formatted(day), "factors"},
            {many(2_001), "factors"}
        }) {
            var answer = admin.put(path, wrong[0]);
            assertThat(answer.text("errors.0.field")).as("%s", answer).isEqualTo(wrong[1]);
        }
        assertThat(admin.put(path, many(2_000)).status()).isEqualTo(200);
    }

    /** Returns the events of a cluster's signal. */
    private List<JsonNode> changes(String cluster) {
        var changes = new ArrayList<JsonNode>();
        var page = admin.get("/api/v1/events?limit=500").body();
        while (!page.get("items").isEmpty()) {
            page.get("items")
                    .valueStream()
                    .filter(event -> event.get("cluster").asString().equals(cluster)
                            && event.get("type").asString().equals("signal-changed"))
                    .forEach(changes::add);
            page = admin.get(
                            "/api/v1/events?limit=500&after=" + page.get("next").asString())
                    .body();
        }
        return changes;
    }

    private String price(String cluster, int minutes) {
        var start = day.plus(minutes, ChronoUnit.MINUTES);
        var probe = admin.post("/api/v1/probes", """
                {"clusters":["%s"],"terms":{"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s"}}""".formatted(cluster, start, start.plus(1, ChronoUnit.HOURS)));
        return probe.text("slots.0.fixedPrice.amount");
    }

    private String signal(String first, String second) {
        return """
                {"source":"day-ahead","factors":[{"from":"%s","factor":"%s"},{"from":"%s","factor":%s}],"to":"%s"}""".formatted(day, first, day.plus(1, ChronoUnit.HOURS), second, day.plus(2, ChronoUnit.HOURS));
    }

    private String many(int number) {
        var factors = IntStream.range(0, number)
                .mapToObj(minute -> "{\"from\":\"%s\",\"factor\":1.5}".formatted(day.plus(minute, ChronoUnit.MINUTES)))
                .collect(Collectors.joining(","));
        return "{\"source\":\"x\",\"factors\":[%s],\"to\":\"%s\"}".formatted(factors, day.plus(10, ChronoUnit.DAYS));
    }
}
