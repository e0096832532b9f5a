package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests runs on several clusters with one start. */
class CoallocationsIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @BeforeEach
    void enter() {
        client = client();
    }

    private static String part(String cluster, int pes, int ready, int deadline) {
        return """
            {"cluster":"%s","terms":{"duration":"PT1H","pes":%d,"readyTime":"%s","deadline":"%s"}}\
            """.formatted(cluster, pes, at(ready), at(deadline));
    }

    private Reply coallocate(String... parts) {
        return client.post("/api/v1/coallocations", "{\"parts\":[%s]}".formatted(String.join(",", parts)));
    }

    private void fill(String cluster, int pes, int from, int hours) {
        var filled = reserve(admin, cluster, """
            {"duration":"PT%dH","pes":%d,"readyTime":"%s","deadline":"%s"}\
            """.formatted(hours, pes, at(from), at(from + hours)));
        assertThat(filled.status()).isEqualTo(201);
    }

    private static List<String> each(JsonNode reservations, String path) {
        return reservations
                .valueStream()
                .map(reservation -> reservation.at("/" + path.replace('.', '/')).asString())
                .toList();
    }

    private List<String> states() {
        return each(client.get("/api/v1/reservations?limit=500").body().path("items"), "state");
    }

    @Test
    void aDryRunShowsTheCoallocationAndReservesNothing() {
        var one = newCluster(8);
        var two = newCluster(8);
        fill(one, 8, 48, 2);
        var moving = reserve(admin, two, """
            {"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s"}\
            """.formatted(at(50), at(56)));
        assertThat(moving.status()).isEqualTo(201);
        var parts = part(one, 8, 48, 51) + "," + part(two, 4, 48, 51);
        var dry = "{\"parts\":[%s],\"name\":\"coupled\",\"dryRun\":true}".formatted(parts);

        var tried = client.post("/api/v1/coallocations", dry);
        var toAdmin = admin.post("/api/v1/coallocations", dry);
        assertThat(states()).isEmpty();
        var granted = coallocate(parts);

        assertThat(tried.status()).as("%s", tried).isEqualTo(200);
        assertThat(tried.body().path("before").isNull()).isTrue();
        var after = tried.body().path("after");
        assertThat(after.path("id").isNull()).isTrue();
        assertThat(after.path("state").asString()).isEqualTo("CONFIRMED");
        assertThat(after.path("start").asString()).isEqualTo(at(50)).isEqualTo(granted.text("start"));
        assertThat(each(after.path("reservations"), "state")).containsOnly("CONFIRMED");
        assertThat(after.at("/reservations/0/id").isNull()).isTrue();
        assertThat(each(after.path("reservations"), "price.amount"))
                .isEqualTo(each(granted.body().path("reservations"), "price.amount"));
        assertThat(tried.body().at("/prices/0/amount").asString()).isEqualTo("12.00");
        assertThat(tried.body().at("/effects/moved").asInt()).isEqualTo(1);
        assertThat(tried.body().at("/effects").has("named")).isFalse();
        assertThat(toAdmin.body().at("/effects/named/moved/0/reservation").asString())
                .isEqualTo(moving.text("id"));
    }

    @Test
    void aDryRunIsRejectedAsTheRequestWouldBe() {
        var one = newCluster(8);
        var two = newCluster(8);
        fill(one, 8, 48, 2);
        var limited = new Api(
                port,
                Optional.of(
                        admin.post("/api/v1/accounts", """
                    {"name":"%s","role":"CLIENT","limits":{"activeReservations":1}}\
                    """.formatted(newName())).text("token")));
        var body = "{\"parts\":[%s,%s],\"dryRun\":true}";

        var full = client.post("/api/v1/coallocations", body.formatted(part(one, 8, 48, 50), part(two, 4, 48, 50)));
        var tooMany = limited.post("/api/v1/coallocations", body.formatted(part(one, 8, 50, 60), part(two, 4, 50, 60)));

        assertThat(full.text("code")).isEqualTo("no-slot");
        assertThat(full.text("wouldFit.deadline")).isEqualTo(at(51));
        assertThat(tooMany.text("code")).isEqualTo("limit-exceeded");
        assertThat(states()).isEmpty();
    }

    @Test
    void allPartsBeginAtTheirEarliestCommonStart() {
        var one = newCluster(8);
        var two = newCluster(8);
        var three = newCluster(8);
        fill(one, 8, 48, 2);
        fill(two, 8, 50, 2);
        fill(three, 8, 53, 1);

        var granted = client.post("/api/v1/coallocations", """
            {"parts":[%s,%s,%s],"name":"coupled","project":"climate"}\
            """.formatted(
                        part(one, 8, 48, 72), part(two, 4, 48, 72), part(three, 8, 48, 72)));

        assertThat(granted.status()).isEqualTo(201);
        assertThat(granted.text("state")).isEqualTo("CONFIRMED");
        assertThat(granted.text("start")).isEqualTo(at(52));
        var reservations = granted.body().path("reservations");
        assertThat(each(reservations, "cluster")).containsExactly(one, two, three);
        assertThat(each(reservations, "state")).containsOnly("CONFIRMED");
        assertThat(each(reservations, "placement.start")).containsOnly(at(52));
        assertThat(each(reservations, "movable")).containsOnly("false");
        assertThat(each(reservations, "name")).containsOnly("coupled");
        assertThat(each(reservations, "project")).containsOnly("climate");
        var path = "/api/v1/coallocations/" + granted.text("id");
        assertThat(client.get(path).body()).isEqualTo(granted.body());
        assertThat(client().get(path).status()).isEqualTo(404);
        assertThat(admin.get(path).status()).isEqualTo(200);
    }

    @Test
    void ifOnePartFindsNoRoomNoneIsReserved() {
        var free = newCluster(8);
        var full = newCluster(8);
        fill(full, 1, 48, 4);

        var refused = coallocate(part(free, 8, 48, 52), part(full, 8, 48, 52));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(states()).isEmpty();
        assertThat(reserve(admin, free, """
            {"duration":"PT4H","pes":8,"readyTime":"%s","deadline":"%s"}\
            """.formatted(at(48), at(52))).status()).isEqualTo(201);
    }

    @Test
    void aRejectionNamesOtherCommonStarts() {
        var one = newCluster(8);
        var two = newCluster(8);
        fill(one, 8, 48, 1);
        fill(two, 8, 49, 1);

        // the first part has room from hour 49, the second from hour 50
        var refused = coallocate(part(one, 8, 48, 49), part(two, 4, 48, 50));

        assertThat(refused.status()).isEqualTo(409);
        var slots = refused.body().path("alternatives");
        assertThat(each(slots, "cluster")).containsExactly(one, two, one, two);
        assertThat(each(slots, "start")).containsExactly(at(47), at(47), at(50), at(50));
        assertThat(each(slots, "phi")).containsExactly("-1.0", "-1.0", "2.0", "1.0");
        assertThat(each(slots, "kind")).containsOnly("ALTERNATIVE");
        assertThat(each(slots, "pes")).containsExactly("8", "4", "8", "4");
        assertThat(each(slots, "price.currency")).containsOnly("USD");
        assertThat(refused.text("wouldFit.deadline")).isEqualTo(at(51));
        assertThat(refused.body().path("truncated").asBoolean()).isFalse();
    }

    @Test
    void theNearestOtherCommonStartIsReservedIfTheClientAcceptsIt() {
        var one = newCluster(8);
        var two = newCluster(8);
        fill(one, 8, 48, 1);
        var body =
                "{\"parts\":[%s,%s],\"acceptAlternatives\":%%s}".formatted(part(one, 8, 48, 49), part(two, 8, 48, 72));

        var near = client.post("/api/v1/coallocations", body.formatted("{\"maxPhi\":0.9}"));
        var later = client.post("/api/v1/coallocations", body.formatted("{\"maxPhi\":1}"));
        var again = client.post("/api/v1/coallocations", body.formatted("{\"maxPhi\":1}"));
        var earlier = client.post("/api/v1/coallocations", body.formatted("{\"earlier\":true}"));
        var wrong = client.post("/api/v1/coallocations", body.formatted("{\"maxPhi\":-1}"));

        assertThat(near.text("code")).isEqualTo("no-slot");
        assertThat(later.text("state")).as("%s", later).isEqualTo("CONFIRMED");
        assertThat(later.text("start")).isEqualTo(at(49));
        var reservations = later.body().path("reservations");
        assertThat(each(reservations, "terms.deadline")).containsExactly(at(50), at(72));
        assertThat(each(reservations, "movable")).containsOnly("false");
        assertThat(again.text("code")).isEqualTo("no-slot");
        assertThat(earlier.text("start")).as("%s", earlier).isEqualTo(at(47));
        assertMistake(wrong, 422, "acceptAlternatives.maxPhi", "between 0 and 1000");
        assertThat(states()).containsExactly("CONFIRMED", "CONFIRMED", "CONFIRMED", "CONFIRMED");
    }

    @Test
    void aCancellationEndsAllParts() {
        var granted = coallocate(part(newCluster(8), 8, 48, 52), part(newCluster(8), 8, 48, 52));
        var path = "/api/v1/coallocations/" + granted.text("id");

        var cancelled = client.post(path + "/cancel");

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("state")).isEqualTo("CANCELLED");
        assertThat(each(cancelled.body().path("reservations"), "state")).containsOnly("CANCELLED");
        assertThat(client.post(path + "/cancel").status()).isEqualTo(200);
        assertThat(client().post(path + "/cancel").status()).isEqualTo(404);
    }

    @Test
    void aRepeatedKeyIsGrantedOnce() throws Exception {
        var body = "{\"parts\":[%s,%s]}".formatted(part(newCluster(8), 8, 48, 52), part(newCluster(8), 8, 48, 52));
        var key = newName();

        var granted = atOnce(
                Collections.nCopies(6, () -> client.post("/api/v1/coallocations", body, "Idempotency-Key", key)));

        assertThat(granted.stream().map(reply -> reply.text("id")).distinct()).hasSize(1);
        assertThat(states()).containsExactly("CONFIRMED", "CONFIRMED");
        var other = client.post(
                "/api/v1/reservations",
                "{\"cluster\":\"demo\",\"terms\":{\"duration\":\"PT1H\",\"pes\":1}}",
                "Idempotency-Key",
                key);
        assertThat(other.text("code")).isEqualTo("key-reused");
    }

    /** Each request needs both clusters: they start one after the other, as many as the time allows. */
    @Test
    void concurrentCoallocationsGetAllPartsOrNone() throws Exception {
        var one = newCluster(8);
        var two = newCluster(8);

        var granted = atOnce(IntStream.range(0, 8)
                .<Callable<Reply>>mapToObj(i -> () -> i % 2 == 0
                        ? coallocate(part(one, 8, 48, 52), part(two, 8, 48, 52))
                        : coallocate(part(two, 8, 48, 52), part(one, 8, 48, 52)))
                .toList());

        assertThat(granted).allSatisfy(reply -> assertThat(reply.status()).isIn(201, 409));
        var kept = granted.stream().filter(reply -> reply.status() == 201).toList();
        assertThat(kept).hasSize(4);
        assertThat(kept)
                .allSatisfy(reply -> assertThat(each(reply.body().path("reservations"), "placement.start"))
                        .containsOnly(reply.text("start")));
        assertThat(kept.stream().map(reply -> reply.text("start"))).doesNotHaveDuplicates();
        assertThat(states()).doesNotContain("HELD");
        assertThat(states().stream().filter("CONFIRMED"::equals)).hasSize(2 * kept.size());
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
    void anImpossiblePartIsNamed() {
        var one = newCluster(8);
        var two = newCluster(8);

        var twice = coallocate(part(one, 8, 48, 52), part(one, 8, 48, 52));
        var unknown = coallocate(part(one, 8, 48, 52), part("nowhere", 8, 48, 52));
        var alone = coallocate(part(one, 8, 48, 52));
        var wide = coallocate(part(one, 8, 48, 52), part(two, 9, 48, 52));
        var apart = coallocate(part(one, 8, 48, 52), part(two, 8, 60, 64));
        var unwritten = coallocate(part(one, 8, 48, 52), "{\"cluster\":\"%s\",\"terms\":{\"pes\":1}}".formatted(two));
        var missing = client.post("/api/v1/coallocations", "{}");

        assertMistake(twice, 422, "parts[1].cluster", "another part");
        assertMistake(unknown, 422, "parts[1].cluster", "not a known cluster");
        assertMistake(alone, 422, "parts", "2 to 20");
        assertMistake(wide, 422, "parts[1].terms.pes", "exceeds the 8 PEs");
        assertMistake(apart, 422, "parts", "no common start");
        assertMistake(unwritten, 400, "parts[1].terms.duration", "required");
        assertMistake(missing, 400, "parts", "required");
        assertThat(wide.text("errors.0.value")).isEqualTo("9");
        assertThat(states()).isEmpty();
    }

    private static void assertMistake(Reply reply, int status, String field, String message) {
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(status);
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
        assertThat(reply.text("errors.0.message")).contains(message);
    }

    @Test
    void theCommonStartLeavesTimeToConfirmAllParts() {
        var soon = "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":8}}";
        var granted = coallocate(soon.formatted(newCluster(8)), soon.formatted(newCluster(8)));

        assertThat(granted.status()).isEqualTo(201);
        assertThat(Duration.between(clock.instant(), Instant.parse(granted.text("start"))))
                .isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
    }

    @Test
    void ifAPartFailsTheOthersAreMarkedOnce() {
        var lost = newCluster(8);
        var kept = newCluster(8);
        var granted = coallocate(part(lost, 8, 48, 52), part(kept, 8, 48, 52));
        var untouched = reserve(client, kept, """
            {"duration":"PT1H","pes":1,"readyTime":"%s","deadline":"%s"}\
            """.formatted(at(60), at(62)));

        assertThat(admin.post(
                                "/api/v1/clusters/%s/outages".formatted(lost),
                                "{\"pes\":8,\"to\":\"%s\"}".formatted(at(50)))
                        .status())
                .isEqualTo(201);

        var path = "/api/v1/coallocations/" + granted.text("id");
        await().until(() -> !client.get(path).body().at("/reservations/1/flags").isEmpty());
        var reservations = client.get(path).body().path("reservations");
        assertThat(each(reservations, "state")).containsExactly("FAILED", "CONFIRMED");
        assertThat(reservations.at("/0/flags")).isEmpty();
        assertThat(reservations.at("/1/flags/0").asString()).isEqualTo("degraded");
        assertThat(client.get("/api/v1/reservations/" + untouched.text("id"))
                        .body()
                        .path("flags"))
                .isEmpty();
        var events = client.get("/api/v1/reservations/%s/events"
                        .formatted(reservations.at("/1/id").asString()))
                .body()
                .path("items");
        assertThat(each(events, "type")).containsExactly("held", "confirmed", "degraded");
    }
}
