package berth.rest;

import static org.assertj.core.api.Assertions.assertThat;

import berth.rest.Api.Reply;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RenegotiationsIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @BeforeEach
    void open() {
        cluster = newCluster(8);
        client = client();
    }

    private String in(Duration time) {
        return clock.instant().plus(time).toString();
    }

    /** Four PEs for an hour, tomorrow, exactly then: four dollars. */
    private Reply strict() {
        return reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(25))));
    }

    private Reply renegotiate(Reply reservation, String body, String... headers) {
        return client.post("/api/v1/reservations/%s/renegotiations".formatted(reservation.text("id")), body, headers);
    }

    private Reply read(Reply reservation) {
        return client.get("/api/v1/reservations/" + reservation.text("id"));
    }

    @Test
    void otherTermsAreTriedThenAgreedAndStayReadable() {
        var reservation = strict();
        var patch = """
                {"terms":{"pes":8},"dryRun":%s}""";

        var tried = renegotiate(reservation, patch.formatted(true));
        assertThat(read(reservation).body()).isEqualTo(reservation.body());
        var agreed = renegotiate(reservation, patch.formatted(false));

        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.body().get("number").isNull()).isTrue();
        assertThat(tried.text("priceBefore.amount")).isEqualTo("4.00");
        assertThat(tried.text("priceAfter.amount")).isEqualTo("8.00");
        assertThat(agreed.text("outcome")).isEqualTo("AGREED");
        assertThat(agreed.body().get("number").asInt()).isEqualTo(1);
        assertThat(agreed.etag()).isEqualTo("\"1\"");
        assertThat(agreed.body().get("priceAfter")).isEqualTo(tried.body().get("priceAfter"));
        assertThat(read(reservation).body()).isEqualTo(agreed.body().get("reservation"));

        renegotiate(reservation, """
                {"terms":{"pes":2}}""");
        var history = client.get("/api/v1/reservations/%s/renegotiations?limit=1".formatted(reservation.text("id")));
        assertThat(history.text("items.0.priceBefore.amount")).isEqualTo("8.00");
        assertThat(history.text("items.0.priceAfter.amount")).isEqualTo("2.00");
        var rest = client.get("/api/v1/reservations/%s/renegotiations?after=%s"
                .formatted(reservation.text("id"), history.text("next")));
        assertThat(rest.body().get("items").size()).isEqualTo(1);
        assertThat(rest.body().at("/items/0/reservation"))
                .isEqualTo(agreed.body().get("reservation"));
    }

    @Test
    void tighterTermsCarryTheSurcharge() {
        var flexible = reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(26))));
        assertThat(flexible.text("price.amount")).isEqualTo("3.60");

        var agreed = renegotiate(flexible, """
                {"terms":{"deadline":"%s"}}""".formatted(in(Duration.ofHours(25))));

        assertThat(agreed.text("priceAfter.amount")).isEqualTo("4.40");
        assertThat(agreed.text("reservation.scenario")).isEqualTo("STRICT");
    }

    @Test
    void refusedTermsLeaveTheOldOnes() {
        var reservation = strict();
        reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(25))));

        var refused = renegotiate(reservation, """
                {"terms":{"pes":5}}""");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(read(reservation).body()).isEqualTo(reservation.body());
    }

    @Test
    void ofARunOnlyTheEndChanges() {
        var running = reserve(client, cluster, """
                {"duration":"PT1H","pes":4,"deadline":"%s"}""".formatted(in(Duration.ofHours(1))));
        pass(Duration.ZERO);

        assertThat(renegotiate(running, """
                {"terms":{"pes":5}}""").text("errors.0.field")).isEqualTo("terms.pes");
        assertThat(renegotiate(running, """
                {"terms":{"duration":"PT2H"}}""").text("errors.0.field")).isEqualTo("terms.duration");
        var longer = renegotiate(running, """
                {"terms":{"duration":"PT2H","deadline":"%s"}}""".formatted(in(Duration.ofHours(3))));

        assertThat(longer.text("reservation.state")).isEqualTo("RUNNING");
        assertThat(longer.text("reservation.placement.end")).isEqualTo(in(Duration.ofHours(2)));
        assertThat(longer.text("priceAfter.amount")).isEqualTo("8.40");
        pass(Duration.ofHours(2));
        assertThat(read(running).text("state")).isEqualTo("COMPLETED");
    }

    @Test
    void whatIsLeftOutStaysAndNullTakesAway() {
        var reservation = reserve(client, cluster, """
                {"readyTime":"%s","duration":"PT1H","pes":4,"fixAfter":0.5,
                 "budget":{"amount":"9","currency":"USD"}}""".formatted(in(Duration.ofHours(24))));

        var agreed = renegotiate(reservation, """
                {"terms":{"budget":null,"fixBefore":"PT2H","fixAfter":null}}""");

        assertThat(agreed.body().at("/reservation/terms/budget").isNull()).isTrue();
        assertThat(agreed.body().at("/reservation/terms/fixAfter").isNull()).isTrue();
        assertThat(agreed.text("reservation.terms.readyTime")).isEqualTo(in(Duration.ofHours(24)));
        assertThat(agreed.text("reservation.scenario")).isEqualTo("OPEN");
        assertThat(agreed.text("reservation.fixedAt")).isEqualTo(in(Duration.ofHours(22)));
    }

    @Test
    void aStaleTagIsRefusedOnEveryChange() {
        var reservation = strict();
        var id = reservation.text("id");
        assertThat(reservation.etag()).isEqualTo("\"0\"");
        renegotiate(reservation, """
                {"terms":{"pes":3}}""", "If-Match", "\"0\"");

        for (var action : new String[] {"confirm", "fix", "claim", "complete", "cancel"}) {
            var refused = client.send(client.request("/api/v1/reservations/%s/%s".formatted(id, action))
                    .header("If-Match", "\"0\"")
                    .POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
            assertThat(refused.status()).isEqualTo(412);
            assertThat(refused.text("code")).isEqualTo("stale-version");
        }
        assertThat(renegotiate(reservation, """
                {"terms":{"pes":2}}""", "If-Match", "\"0\"").status()).isEqualTo(412);
        assertThat(renegotiate(reservation, """
                {"terms":{"pes":2}}""", "If-Match", "\"7\", \"1\"").status())
                .isEqualTo(200);
    }

    @Test
    void wrongRequestsAreRefused() {
        var reservation = strict();
        assertThat(renegotiate(reservation, "{}").text("errors.0.field")).isEqualTo("terms");
        assertThat(renegotiate(reservation, "{\"terms\":[]}").text("code")).isEqualTo("malformed");
        assertThat(renegotiate(reservation, "{\"terms\":{\"nodes\":1}}").text("errors.0.field"))
                .isEqualTo("terms.nodes");
        assertThat(renegotiate(reservation, "{\"terms\":{\"pes\":null}}").text("errors.0.field"))
                .isEqualTo("terms.pes");
        assertThat(renegotiate(reservation, "{\"terms\":{\"pes\":9}}").text("code"))
                .isEqualTo("never-fits");
        assertThat(renegotiate(reservation, "{\"terms\":{\"minPes\":9}}").text("errors.0.field"))
                .isEqualTo("terms.pes");
        assertThat(renegotiate(reservation, "{\"terms\":{\"pes\":1},\"incentive\":1}")
                        .text("errors.0.field"))
                .isEqualTo("incentive");
        assertThat(renegotiate(reservation, "{\"terms\":{\"readyTime\":\"%s\"}}".formatted(in(Duration.ofHours(-3))))
                        .text("errors.0.field"))
                .isEqualTo("terms.readyTime");
        assertThat(client.post("/api/v1/reservations/%s/cancel".formatted(reservation.text("id")))
                        .status())
                .isEqualTo(200);
        assertThat(renegotiate(reservation, "{\"terms\":{\"pes\":1}}").text("code"))
                .isEqualTo("wrong-state");
    }

    @Test
    void whatIsRenegotiatedUnderAKeyIsRenegotiatedOnce() {
        var reservation = strict();
        var body = """
                {"terms":{"pes":8}}""";

        var agreed = renegotiate(reservation, body, "Idempotency-Key", "more-" + reservation.text("id"));
        var again = renegotiate(reservation, body, "Idempotency-Key", "more-" + reservation.text("id"));
        var other = renegotiate(reservation, """
                {"terms":{"pes":2}}""", "Idempotency-Key", "more-" + reservation.text("id"));

        assertThat(agreed.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(agreed.body());
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text("code")).isEqualTo("key-reused");
        assertThat(read(reservation).body().get("version").asInt()).isEqualTo(1);
    }
}
