package berth.peers;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.OtherBerth;
import berth.service.ServiceSuite;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Clusters of another Berth. A stand-in for that Berth passes all calls on to this one, under another account. A label distinguishes
 * its clusters from all others, and their names sort first.
 */
class RemoteBerthsIT extends ServiceSuite {

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private DataSource database;

    @SuppressWarnings("NullAway.Init")
    private OtherBerth other;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    /** The account of this Berth there. */
    @SuppressWarnings("NullAway.Init")
    private Api there;

    @SuppressWarnings("NullAway.Init")
    private String token;

    @SuppressWarnings("NullAway.Init")
    private String site;

    @BeforeEach
    void enter() throws IOException {
        other = OtherBerth.before(port);
        client = client();
        token = tokenOf(newName(), "CLIENT");
        there = new Api(port, Optional.of(token));
        site = newName();
    }

    @AfterEach
    void leave() {
        other.swallow(_ -> false);
        other.close();
    }

    private Reply register(String id, String url, String with, String cluster) {
        return admin.post("/api/v1/clusters", """
            {"id":"%s","peer":{"url":"%s","token":"%s","cluster":"%s"}}\
            """.formatted(id, url, with, cluster));
    }

    /** A cluster of the other Berth, known here by the name that is answered. */
    private String remote(int pes) {
        var cluster = newName();
        admin.post("/api/v1/clusters", """
            {"id":"%s","pes":%d,"labels":{"site":"%s"}}\
            """.formatted(cluster, pes, site));
        var id = "a-" + cluster;
        assertThat(register(id, other.url(), token, cluster).status()).isEqualTo(201);
        return id;
    }

    private Reply ask(int pes, String... headers) {
        return client.post("/api/v1/reservations", """
            {"terms":{"requires":{"site":"%s"},"duration":"PT1H","pes":%d,"readyTime":"%s","deadline":"%s"},"name":"far"}\
            """.formatted(site, pes, at(48), at(72)), headers);
    }

    private Reply coallocate(String... clusters) {
        var parts = Stream.of(clusters)
                .map(cluster -> """
                    {"cluster":"%s","terms":{"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s"}}\
                    """.formatted(cluster, at(48), at(72)))
                .toList();
        return client.post("/api/v1/coallocations", "{\"parts\":[%s]}".formatted(String.join(",", parts)));
    }

    private static List<String> states(Api api) {
        return api.get("/api/v1/reservations?limit=500")
                .body()
                .path("items")
                .valueStream()
                .map(reservation -> reservation.path("state").asString())
                .toList();
    }

    private static void await(BooleanSupplier happened) throws InterruptedException {
        for (int i = 0; i < 200 && !happened.getAsBoolean(); i++) {
            Thread.sleep(100);
        }
        assertThat(happened.getAsBoolean()).isTrue();
    }

    @Test
    void aClusterOfAnotherBerthIsShownWithoutItsToken() {
        var id = remote(8);

        var shown = admin.get("/api/v1/clusters/" + id);
        var card = client.get("/api/v1/clusters/" + id);

        assertThat(shown.text("pes")).isEqualTo("8");
        assertThat(shown.text("labels.site")).isEqualTo(site);
        assertThat(shown.text("tariff.currency")).isEqualTo("USD");
        assertThat(shown.text("peer.url")).isEqualTo(other.url());
        assertThat(card.body().has("peer")).isFalse();
        assertThat(shown.body().toString() + admin.get("/api/v1/clusters").body())
                .doesNotContain(token);
        assertThat(register(id, other.url(), token, "demo").text("code")).isEqualTo("exists");
        assertThat(admin.patch("/api/v1/clusters/" + id, "{\"peer\":{\"cluster\":\"nowhere\"}}")
                        .text("errors.0.field"))
                .isEqualTo("peer.cluster");
        assertThat(admin.patch("/api/v1/clusters/" + id, "{\"peer\":{\"token\":\"%s\"}}".formatted(ADMIN_TOKEN))
                        .version())
                .isEqualTo(1);
        assertThat(admin.delete("/api/v1/clusters/" + id).status()).isEqualTo(204);
        assertThat(admin.get("/api/v1/clusters/" + id).status()).isEqualTo(404);
        assertThat(admin.delete("/api/v1/clusters/demo").text("code")).isEqualTo("wrong-state");
    }

