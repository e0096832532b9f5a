package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests requests that name no cluster. A label separates the clusters of a test from all others. */
class BrokerIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @SuppressWarnings("NullAway.Init")
    private String site;

    @BeforeEach
    void enter() {
        client = client();
        site = newName();
    }

    /** Creates a cluster for this test. */
    private String cluster(int pes, String others) {
        var id = newName();
        var created = admin.post("/api/v1/clusters", """
            {"id":"%s","pes":%d,"labels":{"site":"%s"}%s}\
            """.formatted(id, pes, site, others));
        assertThat(created.status()).isEqualTo(201);
        return id;
    }

    private String terms(int pes, int ready, int deadline) {
        return """
            {"requires":{"site":"%s"},"duration":"PT1H","pes":%d,"readyTime":"%s","deadline":"%s"}\
            """.formatted(site, pes, at(ready), at(deadline));
    }

    private Reply ask(String terms, String others, String... headers) {
        return client.post("/api/v1/reservations", "{\"terms\":%s%s}".formatted(terms, others), headers);
    }

    private void fill(String cluster, int pes, int from, int hours) {
        var filled = reserve(admin, cluster, """
            {"duration":"PT%dH","pes":%d,"readyTime":"%s","deadline":"%s"}\
            """.formatted(hours, pes, at(from), at(from + hours)));
        assertThat(filled.status()).isEqualTo(201);
    }

    @Test
    void theEarliestSlotOfAllClustersIsReserved() {
        var busy = cluster(8, "");
        var free = cluster(8, "");
        fill(busy, 8, 48, 2);

        var granted = ask(terms(8, 48, 60), ",\"name\":\"my run\",\"project\":\"climate\",\"hold\":\"PT10M\"");

        assertThat(granted.status()).isEqualTo(201);
        assertThat(granted.text("cluster")).isEqualTo(free);
        assertThat(granted.text("placement.start")).isEqualTo(at(48));
        assertThat(granted.text("state")).isEqualTo("HELD");
        assertThat(granted.text("name")).isEqualTo("my run");
        assertThat(granted.text("project")).isEqualTo("climate");
        assertThat(granted.body().path("tried").size()).isZero();
        // the reservation keeps the requested window, in which it can be moved like any other
        assertThat(granted.text("terms.deadline")).isEqualTo(at(60));
        assertThat(client.get("/api/v1/reservations/" + granted.text("id")).body())
                .isEqualTo(granted.body());
        assertThat(ask(terms(8, 48, 60), "").text("placement.start")).isEqualTo(at(49));
    }

    @Test
    void thePreferenceChooses() {
        var dear = cluster(8, ",\"tariff\":{\"pricePerPeHour\":\"9.00\"}");
        var cheap = cluster(8, ",\"tariff\":{\"pricePerPeHour\":\"1.00\"}");
        fill(cheap, 8, 48, 4);

        assertThat(ask(terms(8, 48, 60), "").text("cluster")).isEqualTo(dear);
        assertThat(ask(terms(8, 48, 60), ",\"orderBy\":\"LOWEST_PRICE\"").text("cluster"))
                .isEqualTo(cheap);
        assertThat(ask(terms(8, 48, 60), ",\"orderBy\":{\"price\":0.1,\"start\":0.9}")
                        .text("cluster"))
                .isEqualTo(dear);
        assertThat(ask(terms(8, 48, 60), ",\"orderBy\":{\"price\":0.9,\"start\":0.1}")
                        .text("cluster"))
                .isEqualTo(cheap);
    }

    @Test
    void aProbeSortsByWeightsToo() {
        var dear = cluster(8, ",\"tariff\":{\"pricePerPeHour\":\"9.00\"}");
        var cheap = cluster(8, ",\"tariff\":{\"pricePerPeHour\":\"1.00\"}");
        fill(cheap, 8, 48, 4);
        var probe = "{\"terms\":%s,\"clusters\":[\"%s\",\"%s\"],\"orderBy\":%s}";

        var cheapest = client.post(
                "/api/v1/probes", probe.formatted(terms(8, 48, 60), dear, cheap, "{\"price\":0.9,\"start\":0.1}"));
        var first = client.post(
                "/api/v1/probes", probe.formatted(terms(8, 48, 60), dear, cheap, "{\"price\":0.1,\"start\":0.9}"));

        assertThat(cheapest.text("slots.0.cluster")).isEqualTo(cheap);
        assertThat(first.text("slots.0.cluster")).isEqualTo(dear);
    }

    @Test
    void theBrokerKeepsAChosenStart() {
        var noMoves = ",\"policy\":{\"juggling\":\"NEVER\"}";
        var busy = cluster(8, noMoves);
        var free = cluster(8, ",\"rating\":2" + noMoves);
        fill(busy, 8, 50, 1);

        var granted = ask(terms(8, 48, 60), ",\"start\":\"%s\"".formatted(at(50)));

        assertThat(granted.text("cluster")).isEqualTo(free);
        assertThat(granted.text("placement.start")).isEqualTo(at(50));
        assertThat(granted.text("terms.duration")).isEqualTo("PT1H");
        assertThat(granted.text("placement.runTime")).isEqualTo("PT30M");
        assertThat(ask(terms(8, 48, 60), ",\"start\":\"%s\"".formatted(at(50))).status())
                .isEqualTo(409);
    }

    @Test
    void anOfferSaysHowLongTheRunTakesOnEachCluster() {
        var slow = cluster(8, ",\"rating\":0.5");
        var standard = cluster(8, "");

        var offers = client.post(
                        "/api/v1/probes",
                        "{\"terms\":%s,\"clusters\":[\"%s\",\"%s\"]}".formatted(terms(8, 48, 60), slow, standard))
                .body()
                .path("slots");

        assertThat(offers.valueStream())
                .extracting(offer -> offer.path("cluster").asString() + " "
                        + offer.path("runTime").asString())
                .containsOnly(slow + " PT2H", standard + " PT1H");
    }

    @Test
    void aRunInSeveralShapesHasALongerOneAtItsChosenStart() {
        var half = cluster(8, ",\"policy\":{\"juggling\":\"NEVER\"}");
        fill(half, 4, 48, 12);

        var granted = ask("""
                {"requires":{"site":"%s"},"moldability":{"runtimes":{"8":"PT1H","4":"PT2H"}},"readyTime":"%s","deadline":"%s"}\
                """.formatted(site, at(48), at(60)), ",\"start\":\"%s\"".formatted(at(50)));

        assertThat(granted.text("placement.start")).as("%s", granted).isEqualTo(at(50));
        assertThat(granted.text("placement.pes")).isEqualTo("4");
    }

    @Test
    void theBrokerPassesOverClosedClustersAndOtherCurrencies() {
        cluster(8, ",\"admission\":\"CLOSED\"");
        cluster(8, ",\"tariff\":{\"currency\":\"CHF\"}");
        var open = cluster(8, "");
        var inDollars = terms(1, 48, 60)
                .replaceFirst("\"duration\"", "\"budget\":{\"amount\":\"5.00\",\"currency\":\"USD\"},\"duration\"");

        for (int i = 0; i < 3; i++) {
            assertThat(ask(inDollars, "").text("cluster")).isEqualTo(open);
        }
    }

    @Test
    void aRequestThatNeverFitsIsRejectedWithTheReasonOfEachCluster() {
        var small = cluster(4, "");
        var large = cluster(16, "");

        var never = ask(terms(32, 48, 60), "");

        assertThat(never.status()).isEqualTo(422);
        assertThat(never.text("code")).isEqualTo("never-fits");
        assertThat(never.body().path("errors").toString())
                .contains("on %s: exceeds the 4 PEs".formatted(small))
                .contains("on %s: exceeds the 16 PEs".formatted(large))
                .contains("terms.pes");
    }

    @Test
    void aRejectionCountsOnceForEachClusterThatCouldHoldTheRun() {
        var full = cluster(8, "");
        var small = cluster(4, "");
        fill(full, 8, 48, 2);

        var refused = ask(terms(8, 48, 50), "");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(refused.body().path("tried").isArray()).isTrue();
        desks.recordRefusals();
        assertThat(refusals(full)).isEqualTo(1);
        assertThat(refusals(small)).isZero();
    }

    private int refusals(String cluster) {
        var refused = admin.get("/api/v1/clusters/%s/statistics?from=%s&to=%s".formatted(cluster, at(-24), at(2400)))
                .body()
                .path("refused");
        return refused.valueStream().mapToInt(number -> number.asInt()).sum();
    }

    @Test
    void concurrentRequestsFillEveryClusterWithoutARejection() throws Exception {
        var clusters = List.of(cluster(6, ""), cluster(6, ""), cluster(6, ""));

        var granted = atOnce(IntStream.range(0, 18)
                .<Callable<Reply>>mapToObj(_ -> () -> ask(terms(1, 48, 49), ""))
                .toList());

        assertThat(granted).allSatisfy(reply -> assertThat(reply.status()).isEqualTo(201));
        for (var cluster : clusters) {
            assertThat(granted.stream()
                            .filter(reply -> reply.text("cluster").equals(cluster))
                            .count())
                    .isEqualTo(6);
        }
        assertThat(ask(terms(1, 48, 49), "").status()).isEqualTo(409);
        desks.recordRefusals();
        for (var cluster : clusters) {
            assertThat(refusals(cluster)).isEqualTo(1);
        }
    }

    @Test
    void concurrentRequestsUnderOneKeyReserveOnOneClusterOnce() throws Exception {
        cluster(8, "");
        cluster(8, "");
        cluster(8, "");

        var granted = atOnce(IntStream.range(0, 8)
                .<Callable<Reply>>mapToObj(_ -> () -> ask(terms(8, 48, 49), "", "Idempotency-Key", site))
                .toList());
        var ids = new HashSet<String>();
        granted.forEach(reply -> ids.add(reply.text("id")));

        assertThat(granted).allSatisfy(reply -> assertThat(reply.status()).isEqualTo(201));
        assertThat(ids).hasSize(1);
        assertThat(ask(terms(8, 48, 49), "").status()).isEqualTo(201);
        assertThat(ask(terms(8, 48, 49), "").status()).isEqualTo(201);
        assertThat(ask(terms(8, 48, 49), "").status()).isEqualTo(409);
        // the first result, although there is no room any more
        assertThat(ask(terms(8, 48, 49), "", "Idempotency-Key", site).text("id"))
                .isIn(ids);
        assertThat(ask(terms(7, 48, 49), "", "Idempotency-Key", site).text("code"))
                .isEqualTo("key-reused");
    }

    private static List<Reply> atOnce(List<Callable<Reply>> calls) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var replies = new ArrayList<Reply>();
            for (var reply : threads.invokeAll(calls)) {
                replies.add(reply.get());
            }
            return replies;
        }
    }

    @Test
    void theLimitsOfAnAccountCountOnAllClusters() {
        cluster(8, "");
        cluster(8, "");
        var name = newName();
        var token = tokenOf(name, "CLIENT");
        admin.patch("/api/v1/accounts/" + name, "{\"limits\":{\"pes\":8}}");
        client = new Api(port, Optional.of(token));

        assertThat(ask(terms(8, 48, 49), "").status()).isEqualTo(201);
        assertThat(ask(terms(8, 48, 49), "").text("code")).isEqualTo("limit-exceeded");
    }

    @Test
    void aPreferenceThatMakesNoSenseIsRefused() {
        cluster(8, "");
        var sum = ask(terms(1, 48, 60), ",\"orderBy\":{\"price\":0.5,\"start\":0.6}");
        var below = ask(terms(1, 48, 60), ",\"orderBy\":{\"price\":-0.5,\"start\":1.5}");
        var unknown = ask(terms(1, 48, 60), ",\"orderBy\":{\"colour\":1}");
        var word = ask(terms(1, 48, 60), ",\"orderBy\":\"LATEST_START\"");

        assertThat(List.of(sum.status(), below.status(), unknown.status(), word.status()))
                .containsExactly(422, 422, 400, 400);
        assertThat(sum.text("errors.0.field")).isEqualTo("orderBy");
        assertThat(sum.text("errors.0.message")).contains("add up to 1");
        assertThat(below.text("errors.0.message")).contains("at least 0");
        assertThat(unknown.text("errors.0.field")).isEqualTo("orderBy.colour");
        assertThat(word.text("errors.0.message")).contains("LOWEST_PRICE");
    }

    @Test
    void thePreferenceChoosesAmongTheSlotsOfOneCluster() {
        var cluster = cluster(8, ",\"tariff\":{\"latenessDiscount\":0.5,\"latenessScale\":10}");
        fill(cluster, 8, 50, 2);
        var named = ",\"cluster\":\"%s\",\"orderBy\":%s";

        var cheapest = ask(terms(8, 48, 60), named.formatted(cluster, "\"LOWEST_PRICE\""));
        var first = ask(terms(8, 48, 60), named.formatted(cluster, "\"EARLIEST_START\""));
        var refused = ask(terms(8, 50, 51), named.formatted(cluster, "\"LOWEST_PRICE\""));
        var nowhere = ask(terms(8, 50, 51), named.formatted("nowhere", "\"LOWEST_PRICE\""));

        // the whole discount is for a start ten hours late, and half a minute earlier the price is the same to the cent
        assertThat(cheapest.text("placement.start"))
                .as("%s", cheapest)
                .isGreaterThan(at(57))
                .isLessThanOrEqualTo(at(58));
        assertThat(cheapest.text("terms.readyTime")).isEqualTo(at(48));
        assertThat(first.text("placement.start")).isEqualTo(at(48));
        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(refused.text("alternatives.0.start")).isEqualTo(at(49));
        assertThat(refused.body().path("tried").isArray()).isTrue();
        assertThat(nowhere.status()).isEqualTo(404);
    }

    @Test
    void onlyTheClustersOfAListAreAsked() {
        var dear = cluster(8, ",\"tariff\":{\"pricePerPeHour\":\"9.00\"}");
        var cheap = cluster(8, ",\"tariff\":{\"pricePerPeHour\":\"1.00\"}");
        var cheapest = cluster(8, ",\"tariff\":{\"pricePerPeHour\":\"0.50\"}");
        var among = ",\"orderBy\":\"LOWEST_PRICE\",\"clusters\":[\"%s\",\"%s\"]";

        assertThat(ask(terms(8, 48, 49), among.formatted(dear, cheap)).text("cluster"))
                .isEqualTo(cheap);
        assertThat(ask(terms(8, 48, 49), among.formatted(cheap, dear)).text("cluster"))
                .isEqualTo(dear);
        var refused = ask(terms(8, 48, 49), among.formatted(dear, cheap));
        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(refused.body().path("alternatives").toString()).doesNotContain(cheapest);
        assertThat(ask(terms(9, 48, 49), among.formatted(dear, cheap)).text("errors.1.message"))
                .startsWith("on ");
        assertThat(ask(terms(8, 48, 49), "").text("cluster")).isEqualTo(cheapest);
    }

    @Test
    void aListThatMakesNoSenseIsRefused() {
        var cluster = cluster(8, "");
        var none = ask(terms(1, 48, 60), ",\"clusters\":[]");
        var both = ask(terms(1, 48, 60), ",\"clusters\":[\"%s\"],\"cluster\":\"%s\"".formatted(cluster, cluster));
        var unknown = ask(terms(1, 48, 60), ",\"clusters\":[\"%s\",\"nowhere\"]".formatted(cluster));
        var missing = ask(terms(1, 48, 60), ",\"clusters\":[null]");
        var many = ask(
                terms(1, 48, 60),
                ",\"clusters\":[%s]".formatted(String.join(",", Collections.nCopies(1000, "\"" + cluster + "\""))));

        assertThat(List.of(none.status(), both.status(), unknown.status(), missing.status(), many.status()))
                .containsExactly(422, 422, 422, 400, 422);
        assertThat(none.text("errors.0.message")).contains("1 to 100 clusters");
        assertThat(both.text("errors.0.message")).contains("cannot be combined with cluster");
        assertThat(unknown.text("errors.0.field")).isEqualTo("clusters[1]");
        assertThat(unknown.text("errors.0.value")).isEqualTo("nowhere");
        assertThat(missing.text("errors.0.field")).isEqualTo("clusters[0]");
        assertThat(many.text("errors.0.value")).isEqualTo("1000");
    }

    @Test
    void aRejectionNamesAlternativesOnAnyCluster() {
        var one = cluster(8, "");
        var two = cluster(8, "");
        var large = cluster(9, "");
        fill(one, 6, 48, 3);
        fill(two, 4, 48, 1);
        fill(large, 9, 48, 4);

        var refused = ask(terms(8, 48, 49), "");

        assertThat(refused.text("code")).as("%s", refused.body()).isEqualTo("no-slot");
        var alternatives = refused.body().path("alternatives");
        assertThat(alternatives
                        .valueStream()
                        .map(slot -> slot.path("cluster").asString() + " "
                                + slot.path("start").asString() + " "
                                + slot.path("phi").asInt()))
                .containsExactly(
                        "%s %s 1".formatted(two, at(49)),
                        "%s %s -1".formatted(one, at(47)),
                        "%s %s -1".formatted(two, at(47)),
                        "%s %s -1".formatted(large, at(47)),
                        "%s %s 3".formatted(one, at(51)),
                        "%s %s 4".formatted(large, at(52)));
        assertThat(alternatives.path(0).path("kind").asString()).isEqualTo("ALTERNATIVE");
        assertThat(alternatives.path(0).at("/price/amount").isString()).isTrue();
        assertThat(refused.text("wouldFit.deadline")).isEqualTo(at(50));
        assertThat(refused.text("wouldFit.pes")).isEqualTo("4");
        assertThat(refused.body().at("/wouldFit/duration").isNull()).isTrue();
        assertThat(refused.body().path("tried").isArray()).isTrue();
    }

    @Test
    void theNearestAlternativeOfAllClustersIsReserved() {
        var near = cluster(8, "");
        var far = cluster(8, "");
        fill(near, 8, 48, 1);
        fill(far, 8, 48, 2);
        var instead = ",\"name\":\"run\",\"acceptAlternatives\":{\"maxPhi\":%s,\"earlier\":%s}";

        assertThat(ask(terms(8, 48, 49), instead.formatted("0.9", "true")).text("code"))
                .isEqualTo("no-slot");
        var later = ask(terms(8, 48, 49), instead.formatted("5", "false"));
        assertThat(later.text("cluster")).as("%s", later).isEqualTo(near);
        assertThat(later.text("placement.start")).isEqualTo(at(49));
        assertThat(later.text("terms.deadline")).isEqualTo(at(50));
        assertThat(later.text("name")).isEqualTo("run");
        assertThat(ask(terms(8, 48, 49), instead.formatted("1", "false")).text("code"))
                .isEqualTo("no-slot");
        var held = ask(terms(8, 48, 49), instead.formatted("5", "true") + ",\"hold\":\"PT5M\"");
        assertThat(held.text("state")).as("%s", held).isEqualTo("HELD");
        assertThat(held.text("placement.start")).isEqualTo(at(47));
        var start = ask(terms(8, 48, 60), instead.formatted("1", "false") + ",\"start\":\"%s\"".formatted(at(48)));
        assertThat(start.status()).as("%s", start).isEqualTo(409);
        var figures = admin.get("/api/v1/clusters/%s/statistics".formatted(near));
        assertThat(figures.text("meanPhi")).isEqualTo("1.0");
    }

    /** Each request takes the nearest alternative that is left. */
    @Test
    void concurrentRequestsTakeOneAlternativeEach() throws Exception {
        for (var cluster : List.of(cluster(8, ""), cluster(8, ""), cluster(8, ""))) {
            fill(cluster, 8, 48, 1);
        }

        var granted = atOnce(IntStream.range(0, 8)
                .<Callable<Reply>>mapToObj(_ -> () -> client().post(
                                "/api/v1/reservations",
                                "{\"terms\":%s,\"acceptAlternatives\":{\"earlier\":true}}".formatted(terms(8, 48, 49))))
                .toList());

        var places = granted.stream()
                .filter(reply -> reply.status() == 201)
                .map(reply -> reply.text("cluster") + reply.text("placement.start"))
                .toList();
        assertThat(places).hasSize(6).doesNotHaveDuplicates();
        assertThat(granted.stream().filter(reply -> reply.status() == 409)).hasSize(2);
    }
}
