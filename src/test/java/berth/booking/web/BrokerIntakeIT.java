package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.booking.CollectedRequest;
import berth.booking.IntakeStore;
import berth.peers.MirrorStore;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Preference.Measure;
import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import berth.sla.Leeway;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * Tests an installation that collects requests without a cluster for a minute. A label separates the clusters of a test from all others.
 */
@DirtiesContext
class BrokerIntakeIT extends ServiceSuite {

    @DynamicPropertySource
    static void intake(DynamicPropertyRegistry registry) {
        registry.add("berth.broker.intake.order", () -> "DPSAR");
        registry.add("berth.broker.intake.window", () -> "60s");
    }

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private IntakeStore store;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private MirrorStore mirrors;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @BeforeEach
    void enter() {
        client = client();
        cluster = newName();
        var created = admin.post("/api/v1/clusters", """
            {"id":"%s","pes":4,"labels":{"site":"%s"}}\
            """.formatted(cluster, cluster));
        assertThat(created.status()).isEqualTo(201);
    }

    /** The next test would mistake requests of this one for its own. */
    @AfterEach
    void leaveNothing() {
        if (!store.waiting().isEmpty()) {
            endTheWindow();
        }
    }

    private Reply hours(Api api, int hours, String others, String... headers) {
        return api.post("/api/v1/reservations", """
            {"terms":{"duration":"PT%dH","pes":4,"slack":"P30D","requires":{"site":"%s"}}%s}\
            """.formatted(hours, cluster, others), headers);
    }

    private Api withPriority(int priority) {
        var created = admin.post("/api/v1/accounts", """
            {"name":"%s","role":"CLIENT","priority":%d}\
            """.formatted(newName(), priority));
        return new Api(port, Optional.of(created.text("token")));
    }

    private void endTheWindow() {
        pass(Duration.ofMinutes(1));
        await().atMost(PATIENCE).until(() -> store.waiting().isEmpty());
    }

    private static Reply read(Api api, Reply asked) {
        return api.get("/api/v1/reservations/" + asked.text("id"));
    }

    @Test
    void theAccountOfHigherPriorityComesFirstOnEveryCluster() {
        var low = withPriority(1);
        var high = withPriority(9);
        var first = hours(low, 1, ",\"orderBy\":{\"completion\":0.25,\"start\":0.75}");
        var second = hours(high, 2, ",\"name\":\"run\"");

        assertThat(first.status()).as("%s", first).isEqualTo(202);
        assertThat(first.text("state")).isEqualTo("PENDING");
        assertThat(first.body().path("cluster").isNull()).isTrue();
        assertThat(read(low, first).body()).isEqualTo(first.body());
        assertThat(low.get("/api/v1/reservations?state=PENDING").body().at("/items/0"))
                .isEqualTo(first.body());
        assertThat(store.waiting().stream().map(CollectedRequest::preference))
                .containsExactly(
                        new Preference(Map.of(Measure.COMPLETION, 0.25, Measure.START, 0.75)),
                        Preference.BEST_AVAILABILITY);

        endTheWindow();

        var granted = read(high, second);
        assertThat(granted.text("cluster")).as("%s", granted).isEqualTo(cluster);
        assertThat(granted.text("name")).isEqualTo("run");
        assertThat(granted.text("placement.start")).isEqualTo(clock.instant().toString());
        assertThat(read(low, first).text("placement.start"))
                .isEqualTo(clock.instant().plus(Duration.ofHours(2)).toString());
    }

    @Test
    void aClientThatWaitsGetsTheDecision() {
        var deadline = clock.instant().plus(Duration.ofHours(3));
        var fine = CompletableFuture.supplyAsync(() -> hours(client, 1, "", "Prefer", "wait=20"));
        var refused = CompletableFuture.supplyAsync(
                () -> client.post("/api/v1/reservations", """
                    {"terms":{"duration":"PT150M","pes":4,"deadline":"%s","requires":{"site":"%s"}}}\
                    """.formatted(deadline, cluster), "Prefer", "wait=20"));
        await().atMost(PATIENCE).until(() -> store.waiting().size() == 2);
        endTheWindow();

        assertThat(fine.join().status()).as("%s", fine.join()).isEqualTo(201);
        assertThat(fine.join().text("cluster")).isEqualTo(cluster);
        assertThat(refused.join().text("code")).as("%s", refused.join()).isEqualTo("no-slot");
        var rejected = client.get("/api/v1/reservations?state=REJECTED");
        assertThat(rejected.text("items.0.reason")).isEqualTo("no-slot");
        assertThat(client.post("/api/v1/reservations/%s/cancel".formatted(rejected.text("items.0.id")), "{}")
                        .text("code"))
                .isEqualTo("wrong-state");
    }

