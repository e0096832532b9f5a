package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
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
    void newTermsAreTriedAgreedAndListed() {
        var reservation = strict();
        var patch = """
                {"terms":{"pes":8},"dryRun":%s}""";

        var tried = renegotiate(reservation, patch.formatted(true));
        assertThat(read(reservation).body()).isEqualTo(reservation.body());
        var agreed = renegotiate(reservation, patch.formatted(false));

        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.body().get("before")).isEqualTo(reservation.body());
        assertThat(tried.text("after.price.amount")).isEqualTo("8.00");
        assertThat(tried.body().get("after")).isEqualTo(agreed.body().get("reservation"));
        assertThat(agreed.text("outcome")).isEqualTo("AGREED");
        assertThat(agreed.body().get("number").asInt()).isEqualTo(1);
        assertThat(agreed.version()).isEqualTo(1);
        assertThat(agreed.text("priceBefore.amount")).isEqualTo("4.00");
        assertThat(agreed.text("priceAfter.amount")).isEqualTo("8.00");
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
        // half of the window is slack, which counts until the notice: 4 x (1 - 0.2 x 1/2 x 0.9896) = 3.6042
        assertThat(flexible.text("price.amount")).isEqualTo("3.61");

        var agreed = renegotiate(flexible, """
                {"terms":{"deadline":"%s"}}""".formatted(in(Duration.ofHours(25))));

        assertThat(agreed.text("priceAfter.amount")).isEqualTo("4.40");
        assertThat(agreed.text("reservation.scenario")).isEqualTo("STRICT");
    }

    @Test
    void rejectedTermsLeaveTheOldOnes() {
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
    void onlyTheEndOfARunCanChange() {
        var running = reserve(client, cluster, """
                {"duration":"PT1H","pes":4,"deadline":"%s"}""".formatted(in(Duration.ofHours(1))));
        pass(Duration.ZERO);

        assertThat(renegotiate(running, """
                {"terms":{"pes":5}}""").text("errors.0.field")).isEqualTo("terms.pes");
        assertThat(renegotiate(running, """
                {"terms":{"duration":"PT2H","deadline":"%s"}}""".formatted(in(Duration.ofHours(1)))).text("errors.0.field"))
                .isEqualTo("terms.duration");
        var longer = renegotiate(running, """
                {"terms":{"duration":"PT2H","deadline":"%s"}}""".formatted(in(Duration.ofHours(3))));

        assertThat(longer.text("reservation.state")).isEqualTo("RUNNING");
        assertThat(longer.text("reservation.placement.end")).isEqualTo(in(Duration.ofHours(2)));
        assertThat(longer.text("priceAfter.amount")).isEqualTo("8.40");
        pass(Duration.ofHours(2));
        assertThat(read(running).text("state")).isEqualTo("COMPLETED");
    }

    @Test
    void aRunWithoutFreedomKeepsItsStartUntilItsOwnerGivesItSome() {
        var stays = reserve(client, cluster, """
                {"readyTime":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(24))));
        assertThat(stays.text("scenario")).isEqualTo("STRICT");
        assertThat(stays.text("deadlineBy")).isEqualTo("PLACE");
        assertThat(stays.text("terms.deadline")).isEqualTo(in(Duration.ofHours(25)));

        var longer = renegotiate(stays, """
                {"terms":{"duration":"PT2H"}}""");
        assertThat(longer.text("reservation.placement.start")).isEqualTo(in(Duration.ofHours(24)));
        assertThat(longer.text("priceAfter.amount")).isEqualTo("8.00");

        var free = renegotiate(stays, """
                {"terms":{"slack":"PT6H"}}""");
        assertThat(free.text("reservation.scenario")).isEqualTo("INTERVAL");
        assertThat(free.text("reservation.terms.deadline")).isEqualTo(in(Duration.ofHours(32)));
        assertThat(new BigDecimal(free.text("priceAfter.amount"))).isLessThan(new BigDecimal("8.00"));

        var again = renegotiate(stays, """
                {"terms":{"deadline":null}}""");
        assertThat(again.text("reservation.scenario")).isEqualTo("STRICT");
        assertThat(again.text("reservation.placement.start")).isEqualTo(in(Duration.ofHours(24)));
    }

    private Reply extend(Reply reservation, String body, String... headers) {
        return client.post("/api/v1/reservations/%s/extend".formatted(reservation.text("id")), body, headers);
    }

    @Test
    void aRunIsExtendedAsFarAsThereIsRoom() {
        var run = strict();
        var next = reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}""".formatted(
                        in(Duration.ofMinutes(27 * 60 + 30)), in(Duration.ofMinutes(28 * 60 + 30))));

        var tooMuch = extend(run, """
                {"by":"PT4H"}""");
        var tooLittle = extend(run, """
                {"by":"PT4H","atLeast":"PT3H"}""");
        assertThat(read(run).body()).isEqualTo(run.body());
        var tried = extend(run, """
                {"by":"PT4H","atLeast":"PT1H","dryRun":true}""");
        assertThat(read(run).body()).isEqualTo(run.body());
        var agreed = extend(run, """
                {"by":"PT4H","atLeast":"PT1H"}""");

        assertThat(next.status()).isEqualTo(201);
        assertThat(tooMuch.status()).isEqualTo(409);
        assertThat(tooMuch.text("code")).isEqualTo("no-slot");
        assertThat(tooLittle.text("code")).isEqualTo("no-slot");
        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.body().get("before")).isEqualTo(run.body());
        assertThat(tried.body().get("after")).isEqualTo(agreed.body().get("reservation"));
        assertThat(agreed.text("priceBefore.amount")).isEqualTo("4.00");
        assertThat(agreed.text("outcome")).isEqualTo("AGREED");
        assertThat(agreed.version()).isEqualTo(1);
        assertThat(agreed.text("reservation.placement.end")).isEqualTo(in(Duration.ofMinutes(27 * 60 + 30)));
        assertThat(agreed.text("reservation.terms.deadline")).isEqualTo(in(Duration.ofMinutes(27 * 60 + 30)));
        assertThat(read(run).body()).isEqualTo(agreed.body().get("reservation"));
    }

    @Test
    void aRunIsExtendedAsFarAsItsBudgetAllows() {
        var run = reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4,"budget":{"amount":"10","currency":"USD"}}""".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(25))));

        var all = extend(run, """
                {"by":"PT4H"}""");
        var some = extend(run, """
                {"by":"PT4H","atLeast":"PT1H"}""");

        assertThat(all.text("code")).isEqualTo("over-budget");
        assertThat(some.text("priceBefore.amount")).isEqualTo("4.00");
        assertThat(some.text("priceAfter.amount")).isEqualTo("10.00");
        var one = extend(run, """
                {"by":"PT1S"}""");
        assertThat(one.text("code")).isEqualTo("over-budget");
    }

    @Test
    void anAutomaticExtensionEndsBeforeTheNextReservation() {
        reserve(client, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}""".formatted(in(Duration.ofMinutes(150)), in(Duration.ofMinutes(210))));
        var run = reserve(client, cluster, """
                {"duration":"PT1H","pes":4,"autoExtend":{"step":"PT1H","until":"%s"}}""".formatted(in(Duration.ofHours(9))));
        assertThat(run.text("terms.autoExtend.step")).isEqualTo("PT1H");
        assertThat(run.text("terms.autoExtend.until")).isEqualTo(in(Duration.ofHours(9)));
        pass(Duration.ofMinutes(50));

        await().untilAsserted(() -> assertThat(read(run).text("placement.end")).isEqualTo(in(Duration.ofMinutes(70))));
        pass(Duration.ofHours(1));
        await().untilAsserted(() -> assertThat(types(run)).endsWith("extended", "not-extended"));

        var last = client.get("/api/v1/reservations/%s/events".formatted(run.text("id")))
                .body()
                .get("items")
                .valueStream()
                .toList()
                .getLast();
        assertThat(last.at("/data/refusal").asString()).isEqualTo("no-slot");
        assertThat(last.at("/data/terms/autoExtend").isNull()).isTrue();
        pass(Duration.ofMinutes(10));
        assertThat(read(run).text("state")).isEqualTo("COMPLETED");
    }

    private List<String> types(Reply reservation) {
        return client.get("/api/v1/reservations/%s/events".formatted(reservation.text("id")))
                .body()
                .get("items")
                .valueStream()
                .map(event -> event.get("type").asString())
                .toList();
    }

    @Test
    void onlyTheOwnerExtendsARunOfTheGivenVersionOncePerKey() {
        var run = strict();
        var body = """
                {"by":"PT1H"}""";

        var stale = extend(run, body, "If-Match", "\"7\"");
        var others = client().post("/api/v1/reservations/%s/extend".formatted(run.text("id")), body);
        var administrator = admin.post("/api/v1/reservations/%s/extend".formatted(run.text("id")), body);
        assertThat(read(run).body()).isEqualTo(run.body());
        var first = extend(run, body, "If-Match", run.etag(), "Idempotency-Key", "longer");
        var again = extend(run, body, "If-Match", run.etag(), "Idempotency-Key", "longer");
        var reused = extend(run, "{\"by\":\"PT2H\"}", "Idempotency-Key", "longer");

        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.text("code")).isEqualTo("stale-version");
        assertThat(others.status()).isEqualTo(404);
        assertThat(administrator.text("code")).isEqualTo("forbidden");
        assertThat(first.text("reservation.placement.end")).isEqualTo(in(Duration.ofHours(26)));
        assertThat(again.body().get("reservation")).isEqualTo(first.body().get("reservation"));
        assertThat(reused.text("code")).isEqualTo("key-reused");
        assertThat(read(run).text("placement.end")).isEqualTo(in(Duration.ofHours(26)));
    }

    @Test
    void wrongFieldsOfAnExtensionAreNamed() {
        var run = strict();
        for (var wrong : new String[][] {
            {"{}", "by"},
            {"{\"by\":\"soon\"}", "by"},
            {"{\"by\":\"PT0S\"}", "by"},
            {"{\"by\":\"PT1H\",\"atLeast\":\"PT2H\"}", "atLeast"},
            {"{\"by\":\"PT1H\",\"atLeast\":\"PT0S\"}", "atLeast"},
            {"{\"by\":\"P4000D\"}", "by"},
        }) {
            var refused = extend(run, wrong[0]);
            assertThat(refused.status()).as(wrong[0]).isBetween(400, 422);
            assertThat(refused.text("errors.0.field")).as(wrong[0]).isEqualTo(wrong[1]);
        }
        assertThat(read(run).body()).isEqualTo(run.body());
    }

    @Test
    void omittedTermsStayAndNullRemovesThem() {
        var reservation = reserve(client, cluster, """
                {"readyTime":"%s","duration":"PT1H","pes":4,"fixAfter":0.5,
                 "budget":{"amount":"9","currency":"USD"}}""".formatted(in(Duration.ofHours(24))));

        var agreed = renegotiate(reservation, """
                {"terms":{"budget":null,"fixBefore":"PT2H","fixAfter":null}}""");

        assertThat(agreed.body().at("/reservation/terms/budget").isNull()).isTrue();
        assertThat(agreed.body().at("/reservation/terms/fixAfter").isNull()).isTrue();
        assertThat(agreed.text("reservation.terms.readyTime")).isEqualTo(in(Duration.ofHours(24)));
        assertThat(agreed.text("reservation.scenario")).isEqualTo("STRICT");
        assertThat(agreed.text("reservation.fixedAt")).isEqualTo(in(Duration.ofHours(22)));
    }

    @Test
    void aStaleTagIsRefusedOnEveryChange() {
        var reservation = strict();
        var id = reservation.text("id");
        assertThat(reservation.version()).isEqualTo(0);
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
    void aRepeatedRenegotiationUnderAKeyHappensOnce() {
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