    /** Otherwise a tag that was read before the removal could change the cluster that has the name now. */
    @Test
    void theVersionsOfANameGoOnAfterItsClusterWasRemoved() {
        var id = remote(8);
        var path = "/api/v1/clusters/" + id;
        var patch = "{\"peer\":{\"token\":\"%s\"}}".formatted(ADMIN_TOKEN);
        admin.patch(path, patch);
        var before = admin.get(path);
        admin.delete(path);

        var again = register(id, other.url(), token, id.substring(2));

        assertThat(again.version()).isGreaterThan(before.version());
        assertThat(admin.send(admin.request(path)
                                .header("Content-Type", "application/merge-patch+json")
                                .header("If-Match", before.etag())
                                .method("PATCH", BodyPublishers.ofString(patch)))
                        .text("code"))
                .isEqualTo("stale-version");
        admin.delete(path);
        var own = admin.post("/api/v1/clusters", "{\"id\":\"%s\",\"pes\":4}".formatted(id));
        assertThat(own.version()).isGreaterThan(again.version());
        assertThat(admin.patch(path, "{\"pes\":8}").version()).isEqualTo(own.version() + 1);
    }

    @Test
    void anAddressThatIsNoOtherBerthIsRejectedAtOnce() throws IOException {
        try (var later = OtherBerth.saying("{\"service\":\"berth\",\"contract\":2,\"instance\":\"x\"}");
                var shop = OtherBerth.saying("<html>")) {
            assertRefused(register("a-x", "http://localhost:" + port, token, "demo"), "peer.url", "this Berth itself");
            assertRefused(register("a-x", later.url(), token, "demo"), "peer.url", "version 2 of the contract");
            assertRefused(register("a-x", shop.url(), token, "demo"), "peer.url", "not a Berth");
            assertRefused(register("a-x", "http://localhost:1", token, "demo"), "peer.url", "cannot be reached");
            assertRefused(register("a-x", "http://169.254.169.254", token, "demo"), "peer.url", "link-local");
            assertRefused(register("a-x", "ftp://localhost", token, "demo"), "peer.url", "address of a Berth");
            assertRefused(register("a-x", other.url(), "berth_guessed", "demo"), "peer.token", "not accepted");
            assertRefused(register("a-x", other.url(), token, "nowhere"), "peer.cluster", "not a cluster there");
        }
        var both = admin.post("/api/v1/clusters", """
            {"id":"a-x","pes":8,"peer":{"url":"%s","token":"%s","cluster":"demo"}}\
            """.formatted(other.url(), token));
        assertRefused(both, "pes", "set by the other Berth");
        assertThat(admin.get("/api/v1/clusters/a-x").status()).isEqualTo(404);
    }

    private void assertRefused(Reply reply, String field, String message) {
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(422);
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
        assertThat(reply.text("errors.0.message")).contains(message);
        assertThat(reply.body().toString()).doesNotContain(token).doesNotContain("berth_guessed");
    }

    @Test
    void aReservationAtAnotherBerthIsMirroredHere() {
        var id = remote(8);

        var granted = ask(8, "Idempotency-Key", site);

        assertThat(granted.status()).isEqualTo(201);
        assertThat(granted.text("cluster")).isEqualTo(id);
        assertThat(granted.text("state")).isEqualTo("CONFIRMED");
        assertThat(granted.text("name")).isEqualTo("far");
        assertThat(granted.text("mirrored.reachable")).isEqualTo("true");
        assertThat(states(there)).containsExactly("CONFIRMED");
        var path = "/api/v1/reservations/" + granted.text("id");
        assertThat(client.get(path).body()).isEqualTo(granted.body());
        assertThat(ask(8, "Idempotency-Key", site).body()).isEqualTo(granted.body());
        assertThat(there.get(path).status()).isEqualTo(404);
        assertThat(states(client)).containsExactly("CONFIRMED");
        assertThat(admin.delete("/api/v1/clusters/" + id).text("code")).isEqualTo("wrong-state");

        var cancelled = client.post(path + "/cancel");

        assertThat(cancelled.text("state")).isEqualTo("CANCELLED");
        assertThat(states(there)).containsExactly("CANCELLED");
        assertThat(client.post(path + "/confirm").text("code")).isEqualTo("wrong-state");
        assertThat(admin.delete("/api/v1/clusters/" + id).status()).isEqualTo(204);
    }