    @Test
    void anAlternativeIsTakenInItsRoundAmongTheClustersThatMayBeAsked() {
        var now = clock.instant();
        var full = client.post("/api/v1/reservations", """
            {"cluster":"%s","terms":{"duration":"PT2H","pes":4}}\
            """.formatted(cluster));
        assertThat(full.status()).isEqualTo(201);
        var strict = """
            {"terms":{"duration":"PT1H","pes":4,"readyTime":"%s","deadline":"%s"},"clusters":["%s"]%%s}\
            """.formatted(now.plus(Duration.ofHours(1)), now.plus(Duration.ofHours(2)), cluster);
        var taking = client.post("/api/v1/reservations", strict.formatted(",\"acceptAlternatives\":{}"));
        var refused = CompletableFuture.supplyAsync(
                () -> client.post("/api/v1/reservations", strict.formatted(""), "Prefer", "wait=20"));
        await().atMost(PATIENCE).until(() -> store.waiting().size() == 2);
        assertThat(store.waiting().stream().map(CollectedRequest::only)).containsOnly(Set.of(new ClusterId(cluster)));
        assertThat(store.waiting().stream().map(waiting -> waiting.request().leeway()))
                .containsExactlyInAnyOrder(Optional.of(new Leeway(Optional.empty(), false)), Optional.empty());

        endTheWindow();

        var granted = read(client, taking);
        assertThat(granted.text("cluster")).as("%s", granted).isEqualTo(cluster);
        assertThat(granted.text("placement.start"))
                .isEqualTo(now.plus(Duration.ofHours(2)).toString());
        assertThat(refused.join().text("code")).as("%s", refused.join()).isEqualTo("no-slot");
        assertThat(refused.join().text("wouldFit.deadline"))
                .isEqualTo(now.plus(Duration.ofHours(4)).toString());
    }

    @Test
    void aRepeatedKeyReturnsTheRequestAndThenItsOutcome() {
        var key = new String[] {"Idempotency-Key", newName()};
        var first = hours(client, 1, "", key);

        // as if a hold at another Berth had failed
        mirrors.remove(new ReservationId(UUID.fromString(first.text("id"))), "request " + first.text("id"));
        assertThat(hours(client, 1, "", key).body()).isEqualTo(first.body());
        assertThat(store.waiting()).hasSize(1);
        assertThat(hours(client, 2, "", key).text("code")).isEqualTo("key-reused");
        assertThat(hours(client, 2, ",\"hold\":\"PT5M\"", key).text("code")).isEqualTo("key-reused");

        endTheWindow();

        var repeated = hours(client, 1, "", key);
        assertThat(repeated.status()).as("%s", repeated).isEqualTo(201);
        assertThat(repeated.text("id")).isEqualTo(first.text("id"));
        assertThat(repeated.text("cluster")).isEqualTo(cluster);
    }

    @Test
    void holdsAndImpossibleRequestsAreDecidedAtOnce() {
        assertThat(hours(client, 1, ",\"hold\":\"PT5M\"").text("state")).isEqualTo("HELD");

        var tooMany = client.post("/api/v1/reservations", """
            {"terms":{"duration":"PT1H","pes":5,"requires":{"site":"%s"}}}\
            """.formatted(cluster));

        assertThat(tooMany.text("code")).as("%s", tooMany).isEqualTo("never-fits");
        assertThat(store.waiting()).isEmpty();
    }

    @Test
    void aRequestIsWithdrawnBeforeItsRoundAndGivenUpAsAReservationAfterIt() {
        var given = hours(client, 1, "");
        var cancelled = client.post("/api/v1/reservations/%s/cancel".formatted(given.text("id")), "{}");
        assertThat(cancelled.text("state")).as("%s", cancelled).isEqualTo("CANCELLED");
        assertThat(cancelled.body().path("cluster").isNull()).isTrue();
        var kept = hours(client, 1, "");

        endTheWindow();

        assertThat(read(client, given).text("state")).isEqualTo("CANCELLED");
        var ended = client.post("/api/v1/reservations/%s/cancel".formatted(kept.text("id")), "{}");
        assertThat(ended.text("state")).as("%s", ended).isEqualTo("CANCELLED");
        assertThat(ended.text("cluster")).isEqualTo(cluster);
        assertThat(List.of(kept.text("id"), given.text("id")))
                .isEqualTo(client.get("/api/v1/reservations")
                        .body()
                        .at("/items")
                        .valueStream()
                        .map(item -> item.get("id").asString())
                        .toList());
    }

    @Test
    void aKeyThatIsUsedForTwoKindsOfCallsAtOnceStandsForOneOfThem() {
        for (int round = 0; round < 50; round++) {
            var key = "both-" + UUID.randomUUID();
            var request = CompletableFuture.supplyAsync(
                    () -> client.post("/api/v1/reservations", """
                    {"terms":{"duration":"PT1H","pes":1,"requires":{"site":"%s"}}}""".formatted(cluster), "Idempotency-Key", key));
            var job = CompletableFuture.supplyAsync(
                    () -> client.post("/api/v1/clusters/%s/jobs".formatted(cluster), """
                    {"pes":1,"estimate":"PT1H"}""", "Idempotency-Key", key));

            assertThat(List.of(request.join().status(), job.join().status()))
                    .as("202 for the request or 201 for the job, and 409 or 422 for the other")
                    .filteredOn(status -> status < 300)
                    .hasSize(1);
        }
    }
}
