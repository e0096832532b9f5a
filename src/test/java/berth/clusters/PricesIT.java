package berth.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.ServiceSuite;
import org.junit.jupiter.api.Test;

class PricesIT extends ServiceSuite {

    @Test
    void aClientSeesTheDiscountsForSlack() {
        var cluster = newCluster(8);
        admin.patch("/api/v1/clusters/" + cluster, "{\"tariff\":{\"flexibilityScale\":\"PT6H\"}}");

        var prices =
                viewer().get("/api/v1/clusters/%s/prices?duration=PT1H&pes=8&slack=P1D,PT0S,PT6H".formatted(cluster));

        assertThat(prices.status()).isEqualTo(200);
        assertThat(prices.text("fullPrice.amount")).isEqualTo("8.00");
        assertThat(prices.text("factors.flexibilityScale")).isEqualTo("PT6H");
        assertThat(prices.body()
                        .get("points")
                        .valueStream()
                        .map(point -> point.at("/price/amount").asString()))
                .containsExactly("8.00", "7.20", "6.72");
        assertThat(prices.text("points.1.saved.amount")).isEqualTo("0.80");
    }

    @Test
    void withoutParametersTheCurveReachesTheHorizon() {
        var prices = viewer().get("/api/v1/clusters/%s/prices?serviceClass=PREMIUM".formatted(newCluster(8)));

        assertThat(prices.text("fullPrice.amount")).isEqualTo("3.00");
        assertThat(prices.text("factors.classFactor")).isEqualTo("3");
        assertThat(prices.body().get("points").size()).isBetween(10, 34);
        assertThat(prices.body()
                        .get("points")
                        .valueStream()
                        .toList()
                        .getLast()
                        .get("slack")
                        .asString())
                .isEqualTo("PT2159H");
    }

    @Test
    void wrongParametersAreNamed() {
        var path = "/api/v1/clusters/%s/prices?".formatted(newCluster(8));
        for (var wrong : new String[][] {
            {"pes=9", "pes"},
            {"pes=many", "pes"},
            {"duration=PT0S", "duration"},
            {"duration=P999999D", "duration"},
            {"slack=PT-1H", "slack"},
            {"slack=1h", "slack"},
            {"slack=PT1S" + ",PT1S".repeat(50), "slack"},
            {"serviceClass=GOLD", "serviceClass"}
        }) {
            assertThat(viewer().get(path + wrong[0]).text("errors.0.field"))
                    .as(wrong[0])
                    .isEqualTo(wrong[1]);
        }
        assertThat(viewer().get("/api/v1/clusters/nowhere/prices").status()).isEqualTo(404);
    }
}