    @Test
    void aClusterOfAnotherBerthCanBeNamed() {
        var far = "z-" + remote(8);
        assertThat(register(far, other.url(), token, far.substring(4)).status()).isEqualTo(201);

        var granted = client.post("/api/v1/reservations", """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":8}}\
            """.formatted(far));
        var never = client.post("/api/v1/reservations", """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":9}}\
            """.formatted(far));

        assertThat(granted.text("cluster")).isEqualTo(far);
        assertThat(states(there)).containsExactly("CONFIRMED");
        assertThat(never.text("code")).isEqualTo("never-fits");
        assertThat(never.text("errors.0.field")).isEqualTo("terms.pes");
    }

    @Test
    void aSilentBerthDoesNotKeepARequestFromOtherClusters() {
        remote(8);
        other.swallow(call -> call.contains("/probes"));

        var granted = ask(8);

        assertThat(granted.status()).isEqualTo(201);
        assertThat(granted.text("cluster")).doesNotStartWith("a-");
        assertThat(granted.text("tried.0.outcome")).isEqualTo("UNAVAILABLE");
        assertThat(granted.text("tried.0.cluster")).startsWith("a-");
        assertThat(client.get("/api/v1/reservations/" + granted.text("id")).body())
                .isEqualTo(granted.body());
    }

    @Test
    void aLostConfirmationIsRepeatedUnderTheSameKey() throws Exception {
        remote(8);
        other.swallow(call -> call.endsWith("/confirm"));

        var unknown = ask(8, "Idempotency-Key", site);

        assertThat(unknown.status()).isEqualTo(503);
        assertThat(states(there)).containsExactly("HELD");
        other.swallow(_ -> false);
        assertThat(ask(8, "Idempotency-Key", site).text("state")).isEqualTo("CONFIRMED");
        assertThat(states(there)).containsExactly("CONFIRMED");
    }

    @Test
    void aLostCancellationStaysOwed() throws Exception {
        remote(8);
        var path = "/api/v1/reservations/" + ask(8).text("id");
        other.swallow(_ -> true);

        assertThat(client.post(path + "/cancel").status()).isEqualTo(503);

        var last = client.get(path);
        assertThat(last.text("mirrored.reachable")).isEqualTo("false");
        assertThat(last.text("mirrored.owed")).isEqualTo("CANCELLATION");
        assertThat(states(there)).containsExactly("CONFIRMED");
        other.swallow(_ -> false);
        await(() -> states(there).equals(List.of("CANCELLED")));
        await(() -> client.get(path).text("state").equals("CANCELLED"));
        other.swallow(_ -> true);
        assertThat(client.post(path + "/cancel").text("code")).isEqualTo("wrong-state");
    }

    @Test
    void aConcurrentReadDoesNotForgetAnOwedCancellation() throws Exception {
        remote(8);
        var path = "/api/v1/reservations/" + ask(8).text("id");
        var isFirst = new AtomicBoolean(true);
        var isAsked = new CountDownLatch(1);
        var cancelled = new CompletableFuture<Boolean>();
        other.swallow(call -> {
            if (call.startsWith("GET /api/v1/reservations/") && isFirst.getAndSet(false)) {
                isAsked.countDown();
                cancelled.join();
            }
            return true;
        });

        var reading = CompletableFuture.supplyAsync(() -> client.get(path));
        isAsked.await();
        assertThat(client.post(path + "/cancel").status()).isEqualTo(503);
        cancelled.complete(true);
        reading.join();

        assertThat(client.get(path).text("mirrored.owed")).isEqualTo("CANCELLATION");
        other.swallow(_ -> false);
        await(() -> states(there).equals(List.of("CANCELLED")));
    }

    @Test
    void malformedAnswersOfAnotherBerthDoNoOtherHarm() {
        var id = remote(8);
        other.twist(answer -> answer.replace("\"flags\":[]", "\"flags\":5")
                .replace("\"state\":\"HELD\"", "\"state\":\"HIBERNATED\"")
                .replaceFirst("\"rating\":[0-9.]+", "\"rating\":{}"));
        assertThat(register("b-" + site, other.url(), token, id.substring(2)).status())
                .isEqualTo(201);

        var granted = client.post("/api/v1/reservations", """
            {"cluster":"%s","hold":"PT5M","terms":{"duration":"PT1H","pes":8}}\
            """.formatted(id));
        other.twist(answer -> answer.replaceFirst("\"id\":\"[^\"]*\"", "\"id\":\"../probes?\""));
        var nowhere = client.post("/api/v1/reservations", """
            {"cluster":"%s","hold":"PT5M","terms":{"duration":"PT1H","pes":8}}\
            """.formatted(id));

        assertThat(nowhere.status()).as("%s", nowhere.body()).isIn(409, 503);
        assertThat(client.get("/api/v1/clusters/b-" + site).text("pes")).isEqualTo("8");
        assertThat(client.get("/api/v1/clusters").status()).isEqualTo(200);
        assertThat(client.get("/api/v1/reservations").status()).isEqualTo(200);
        assertThat(granted.status()).as("%s", granted.body()).isEqualTo(201);
        assertThat(granted.text("state")).isEqualTo("CONFIRMED");
        assertThat(granted.body().path("flags").isEmpty()).isTrue();
    }

