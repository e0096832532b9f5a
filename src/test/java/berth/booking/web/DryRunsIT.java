package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.Seeds;
import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is shown is what is booked: a dry run returns what the same call does that follows at once, and a slot has the price it costs. */
class DryRunsIT extends ServiceSuite {

    private static final String RESERVATIONS = "/api/v1/reservations";

    private String cluster(String policy) {
        var id = newName();
        var made = admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"policy":%s,
                 "tariff":{"cancellation":{"freeUntil":"P1D","share":0.5}}}""".formatted(id, policy));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return id;
    }

    private static Reply tried(Api api, String path, String body) {
        return api.post(path, body.equals("{}") ? "{\"dryRun\":true}" : body.replaceFirst("\\}$", ",\"dryRun\":true}"));
    }

    private static JsonNode withoutId(JsonNode reservation) {
        var copy = ((ObjectNode) reservation).deepCopy();
        copy.putNull("id");
        return copy;
    }

    /** Returns the places of all reservations on a cluster that have not ended, by id. */
    private Map<String, JsonNode> places(String cluster) {
        var places = new HashMap<String, JsonNode>();
        for (var item : admin.get("%s?cluster=%s&limit=500".formatted(RESERVATIONS, cluster))
                .body()
                .get("items")) {
            if (List.of("HELD", "CONFIRMED", "RUNNING")
                    .contains(item.get("state").asString())) {
                places.put(item.get("id").asString(), item.get("placement").get("parts"));
            }
        }
        return places;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"juggling\":\"LEAST_MOVES\"}",
                "{\"juggling\":\"ON_CONFLICT\"}",
                "{\"juggling\":\"ALWAYS\"}",
                "{\"juggling\":\"NEVER\"}",
                "{\"jobs\":\"OPEN\"}"
            })
    void aDryRunReturnsWhatTheCallDoes(String policy) {
        var cluster = cluster(policy);
        var random = new SplittableRandom(policy.hashCode());
        var clients = List.of(client(), client());
        var made = new ArrayList<Made>();
        int moves = 0;
        if (policy.contains("jobs")) {
            submitJobs(cluster);
        }
        for (int i = 0; i < Seeds.of(300); i++) {
            var caller = clients.get(random.nextInt(clients.size()));
            var call = made.isEmpty() || random.nextInt(3) > 0
                    ? new Call(caller, RESERVATIONS, request(cluster, random))
                    : change(made.get(random.nextInt(made.size())), random);
            var before = places(cluster);

            var dry = tried(call.caller, call.path, call.body);
            assertThat(places(cluster)).isEqualTo(before);
            var done = call.caller.post(call.path, call.body);

            var what = "%s %s: %s then %s".formatted(call.path, call.body, dry, done);
            if (done.status() >= 300) {
                assertThat(dry.status()).as(what).isEqualTo(done.status());
                assertThat(dry.text("code")).as(what).isEqualTo(done.text("code"));
                continue;
            }
            assertThat(dry.status()).as(what).isEqualTo(200);
            var now = done.body().has("reservation") ? done.body().get("reservation") : done.body();
            var isNew = call.path.equals(RESERVATIONS);
            assertThat(dry.body().get("after")).as(what).isEqualTo(isNew ? withoutId(now) : now);
            assertThat(dry.body().get("before").isNull()).as(what).isEqualTo(isNew);
            var id = now.get("id").asString();
            var after = places(cluster);
            long moved = before.entrySet().stream()
                    .filter(other ->
                            !other.getKey().equals(id) && !other.getValue().equals(after.get(other.getKey())))
                    .count();
            if (!call.isEnd()) {
                assertThat(dry.body().at("/effects/moved").asLong()).as(what).isEqualTo(moved);
                moves += (int) moved;
            }
            if (isNew) {
                made.add(new Made(call.caller, id));
            }
            pass(Duration.ofMinutes(random.nextInt(20)));
        }
        assertThat(moves > 0 || policy.contains("NEVER") || !Seeds.areAll()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"juggling\":\"LEAST_MOVES\"}",
                "{\"juggling\":\"ALWAYS\",\"maxMovesPerReservation\":1,\"maxShift\":\"PT3H\"}",
                "{\"jobs\":\"OPEN\",\"minAvailability\":0}"
            })
    void eachSlotOfAProbeIsBookedAtItsPrice(String policy) {
        var cluster = cluster(policy);
        admin.patch("/api/v1/clusters/" + cluster, """
                {"tariff":{"loadProfile":[{"above":0.5,"factor":2}]}}""");
        var random = new SplittableRandom(policy.hashCode());
        var clients = List.of(client(), client());
        if (policy.contains("jobs")) {
            submitJobs(cluster);
        }
        int booked = 0;
        for (int i = 0; i < Seeds.of(200); i++) {
            var caller = clients.get(random.nextInt(clients.size()));
            var terms = terms(random);
            var answer = caller.post("/api/v1/probes", """
                    {"clusters":["%s"],"terms":%s,"alternatives":true}""".formatted(cluster, terms));
            assertThat(answer.status()).as("%s", answer).isEqualTo(200);
            var slots = answer.body().get("slots");
            if (!slots.isEmpty()) {
                var slot = slots.get(random.nextInt(slots.size()));
                var mayMove =
                        random.nextBoolean() && slot.get("kind").asString().equals("REQUESTED");
                var wanted = """
                        {"cluster":"%s","start":"%s","terms":%s}""".formatted(
                                cluster,
                                slot.get("start").asString(),
                                mayMove ? terms.replace("}", ",\"fixAfter\":1}") : withoutWindow(terms));

                var done = caller.post(RESERVATIONS, wanted);

                var what = "%s then %s: %s".formatted(slot, wanted, done);
                if (policy.contains("ALWAYS") && slot.at("/effects/moved").asInt() > 0 && done.status() == 409) {
                    // with a window of its own it has another rank in the queue, so that others may not make way
                    continue;
                }
                assertThat(done.status()).as(what).isEqualTo(201);
                assertThat(done.body().get("price")).as(what).isEqualTo(slot.get(mayMove ? "price" : "fixedPrice"));
                assertThat(done.text("placement.start"))
                        .as(what)
                        .isEqualTo(slot.get("start").asString());
                booked++;
            }
            pass(Duration.ofMinutes(random.nextInt(20)));
        }
        assertThat(booked).isPositive();
    }

    private static String withoutWindow(String terms) {
        return terms.replaceAll(",\"(readyTime|deadline)\":\"[^\"]*\"", "");
    }

    private record Made(Api owner, String id) {}

    private record Call(Api caller, String path, String body) {

        /** Others may be pulled forward after an end. */
        boolean isEnd() {
            return path.endsWith("/cancel") || path.endsWith("/complete");
        }
    }

    private String request(String cluster, SplittableRandom random) {
        return """
                {"cluster":"%s","terms":%s%s}""".formatted(
                        cluster,
                        terms(random),
                        switch (random.nextInt(5)) {
                            case 0 -> ",\"hold\":\"PT10M\"";
                            case 1 -> ",\"acceptAlternatives\":{}";
                            default -> "";
                        });
    }

    private String terms(SplittableRandom random) {
        var ready = clock.instant().plus(Duration.ofMinutes(30L * random.nextInt(20)));
        int minutes = 30 * (1 + random.nextInt(6));
        var deadline = ready.plus(Duration.ofMinutes(minutes + 60L * random.nextInt(12)));
        int pes = 1 + random.nextInt(8);
        return """
                {"pes":%d,"duration":"PT%dM","readyTime":"%s","deadline":"%s"}""".formatted(pes, minutes, ready, deadline);
    }

    private static Call change(Made made, SplittableRandom random) {
        var path = "%s/%s/".formatted(RESERVATIONS, made.id);
        return switch (random.nextInt(6)) {
            case 0 -> new Call(made.owner, path + "cancel", "{}");
            case 1 -> new Call(made.owner, path + "fix", "{}");
            case 2 -> new Call(made.owner, path + "complete", "{}");
            case 3 -> new Call(made.owner, path + "extend", "{\"by\":\"PT1H\",\"atLeast\":\"PT10M\"}");
            case 4 ->
                new Call(
                        made.owner,
                        path + "renegotiations",
                        "{\"terms\":{\"pes\":%d}}".formatted(1 + random.nextInt(8)));
            default -> new Call(made.owner, path + "renegotiations", "{\"terms\":{\"duration\":\"PT90M\"}}");
        };
    }

    private void submitJobs(String cluster) {
        for (int i = 0; i < 6; i++) {
            admin.post("/api/v1/clusters/%s/jobs".formatted(cluster), "{\"pes\":6,\"estimate\":\"PT1H\"}");
        }
        pass(Duration.ZERO);
    }

    @Test
    void aDryRunNamesOthersOnlyToAdministrators() {
        var cluster = cluster("{\"juggling\":\"LEAST_MOVES\"}");
        var owner = client();
        var inTheWay = reserve(owner, cluster, """
                {"pes":8,"duration":"PT2H","readyTime":"%s","deadline":"%s"}""".formatted(at(24), at(48)));
        var wanted = """
                {"cluster":"%s","terms":{"pes":8,"duration":"PT2H","readyTime":"%s","deadline":"%s"}}""".formatted(cluster, at(24), at(26));

        var byClient = tried(client(), RESERVATIONS, wanted);
        var byAdmin = tried(admin, RESERVATIONS, wanted);

        assertThat(byClient.status()).as("%s", byClient).isEqualTo(200);
        assertThat(byClient.body().get("before").isNull()).isTrue();
        assertThat(byClient.body().get("after").get("id").isNull()).isTrue();
        assertThat(byClient.text("after.price.amount")).isEqualTo("16.00");
        assertThat(byClient.body().at("/effects/moved").asInt()).isEqualTo(1);
        assertThat(byClient.text("effects.totalShift")).isEqualTo("PT2H");
        assertThat(byClient.text("effects.largestShift")).isEqualTo("PT2H");
        assertThat(byClient.body().get("effects").has("named")).isFalse();
        assertThat(byAdmin.text("effects.named.moved.0.reservation")).isEqualTo(inTheWay.text("id"));
        assertThat(byAdmin.text("effects.named.moved.0.to.0.start")).isEqualTo(at(26));
        assertThat(places(cluster)).containsOnlyKeys(inTheWay.text("id"));
    }

    @Test
    void aDryRunOfACancellationShowsWhatIsOwed() {
        var cluster = cluster("{}");
        var client = client();
        var soon = reserve(client, cluster, """
                {"pes":4,"duration":"PT2H","readyTime":"%s","deadline":"%s"}""".formatted(at(20), at(22)));
        var later = reserve(client, cluster, """
                {"pes":4,"duration":"PT2H","readyTime":"%s","deadline":"%s"}""".formatted(at(30), at(32)));

        var late = tried(client, "%s/%s/cancel".formatted(RESERVATIONS, soon.text("id")), "{}");
        var free = tried(client, "%s/%s/cancel".formatted(RESERVATIONS, later.text("id")), "{}");

        assertThat(soon.text("freeCancellationUntil")).isEqualTo(at(-4));
        assertThat(soon.text("lateCancellationCharge.amount")).isEqualTo("4.00");
        assertThat(later.text("freeCancellationUntil")).isEqualTo(at(6));
        assertThat(late.body().get("after").get("freeCancellationUntil").isNull())
                .isTrue();
        assertThat(late.body().get("after").get("lateCancellationCharge").isNull())
                .isTrue();
        assertThat(late.body().get("before")).isEqualTo(soon.body());
        assertThat(late.text("after.state")).isEqualTo("CANCELLED");
        assertThat(late.text("before.price.amount")).isEqualTo("8.00");
        assertThat(late.text("after.price.amount")).isEqualTo("4.00");
        assertThat(free.text("after.price.amount")).isEqualTo("0.00");
        assertThat(client.get(RESERVATIONS + "/" + soon.text("id")).text("state"))
                .isEqualTo("CONFIRMED");
    }

    @Test
    void aDryRunWithoutAClusterTriesTheBestOne() {
        var dear = cluster("{}");
        var cheap = newName();
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"tariff":{"pricePerPeHour":"0.10"}}""".formatted(cheap));
        var wanted = """
                {"clusters":["%s","%s"],"orderBy":"LOWEST_PRICE","terms":{"pes":8,"duration":"PT2H","readyTime":"%s","deadline":"%s"}}""".formatted(dear, cheap, at(24), at(26));

        var dry = tried(client(), RESERVATIONS, wanted);
        var done = client().post(RESERVATIONS, wanted);

        assertThat(dry.text("after.cluster")).isEqualTo(cheap);
        assertThat(dry.body().get("after").get("price")).isEqualTo(done.body().get("price"));
        assertThat(dry.body().get("after").get("placement"))
                .isEqualTo(done.body().get("placement"));
    }

    @Test
    void aDryRunOfARequestThatWaitsShowsTheWaitingRequest() {
        var cluster = cluster("{}");
        reserve(client(), cluster, """
                {"pes":8,"duration":"PT2H","readyTime":"%s","deadline":"%s"}""".formatted(at(24), at(26)));
        var wanted = """
                {"cluster":"%s","wait":{"until":"%s"},"terms":{"pes":8,"duration":"PT2H","readyTime":"%s","deadline":"%s"}}""".formatted(cluster, at(23), at(24), at(26));
        var client = client();

        var dry = tried(client, RESERVATIONS, wanted);
        var done = client.post(RESERVATIONS, wanted);
        var givenUp = tried(client, "%s/%s/cancel".formatted(RESERVATIONS, done.text("id")), "{}");

        assertThat(done.status()).isEqualTo(202);
        assertThat(dry.status()).isEqualTo(200);
        assertThat(dry.text("after.state")).isEqualTo("WAITING");
        assertThat(givenUp.text("before.state")).isEqualTo("WAITING");
        assertThat(givenUp.text("after.state")).isEqualTo("CANCELLED");
        assertThat(client.get(RESERVATIONS + "/" + done.text("id")).text("state"))
                .isEqualTo("WAITING");
    }

    @Test
    void aDryRunDoesNotUseUpItsKey() {
        var cluster = cluster("{}");
        var wanted = """
                {"cluster":"%s","terms":{"pes":8,"duration":"PT2H","readyTime":"%s","deadline":"%s"}}""".formatted(cluster, at(24), at(26));
        var client = client();

        var dry = client.post(
                RESERVATIONS, wanted.replaceFirst("\\}$", ",\"dryRun\":true}"), "Idempotency-Key", "the-key");
        var done = client.post(RESERVATIONS, wanted, "Idempotency-Key", "the-key");

        assertThat(dry.status()).isEqualTo(200);
        assertThat(done.status()).isEqualTo(201);
    }
}