    @Test
    void theLimitsOfAnAccountCountReservationsAtOtherBerths() {
        var far = remote(8);
        var here = newCluster(8);
        var name = newName();
        var limited = new Api(
                port,
                Optional.of(admin.post("/api/v1/accounts", """
                    {"name":"%s","role":"CLIENT","limits":{"activeReservations":2}}\
                    """.formatted(name)).text("token")));
        var body = """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":1}}\
            """;

        assertThat(limited.post("/api/v1/reservations", body.formatted(far)).status())
                .isEqualTo(201);
        var both = limited.post("/api/v1/coallocations", """
            {"parts":[{"cluster":"%s","terms":{"duration":"PT1H","pes":1}},{"cluster":"%s","terms":{"duration":"PT1H","pes":1}}]}\
            """.formatted(here, far));
        var second = limited.post("/api/v1/reservations", body.formatted(here));
        var third = limited.post("/api/v1/reservations", body.formatted(far));
        var fourth = limited.post("/api/v1/reservations", body.formatted(here));

        assertThat(both.text("code")).isEqualTo("limit-exceeded");
        assertThat(second.status()).isEqualTo(201);
        assertThat(third.text("code")).isEqualTo("limit-exceeded");
        assertThat(third.text("errors.0.field")).isEqualTo("limits.activeReservations");
        assertThat(fourth.text("code")).isEqualTo("limit-exceeded");
    }

    @Test
    void fieldsThatAreNotPassedOnToAnotherBerthAreRejected() {
        var far = remote(8);
        var body = """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":1%s}%s}\
            """;

        var hold = client.post("/api/v1/reservations", body.formatted(far, "", ",\"hold\":\"PT0S\""));
        var budget = client.post(
                "/api/v1/reservations",
                body.formatted(far, ",\"budget\":{\"amount\":\"0.01\",\"currency\":\"USD\"}", ""));
        var weights = client.post("/api/v1/reservations", """
            {"terms":{"duration":"PT1H","pes":1},"orderBy":{"start":1e400}}\
            """);

        assertThat(hold.text("errors.0.field")).isEqualTo("hold");
        assertThat(budget.text("code")).isEqualTo("over-budget");
        assertThat(weights.status()).isEqualTo(422);
    }

    @Test
    void theProblemSaysThatTheClusterBelongsToAnotherBerth() {
        var far = remote(8);
        var reservation = "/api/v1/reservations/" + ask(8).text("id");

        var refused = List.of(
                admin.get("/api/v1/clusters/" + far + "/schedule"),
                admin.get("/api/v1/utilisation?cluster=" + far),
                admin.post("/api/v1/clusters/" + far + "/jobs", "{\"pes\":1,\"estimate\":\"PT1H\"}"),
                client.get(reservation + "/events"),
                client.get(reservation + "/renegotiations"),
                client.post(reservation + "/renegotiations", "{\"terms\":{\"pes\":4}}"));

        assertThat(refused).extracting(Reply::status).containsOnly(409);
        assertThat(refused).extracting(reply -> reply.text("code")).containsOnly("elsewhere");
        assertThat(client.get(reservation).status()).isEqualTo(200);
    }

    @Test
    void alternativesOfClustersOfOtherBerthsAreNamedAndTaken() {
        var far = remote(8);
        var full = """
            {"terms":{"requires":{"site":"%s"},"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s"},"clusters":["%s"]%%s}\
            """.formatted(site, at(48), at(49), far);
        assertThat(client.post("/api/v1/reservations", full.formatted("")).status())
                .isEqualTo(201);

        var refused = client.post("/api/v1/reservations", full.formatted(""));
        var taken = client.post("/api/v1/reservations", full.formatted(",\"acceptAlternatives\":{}"));
        var none = client.post("/api/v1/reservations", full.formatted(",\"acceptAlternatives\":{}"));
        other.swallow(call -> call.contains("/probes"));
        var silent = client.post("/api/v1/reservations", full.formatted(",\"acceptAlternatives\":{}"));

        assertThat(refused.text("code")).as("%s", refused).isEqualTo("no-slot");
        assertThat(refused.text("alternatives.0.cluster")).isEqualTo(far);
        assertThat(refused.text("alternatives.0.start")).isEqualTo(at(49));
        assertThat(refused.text("alternatives.0.phi")).isEqualTo("1.0");
        assertThat(refused.text("alternatives.0.kind")).isEqualTo("ALTERNATIVE");
        assertThat(taken.status()).as("%s", taken).isEqualTo(201);
        assertThat(taken.text("cluster")).isEqualTo(far);
        assertThat(taken.text("placement.start")).isEqualTo(at(49));
        assertThat(taken.text("terms.deadline")).isEqualTo(at(50));
        assertThat(none.text("code")).isEqualTo("no-slot");
        assertThat(silent.text("code")).isEqualTo("unavailable");
        assertThat(states(there)).containsExactly("CONFIRMED", "CONFIRMED");
    }

    @Test
    void theSlackOfARequestGoesAlongWithAnAlternativeOfAnotherBerth() {
        var far = remote(8);
        var full = """
            {"terms":{"requires":{"site":"%s"},"duration":"%%s","pes":8,"readyTime":"%s","deadline":"%s"},"clusters":["%s"]%%s}\
            """.formatted(site, at(48), at(50), far);
        assertThat(client.post("/api/v1/reservations", full.formatted("PT2H", ""))
                        .status())
                .isEqualTo(201);

        var refused = client.post("/api/v1/reservations", full.formatted("PT1H", ""));
        var taken = client.post("/api/v1/reservations", full.formatted("PT1H", ",\"acceptAlternatives\":{}"));

        var later = refused.body()
                .get("alternatives")
                .valueStream()
                .filter(one -> one.get("start").asString().equals(at(50)))
                .findFirst()
                .orElseThrow();
        assertThat(later.get("deadline").asString()).isEqualTo(at(52));
        assertThat(taken.text("placement.start")).as("%s", taken).isEqualTo(at(50));
        assertThat(taken.text("terms.readyTime")).isEqualTo(at(50));
        assertThat(taken.text("terms.deadline")).isEqualTo(at(52));
        assertThat(taken.text("movable")).isEqualTo("true");
    }

    @Test
    void malformedAlternativesOfOtherBerthsAreLeftOut() {
        var far = remote(8);
        var terms = """
            {"cluster":"%s","acceptAlternatives":{"earlier":true},"terms":{"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s"}}\
            """.formatted(far, at(48), at(49));
        assertThat(client.post("/api/v1/reservations", terms).status()).isEqualTo(201);

        other.twist(answer -> answer.replaceAll("\"amount\":\"[^\"]*\"", "\"amount\":\"much\""));
        var priceless = client.post("/api/v1/reservations", terms);
        other.twist(answer -> answer.replaceAll("\"phi\":[-0-9.]+", "\"phi\":[]"));
        var taken = client.post("/api/v1/reservations", terms);

        assertThat(priceless.status()).as("%s", priceless).isIn(409, 503);
        assertThat(taken.status()).as("%s", taken).isEqualTo(201);
        assertThat(taken.text("placement.start")).isEqualTo(at(49));
    }

    @Test
    void berthNamesAndTakesOtherCommonStartsWithAnotherBerth() {
        var far = remote(8);
        var here = newCluster(8);
        var strict =
                "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":8,\"readyTime\":\"%s\",\"deadline\":\"%s\"}}";
        assertThat(reserve(
                                admin,
                                here,
                                "{\"duration\":\"PT1H\",\"pes\":8,\"readyTime\":\"%s\",\"deadline\":\"%s\"}"
                                        .formatted(at(48), at(49)))
                        .status())
                .isEqualTo(201);
        var body = "{\"parts\":[%s,%s]%%s}"
                .formatted(strict.formatted(here, at(48), at(49)), strict.formatted(far, at(48), at(49)));

        var refused = client.post("/api/v1/coallocations", body.formatted(""));
        var taken = client.post("/api/v1/coallocations", body.formatted(",\"acceptAlternatives\":{}"));

        assertThat(refused.text("code")).as("%s", refused).isEqualTo("no-slot");
        assertThat(refused.body()
                        .path("alternatives")
                        .valueStream()
                        .map(slot -> slot.path("cluster").asString()))
                .containsExactly(here, far, here, far);
        assertThat(refused.text("alternatives.0.start")).isEqualTo(at(49));
        assertThat(refused.text("alternatives.1.start")).isEqualTo(at(49));
        assertThat(refused.text("wouldFit.deadline")).isEqualTo(at(50));
        assertThat(taken.text("state")).as("%s", taken).isEqualTo("CONFIRMED");
        assertThat(taken.text("start")).isEqualTo(at(49));
    }

    @Test
    void theProblemDoesNotRepeatATokenInTheWrongPlace() {
        var reply = admin.post("/api/v1/clusters", """
            {"id":"a-x","peer":{"url":"%s","tokn":"%s"}}\
            """.formatted(other.url(), token));
        var nested = admin.post("/api/v1/clusters", """
            {"id":"a-x","peer":{"url":"%s","token":{"is":"%s"}}}\
            """.formatted(other.url(), token));

        assertThat(reply.text("errors.0.field")).isEqualTo("peer.tokn");
        assertThat(reply.body().toString() + nested.body()).doesNotContain(token);
    }

    @Test
    void partsAtTwoBerthsBeginAtOneTime() {
        var here = newCluster(8);
        var far = remote(8);

        var granted = coallocate(here, far);

        assertThat(granted.text("state")).isEqualTo("CONFIRMED");
        assertThat(states(there)).containsExactly("CONFIRMED");
        assertThat(states(client)).containsExactly("CONFIRMED", "CONFIRMED");
        assertThat(granted.text("reservations.1.cluster")).isEqualTo(far);
        assertThat(granted.text("reservations.1.placement.start")).isEqualTo(granted.text("start"));
        client.post("/api/v1/coallocations/%s/cancel".formatted(granted.text("id")));
        assertThat(states(there)).containsExactly("CANCELLED");
        assertThat(states(client)).containsExactly("CANCELLED", "CANCELLED");
    }

    @Test
    void aWrongPlaceInAnAnswerCausesNoInternalError() {
        var here = newCluster(8);
        var far = remote(8);
        other.twist(
                answer -> answer.replaceFirst("(\"placement\":\\{\"start\":\"[^\"]*\",\"end\":)\"[^\"]*\"", "$1{}"));

        assertThat(coallocate(here, far).status()).isIn(409, 503);
    }

    @Test
    void aPartThatComesBackInTimeIsConfirmed() throws Exception {
        var here = newCluster(8);
        var far = remote(8);
        other.swallow(call -> call.endsWith("/confirm"));

        var path = "/api/v1/coallocations/" + coallocate(here, far).text("id");

        assertThat(client.get(path).text("state")).isEqualTo("CONFIRMING");
        assertThat(states(client)).containsExactly("HELD", "HELD");
        other.swallow(_ -> false);
        await(() -> client.get(path).text("state").equals("CONFIRMED"));
        assertThat(states(there)).containsExactly("CONFIRMED");
        assertThat(states(client)).containsExactly("CONFIRMED", "CONFIRMED");
    }

    @Test
    void berthReleasesAllPartsIfOneDoesNotComeBack() throws Exception {
        var here = newCluster(8);
        var far = remote(8);
        other.swallow(call -> call.endsWith("/confirm") || call.endsWith("/cancel"));

        var path = "/api/v1/coallocations/" + coallocate(here, far).text("id");

        assertThat(client.get(path).text("state")).isEqualTo("CONFIRMING");
        other.swallow(_ -> true);
        pass(Duration.ofSeconds(100));
        await(() -> client.get(path).text("state").equals("ABANDONED"));
        other.swallow(_ -> false);
        await(() -> states(client).stream().noneMatch(List.of("HELD", "CONFIRMED")::contains));
        assertThat(states(there)).containsExactly("EXPIRED");
    }

    @Test
    void aDryRunRejectsPartsAtAnotherBerth() {
        var here = newCluster(8);
        var far = remote(8);

        var tried = client.post("/api/v1/coallocations", """
            {"dryRun":true,"parts":[{"cluster":"%s","terms":{"duration":"PT1H","pes":1}},{"cluster":"%s","terms":{"duration":"PT1H","pes":1}}]}\
            """.formatted(here, far));

        assertThat(tried.status()).isEqualTo(422);
        assertThat(tried.text("errors.0.field")).isEqualTo("dryRun");
        assertThat(states(client)).isEmpty();
    }

    private Reply probe(String clusters) {
        return client.post("/api/v1/probes", """
            {"terms":{"requires":{"site":"%s"},"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s"}%s}\
            """.formatted(site, at(48), at(72), clusters));
    }

    @Test
    void aProbeAsksTheClustersOfOtherBerthsToo() {
        var id = remote(8);

        var all = probe("");
        var named = probe(",\"clusters\":[\"%s\"]".formatted(id));

        assertThat(all.status()).isEqualTo(200);
        assertThat(all.body()
                        .path("slots")
                        .valueStream()
                        .map(slot -> slot.path("cluster").asString()))
                .containsOnly(id, id.substring(2));
        assertThat(named.body()
                        .path("slots")
                        .valueStream()
                        .map(slot -> slot.path("cluster").asString()))
                .containsOnly(id)
                .hasSizeGreaterThan(1);
        assertThat(named.text("slots.0.start")).isEqualTo(at(48));
        assertThat(named.text("truncated")).isEqualTo("false");
    }

    @Test
    void aProbePassesOnEffectsAtAnotherBerthWithoutNames() {
        var id = remote(8);
        var named = ",\"clusters\":[\"%s\"]".formatted(id);
        other.twist(
                answer -> answer.replace("\"jobsDelayed\":0}", "\"jobsDelayed\":3,\"named\":{\"truncated\":true}}"));

        var effects = probe(named).body().at("/slots/0/effects");

        assertThat(effects.path("moved").asInt(-1)).isZero();
        assertThat(effects.path("jobsDelayed").asInt(-1)).isEqualTo(3);
        assertThat(effects.has("named")).isFalse();
        other.twist(answer -> answer.replace("\"effects\":", "\"unknown\":"));
        assertThat(probe(named).body().at("/slots/0").path("effects").isNull()).isTrue();
    }

    @Test
    void aProbePassesOverASilentBerth() {
        var id = remote(8);
        other.swallow(call -> call.contains("/probes"));

        var all = probe("");
        var named = probe(",\"clusters\":[\"%s\"]".formatted(id));

        assertThat(all.text("slots.0.cluster")).isEqualTo(id.substring(2));
        assertThat(all.text("truncated")).isEqualTo("true");
        assertThat(named.body().path("slots")).isEmpty();
        assertThat(named.text("truncated")).isEqualTo("true");
        assertThat(named.text("reason.detail")).contains(id);
    }

    private Reply holdThere(String cluster) {
        return client.post("/api/v1/reservations", """
            {"cluster":"%s","hold":"PT15M","terms":{"duration":"PT1H","pes":8,"readyTime":"%s"}}\
            """.formatted(cluster, at(48)));
    }

    @Test
    void berthReleasesAHoldWhoseAnswerWasLost() throws Exception {
        var far = remote(8);
        other.loseAnswers(call -> call.startsWith("POST /api/v1/reservations"));

        assertThat(holdThere(far).status()).isIn(409, 503);

        assertThat(states(there)).isNotEmpty().containsOnly("HELD");
        assertThat(admin.delete("/api/v1/clusters/" + far).text("code")).isEqualTo("wrong-state");
        other.loseAnswers(_ -> false);
        await(() -> states(there).stream().allMatch("CANCELLED"::equals));
        assertThat(states(client)).isEmpty();
        assertThat(admin.delete("/api/v1/clusters/" + far).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"pes\":8 -> \"pes\":4",
                "\"amount\":\"[0-9.]+\" -> \"amount\":\"99999.00\"",
                "\"end\":\"20 -> \"end\":\"29",
                "\"end\":\"20 -> \"end\":\"+99999920"
            })
    void berthReleasesAHoldOnOtherTermsThanRequested(String lie) throws Exception {
        remote(8);
        var words = lie.split(" -> ");
        other.twist(answer -> answer.contains("\"HELD\"") ? answer.replaceAll(words[0], words[1]) : answer);

        var refused = client.post("/api/v1/reservations", """
            {"terms":{"requires":{"site":"%s"},"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s",\
            "budget":{"amount":"1000.00","currency":"USD"}}}\
            """.formatted(site, at(48), at(72)));

        assertThat(refused.text("cluster")).doesNotStartWith("a-");
        assertThat(states(there)).isNotEmpty();
        other.twist(answer -> answer);
        await(() -> states(there).stream().allMatch("CANCELLED"::equals));
    }

    @Test
    void aStaleVersionIsRejectedByTheOtherBerthToo() {
        remote(8);
        var granted = ask(8);
        var path = "/api/v1/reservations/" + granted.text("id");
        var inThere = there.get("/api/v1/reservations?limit=1").text("items.0.id");
        other.swallow(call -> {
            if (call.endsWith("/cancel")) {
                there.post("/api/v1/reservations/%s/fix".formatted(inThere));
            }
            return false;
        });

        var stale =
                client.post(path + "/cancel", "", "If-Match", client.get(path).etag());

        assertThat(stale.status()).as("%s", stale.body()).isEqualTo(412);
        assertThat(states(there)).containsExactly("CONFIRMED");
        other.swallow(_ -> false);
        assertThat(client.post(
                                path + "/cancel",
                                "",
                                "If-Match",
                                client.get(path).etag())
                        .text("state"))
                .isEqualTo("CANCELLED");
    }

    @Test
    void aStrangersReadIsNotPassedOnToTheOtherBerth() {
        remote(8);
        var path = "/api/v1/reservations/" + ask(8).text("id");
        var readings = new AtomicInteger();
        other.swallow(call -> {
            if (call.startsWith("GET /api/v1/reservations/")) {
                readings.incrementAndGet();
            }
            return false;
        });

        assertThat(client().get(path).status()).isEqualTo(404);
        assertThat(readings).hasValue(0);
        assertThat(client.get(path).status()).isEqualTo(200);
        assertThat(readings).hasValue(1);
    }

    @Test
    void aSlowBerthIsNotAskedForEveryRequest() {
        remote(8);
        var probes = new AtomicInteger();
        other.swallow(call -> {
            if (call.endsWith("/probes")) {
                probes.incrementAndGet();
                // longer than Berth calls slow, but not as long as it waits
                pause(Duration.ofMillis(1200));
            }
            return false;
        });

        var first = ask(8);
        int asked = probes.get();
        var second = ask(8);

        assertThat(first.text("cluster")).startsWith("a-");
        assertThat(second.text("tried.0.outcome")).isEqualTo("UNAVAILABLE");
        assertThat(second.status()).isEqualTo(201);
        assertThat(probes).hasValue(asked);
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aKeyUsedForACoallocationAndAReservationAtOnceMakesOneOfThem() {
        var here = newCluster(8);
        var far = remote(8);
        for (int round = 0; round < 5; round++) {
            String[] key = {"Idempotency-Key", newName()};
            var whole = CompletableFuture.supplyAsync(
                    () -> client.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":1,"readyTime":"%s"}}\
                """.formatted(far, at(48)), key));
            var parts = CompletableFuture.supplyAsync(
                    () -> client.post("/api/v1/coallocations", """
                {"parts":[{"cluster":"%s","terms":{"duration":"PT1H","pes":1,"readyTime":"%s"}},\
                {"cluster":"%s","terms":{"duration":"PT1H","pes":1,"readyTime":"%s"}}]}\
                """.formatted(here, at(48), far, at(48)), key));

            assertThat(List.of(whole.join().status(), parts.join().status()))
                    .filteredOn(status -> status < 300)
                    .hasSize(1);
        }
    }

    /** Its first try may have held all its parts. */
    @Test
    void leftoversOfAFailedCoallocationDoNotBlockTheNextTry() {
        var here = newCluster(8);
        var far = remote(8);
        var jdbc = new JdbcTemplate(database);
        jdbc.execute(
                "alter table coallocation add constraint refused check (content::json ->> 'name' is distinct from '%s')"
                        .formatted(site));
        try {
            assertThat(together(here, far).status()).isEqualTo(500);
        } finally {
            jdbc.execute("alter table coallocation drop constraint refused");
        }

        var again = together(here, far);

        assertThat(again.status()).as("%s", again.body()).isEqualTo(201);
    }

    private Reply together(String here, String far) {
        var terms =
                "{\"duration\":\"PT1H\",\"pes\":8,\"readyTime\":\"%s\",\"deadline\":\"%s\"}".formatted(at(48), at(49));
        return client.post(
                "/api/v1/coallocations", """
            {"name":"%s","parts":[{"cluster":"%s","terms":%s},{"cluster":"%s","terms":%s}]}\
            """.formatted(site, here, terms, far, terms), "Idempotency-Key", site);
    }
}
