package berth.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClustersIT extends ServiceSuite {

    private Reply change(String cluster, String patch, String... headers) {
        return admin.patch("/api/v1/clusters/" + cluster, patch, headers);
    }

    private String in(Duration time) {
        return clock.instant().plus(time).toString();
    }

    private String tomorrow(int pes) {
        return """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":%d}""".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(48)), pes);
    }

    @Test
    void aPatchChangesOnlyTheGivenFields() {
        var cluster = newCluster(8);

        var changed = change(cluster, """
                {"pes":16,"labels":{"gpu":"a100"},"policy":{"claimWithin":"PT5M","limits":{"leadTime":"PT1H"}},
                 "tariff":{"pricePerPeHour":"2.50","returnShare":0.5,"flexibilityScale":"PT12H"}}""");
        var back = change(cluster, """
                {"policy":{"claimWithin":null},"labels":{"gpu":null},"tariff":{"flexibilityScale":null}}""");

        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.version()).isEqualTo(1);
        assertThat(changed.text("labels.gpu")).isEqualTo("a100");
        assertThat(changed.text("policy.claimWithin")).isEqualTo("PT5M");
        assertThat(changed.text("policy.horizon")).isEqualTo("P90D");
        assertThat(changed.text("tariff.flexibilityScale")).isEqualTo("PT12H");
        assertThat(back.body().at("/tariff").hasNonNull("flexibilityScale")).isFalse();
        assertThat(back.body().at("/tariff/returnShare").asDouble()).isEqualTo(0.5);
        assertThat(back.body().at("/policy").has("claimWithin")).isFalse();
        assertThat(back.body().get("labels").isEmpty()).isTrue();
        assertThat(back.text("policy.limits.leadTime")).isEqualTo("PT1H");
        assertThat(back.body().get("pes").asInt()).isEqualTo(16);
        assertThat(back.body())
                .isEqualTo(admin.get("/api/v1/clusters/" + cluster).body());
        // clusters of other Berths come first
        assertThat(admin.get("/api/v1/clusters?limit=500").body().path("items").valueStream())
                .contains(back.body());
    }

    @Test
    void theRulesBesideBatchJobsAndOfTheIntakeAreShownAndChanged() {
        var cluster = newName();
        admin.post("/api/v1/clusters", "{\"id\":\"%s\",\"pes\":8}".formatted(cluster));
        var standard = admin.get("/api/v1/clusters/" + cluster);
        assertThat(standard.text("policy.availability")).isEqualTo("WHAT_IF");
        assertThat(standard.body().at("/policy/makespanWeight").asDouble()).isEqualTo(0.5);
        assertThat(standard.body().at("/policy/minAvailability").asDouble()).isEqualTo(0.95);
        assertThat(standard.body().get("intake").toString())
                .isEqualTo("{\"order\":\"ARRIVAL\",\"window\":\"PT0S\",\"levels\":10,\"jobsPerUser\":3}");

        var changed = change(cluster, """
                {"policy":{"availability":"LOAD","makespanWeight":0.25,"minAvailability":0.9,"maxSlots":5,
                 "minSlotGap":"PT1H"},"intake":{"window":"PT1M","levels":4,"jobsPerUser":2}}""");

        assertThat(changed.text("policy.availability")).isEqualTo("LOAD");
        assertThat(changed.body().at("/policy/makespanWeight").asDouble()).isEqualTo(0.25);
        assertThat(changed.body().at("/policy/minAvailability").asDouble()).isEqualTo(0.9);
        assertThat(changed.body().at("/policy/maxSlots").asInt()).isEqualTo(5);
        assertThat(changed.text("policy.minSlotGap")).isEqualTo("PT1H");
        assertThat(changed.body().get("intake").toString())
                .isEqualTo("{\"order\":\"ARRIVAL\",\"window\":\"PT1M\",\"levels\":4,\"jobsPerUser\":2}");
        assertThat(admin.get("/api/v1/clusters/" + cluster).body()).isEqualTo(changed.body());
    }

    @Test
    void aStaleTagIsRefused() {
        var cluster = newCluster(8);
        assertThat(change(cluster, "{\"pes\":9}", "If-Match", "\"0\"").status()).isEqualTo(200);
        assertThat(change(cluster, "{\"pes\":10}", "If-Match", "\"0\"").text("code"))
                .isEqualTo("stale-version");
        assertThat(change(cluster, "{\"pes\":10}", "If-Match", "0").text("code"))
                .isEqualTo("malformed");
        assertThat(change(cluster, "{}", "If-Match", "\"1\"").version()).isEqualTo(1);
    }

    @Test
    void wrongPatchesNameTheField() {
        var cluster = newCluster(8);
        for (var wrong : new String[][] {
            {"{\"pes\":0}", "invalid-terms", "pes"},
            {"{\"pes\":null}", "malformed", "pes"},
            {"{\"id\":\"other\"}", "invalid-terms", "id"},
            {"{\"rating\":0}", "invalid-terms", "rating"},
            {"{\"labels\":{\"gpu\":\"a b\"}}", "invalid-terms", "labels"},
            {"{\"labels\":{\"gpu\":true}}", "malformed", "labels.gpu"},
            {"{\"admission\":\"closed\"}", "malformed", "admission"},
            {"{\"policy\":{\"notice\":\"-PT1S\"}}", "invalid-terms", "policy.notice"},
            {"{\"policy\":{\"claimWithin\":\"PT0S\"}}", "invalid-terms", "policy.claimWithin"},
            {"{\"policy\":{\"limits\":{\"reservableShare\":1.5}}}", "invalid-terms", "policy.limits.reservableShare"},
            {"{\"policy\":{\"limits\":{\"maxDuration\":\"long\"}}}", "malformed", "policy.limits.maxDuration"},
            {"{\"policy\":{\"placement\":\"BEST\"}}", "malformed", "policy.placement"},
            {"{\"pes\":65537,\"binding\":\"EARLY\"}", "invalid-terms", "pes"},
            {"{\"granule\":2}", "invalid-terms", "granule"},
            {"{\"granule\":0}", "invalid-terms", "granule"},
            {"{\"granule\":\"2\"}", "malformed", "granule"},
            {"{\"peNames\":\"n[1-7]\"}", "invalid-terms", "peNames"},
            {"{\"peNames\":\"n[1-8\"}", "invalid-terms", "peNames"},
            {"{\"peNames\":\"n[1-4,1-4]\"}", "invalid-terms", "peNames"},
            {"{\"peNames\":8}", "malformed", "peNames"},
            {"{\"unit\":\"\"}", "invalid-terms", "unit"},
            {"{\"unit\":\"GPU card\"}", "invalid-terms", "unit"},
            {"{\"unit\":\"abcdefghijklmnopq\"}", "invalid-terms", "unit"},
            {"{\"unit\":1}", "malformed", "unit"},
            {"{\"bulletin\":\" \"}", "malformed", "bulletin"},
            {"{\"bulletin\":\"two\\nlines\"}", "malformed", "bulletin"},
            {"{\"policy\":{\"juggling\":\"OFTEN\"}}", "malformed", "policy.juggling"},
            {"{\"policy\":{\"maxMoves\":1001}}", "invalid-terms", "policy.maxMoves"},
            {"{\"policy\":{\"alternativesMaxPhi\":-1}}", "invalid-terms", "policy.alternativesMaxPhi"},
            {"{\"policy\":{\"makespanWeight\":1.1}}", "invalid-terms", "policy.makespanWeight"},
            {"{\"policy\":{\"minAvailability\":-0.1}}", "invalid-terms", "policy.minAvailability"},
            {"{\"policy\":{\"maxSlots\":201}}", "invalid-terms", "policy.maxSlots"},
            {"{\"policy\":{\"minSlotGap\":\"PT0S\"}}", "invalid-terms", "policy.minSlotGap"},
            {"{\"policy\":{\"minSlotGap\":15}}", "malformed", "policy.minSlotGap"},
            {"{\"intake\":{\"window\":\"PT2H\"}}", "invalid-terms", "intake.window"},
            {"{\"intake\":{\"levels\":1}}", "invalid-terms", "intake.levels"},
            {"{\"intake\":{\"jobsPerUser\":0}}", "invalid-terms", "intake.jobsPerUser"},
            {
                "{\"tariff\":{\"loadProfile\":[{\"above\":1.5,\"factor\":2}]}}",
                "invalid-terms",
                "tariff.loadProfile[0].above"
            },
            {"{\"tariff\":{\"loadProfile\":[{\"above\":0.5}]}}", "malformed", "tariff.loadProfile[0].factor"},
            {"{\"tariff\":{\"loadProfile\":[null]}}", "malformed", "tariff.loadProfile[0]"},
            {"{\"tariff\":{\"breachCredit\":-1}}", "invalid-terms", "tariff.breachCredit"},
            {"{\"tariff\":{\"returnShare\":1.1}}", "invalid-terms", "tariff.returnShare"},
            {"{\"tariff\":{\"flexibilityScale\":\"PT0S\"}}", "invalid-terms", "tariff.flexibilityScale"},
            {"{\"tariff\":{\"currency\":\"XAU\"}}", "invalid-terms", "tariff.currency"},
            {"{\"shape\":1}", "malformed", "shape"},
        }) {
            var refused = change(cluster, wrong[0]);
            assertThat(refused.text("code")).as(wrong[0]).isEqualTo(wrong[1]);
            assertThat(refused.text("errors.0.field")).as(wrong[0]).isEqualTo(wrong[2]);
        }
        assertThat(change(cluster, "[]").text("code")).isEqualTo("malformed");
        assertThat(change("nowhere", "{}").status()).isEqualTo(404);
        assertThat(admin.get("/api/v1/clusters/" + cluster).version()).isEqualTo(0);
    }

    @Test
    void speedAndCurrencyStayWhileAnythingIsReserved() {
        var cluster = newCluster(8);
        var booked = reserve(admin, cluster, tomorrow(1));

        assertThat(change(cluster, "{\"rating\":2}").text("code")).isEqualTo("wrong-state");
        assertThat(change(cluster, "{\"tariff\":{\"currency\":\"EUR\"}}").text("errors.0.field"))
                .isEqualTo("tariff.currency");
        admin.post("/api/v1/reservations/%s/cancel".formatted(booked.text("id")));
        assertThat(change(cluster, "{\"rating\":2}").status()).isEqualTo(200);

        var fast = reserve(admin, cluster, tomorrow(1));
        assertThat(fast.text("placement.end")).isEqualTo(in(Duration.ofMinutes(24 * 60 + 30)));
        assertThat(fast.text("terms.duration")).isEqualTo("PT1H");
    }

    @Test
    void bindingStaysWhileAnythingIsReservedOrOut() {
        var cluster = newCluster(8);
        var booked = reserve(admin, cluster, tomorrow(1));
        var early = "{\"binding\":\"EARLY\",\"policy\":{\"placement\":\"PE_DURATION_WORST_FIT\"}}";

        assertThat(change(cluster, early).text("errors.0.field")).isEqualTo("binding");
        admin.post("/api/v1/reservations/%s/cancel".formatted(booked.text("id")));
        var outage = admin.post("/api/v1/clusters/%s/outages".formatted(cluster), "{\"peIds\":\"0-1,7\"}");
        assertThat(change(cluster, early).text("code")).isEqualTo("wrong-state");
        admin.delete("/api/v1/clusters/%s/outages/%s".formatted(cluster, outage.text("id")));
        var changed = change(cluster, early);

        assertThat(outage.body().get("pes").asInt()).isEqualTo(3);
        assertThat(outage.text("peIds")).isEqualTo("0-1,7");
        assertThat(changed.text("binding")).isEqualTo("EARLY");
        assertThat(changed.text("policy.placement")).isEqualTo("PE_DURATION_WORST_FIT");
        assertThat(changed.body())
                .isEqualTo(admin.get("/api/v1/clusters/" + cluster).body());
        assertThat(reserve(admin, cluster, tomorrow(1)).text("placement.peIds")).isEqualTo("0");
    }

    @Test
    void aClusterHasItsOwnWordForAPe() {
        var cluster = newName();
        var created = admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"unit":"GPU"}""".formatted(cluster));
        assertThat(created.text("unit")).isEqualTo("GPU");
        assertThat(change(cluster, "{\"unit\":\"core\"}").text("unit")).isEqualTo("core");
        assertThat(admin.get("/api/v1/clusters/" + cluster).text("unit")).isEqualTo("core");
        assertThat(change(cluster, "{\"unit\":null}").text("unit")).isEqualTo("PE");
    }

    @Test
    void aClusterIsRetiredOnlyAtRest() {
        var cluster = newCluster(8);
        var retired = "{\"admission\":\"RETIRED\"}";
        var booked = reserve(admin, cluster, tomorrow(1));
        var outage =
                admin.post("/api/v1/clusters/%s/outages".formatted(cluster), """
                {"pes":2,"from":"%s"}""".formatted(in(Duration.ofHours(90))));
        var daily = LocalDateTime.ofInstant(clock.instant().plus(Duration.ofDays(2)), ZoneOffset.UTC);
        var series = admin.post("/api/v1/series", """
                {"cluster":"%s","terms":{"pes":1,"duration":"PT1H"},"count":200,
                 "recurrence":{"rrule":"FREQ=DAILY","dtstart":"%s","zone":"UTC"}}""".formatted(cluster, daily));

        var refused = change(cluster, retired);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("wrong-state");
        assertThat(refused.text("errors.0.field")).isEqualTo("admission");
        assertThat(refused.text("detail")).contains("live reservations, 1 announced outage, 1 series.");

        admin.post("/api/v1/series/%s/end".formatted(series.text("id")), "{}");
        admin.post("/api/v1/reservations/%s/cancel".formatted(booked.text("id")));
        assertThat(change(cluster, retired).text("detail")).contains("still has 1 announced outage.");
        admin.delete("/api/v1/clusters/%s/outages/%s".formatted(cluster, outage.text("id")));
        assertThat(change(cluster, retired).text("admission")).isEqualTo("RETIRED");

        assertThat(ids("")).doesNotContain(cluster);
        assertThat(ids("&retired=true")).contains(cluster);
        assertThat(admin.get("/api/v1/clusters?retired=yes").text("errors.0.field"))
                .isEqualTo("retired");
        assertThat(admin.get("/api/v1/utilisation").body().toString()).doesNotContain(cluster);
        assertThat(admin.get("/api/v1/utilisation?cluster=" + cluster).status()).isEqualTo(200);
        assertThat(reserve(admin, cluster, tomorrow(1)).text("detail")).contains("out of use");
        assertThat(admin.post("/api/v1/probes", """
                {"clusters":["%s"],"terms":%s}""".formatted(cluster, tomorrow(1)))
                        .body()
                        .get("slots"))
                .isEmpty();
        assertThat(admin.get("/api/v1/reservations/" + booked.text("id")).text("state"))
                .isEqualTo("CANCELLED");

        assertThat(change(cluster, "{\"admission\":\"OPEN\"}").status()).isEqualTo(200);
        assertThat(ids("")).contains(cluster);
        assertThat(reserve(admin, cluster, tomorrow(1)).status()).isEqualTo(201);
    }

    private List<String> ids(String query) {
        return admin.get("/api/v1/clusters?limit=500" + query)
                .body()
                .path("items")
                .valueStream()
                .map(cluster -> cluster.path("id").asString())
                .toList();
    }

    @Test
    void clientsReadWhatTheOperatorHasToSay() {
        var cluster = newName();
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"bulletin":"New drivers on Tuesday"}""".formatted(cluster));
        assertThat(client().get("/api/v1/clusters/" + cluster).text("bulletin")).isEqualTo("New drivers on Tuesday");
        assertThat(change(cluster, "{\"bulletin\":null}").body().has("bulletin"))
                .isFalse();
    }

    @Test
    void aClusterWithNodesReservesWholeNodes() {
        var cluster = newName();
        var created = admin.post("/api/v1/clusters", """
                {"id":"%s","pes":128,"granule":32,"peNames":"n1,n2,n[3-4]","binding":"EARLY"}""".formatted(cluster));
        var path = "/api/v1/clusters/" + cluster;
        assertThat(created.text("peNames")).isEqualTo("n[1-4]");
        assertThat(created.body().get("granule").asInt()).isEqualTo(32);

        var refused = reserve(admin, cluster, tomorrow(40));
        var outage = admin.post(path + "/outages", "{\"peIds\":\"32-63\"}");
        var granted = reserve(admin, cluster, tomorrow(64));

        assertThat(refused.text("code")).isEqualTo("invalid-terms");
        assertThat(refused.text("errors.0.field")).isEqualTo("terms.pes");
        assertThat(refused.text("errors.0.message"))
                .startsWith("must be a multiple of 32")
                .endsWith("ask for 64");
        assertThat(outage.text("nodes")).isEqualTo("n2");
        assertThat(admin.get(path + "/outages").text("items.0.nodes")).isEqualTo("n2");
        assertThat(granted.text("placement.peIds")).isEqualTo("0-31,64-95");
        assertThat(granted.text("placement.nodes")).isEqualTo("n[1,3]");
        assertThat(granted.text("placement.parts.0.nodes")).isEqualTo("n[1,3]");
        assertThat(admin.get(path + "/schedule")
                        .body()
                        .get("placements")
                        .valueStream()
                        .map(placement -> placement.path("nodes").asString("")))
                .containsExactlyInAnyOrder("n2", "n[1,3]");

        // the names belong to the present nodes
        assertThat(change(cluster, "{\"pes\":160}").text("errors.0.field")).isEqualTo("peNames");
        assertThat(change(cluster, "{\"pes\":150}").text("errors.0.field")).isEqualTo("pes");
        assertThat(change(cluster, "{\"granule\":16,\"peNames\":null}").text("errors.0.field"))
                .isEqualTo("granule");
        var grown = change(cluster, "{\"pes\":160,\"peNames\":\"m[01-05]\"}");
        assertThat(grown.status()).isEqualTo(200);
        assertThat(admin.get("/api/v1/reservations/" + granted.text("id")).text("placement.nodes"))
                .isEqualTo("m[01,03]");
        assertThat(change(cluster, "{\"peNames\":null}").body().has("peNames")).isFalse();
    }

    @Test
    void aReservationBoundEarlyKeepsItsPesUntilTheyAreLost() {
        var cluster = newName();
        admin.post("/api/v1/clusters", "{\"id\":\"%s\",\"pes\":8,\"binding\":\"EARLY\"}".formatted(cluster));
        var path = "/api/v1/clusters/%s/outages".formatted(cluster);
        var time = "\"from\":\"%s\",\"to\":\"%s\"".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(25)));
        var first = reserve(admin, cluster, tomorrow(3));
        var second = reserve(admin, cluster, tomorrow(2));

        var unnamed = admin.post(path, "{\"pes\":1,%s}".formatted(time));
        var named = admin.post(path, "{\"peIds\":\"1,4\",%s}".formatted(time));
        var again = admin.post(path, "{\"peIds\":\"4\",%s}".formatted(time));

        assertThat(first.text("placement.peIds")).isEqualTo("0-2");
        assertThat(second.text("placement.peIds")).isEqualTo("3-4");
        assertThat(unnamed.text("peIds")).isEqualTo("7");
        assertThat(unnamed.body().get("moved")).isEmpty();
        assertThat(named.body().get("pes").asInt()).isEqualTo(2);
        assertThat(named.body().get("moved")).hasSize(2);
        assertThat(again.status()).as("two outages may name one PE").isEqualTo(201);
        assertThat(peIds(first)).isEqualTo("0,2-3");
        assertThat(peIds(second)).isEqualTo("5-6");
        assertThat(admin.get(path).text("items.1.peIds")).isEqualTo("1,4");
        var schedule = admin.get("/api/v1/clusters/%s/schedule".formatted(cluster));
        assertThat(schedule.body()
                        .get("placements")
                        .valueStream()
                        .map(placement -> placement.get("peIds").asString()))
                .containsExactlyInAnyOrder("7", "1,4", "4", peIds(first), peIds(second));
        var last = admin.get("/api/v1/reservations/%s/events".formatted(second.text("id")));
        assertThat(last.text("items.1.data.placement.peIds")).isEqualTo("5-6");
    }

    private String peIds(Reply reservation) {
        return admin.get("/api/v1/reservations/" + reservation.text("id")).text("placement.peIds");
    }

    @Test
    void theRulesHoldForRequestsAndProbes() {
        var cluster = newCluster(8);
        change(cluster, """
                {"labels":{"gpu":"a100"},"policy":{"limits":{"maxDuration":"PT2H","leadTime":"PT1H","reservableShare":0.5}}}""");

        assertThat(reserve(admin, cluster, tomorrow(5)).text("code")).isEqualTo("never-fits");
        assertThat(reserve(admin, cluster, """
                {"duration":"PT3H","pes":1}""").text("errors.0.field")).isEqualTo("terms.duration");
        assertThat(reserve(admin, cluster, """
                {"duration":"PT1H","pes":1,"requires":{"gpu":"h100"}}""").text("errors.0.field")).isEqualTo("terms.requires");
        assertThat(reserve(admin, cluster, """
                {"duration":"PT1H","pes":1,"deadline":"%s"}""".formatted(in(Duration.ofMinutes(90))))
                        .text("errors.0.field"))
                .isEqualTo("terms.deadline");
        var soon = reserve(admin, cluster, """
                {"duration":"PT1H","pes":4,"requires":{"gpu":"a100"}}""");
        assertThat(soon.text("placement.start")).isEqualTo(in(Duration.ofHours(1)));

        change(cluster, "{\"admission\":\"CLOSED\"}");
        var probe = admin.post("/api/v1/probes", """
                {"terms":%s,"clusters":["%s"]}""".formatted(tomorrow(1), cluster));
        assertThat(probe.text("reason.code")).isEqualTo("no-slot");
        assertThat(reserve(admin, cluster, tomorrow(1)).text("code")).isEqualTo("no-slot");
        assertThat(admin.post("/api/v1/reservations/%s/cancel".formatted(soon.text("id")))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void anUnclaimedReservationIsReleased() {
        var cluster = newCluster(8);
        change(cluster, "{\"policy\":{\"claimWithin\":\"PT10M\"}}");
        var claimed = reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":4}");
        var left = reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":4}");
        var path = "/api/v1/reservations/%s/claim".formatted(claimed.text("id"));
        pass(Duration.ZERO);

        assertThat(admin.post(path).body().get("claimBy").isNull()).isTrue();
        assertThat(admin.post(path).status()).isEqualTo(200);
        pass(Duration.ofMinutes(10));

        var released = admin.get("/api/v1/reservations/" + left.text("id"));
        assertThat(released.text("state")).isEqualTo("CANCELLED");
        assertThat(released.text("reason")).isEqualTo("NOT_CLAIMED");
        assertThat(released.text("price.amount")).isNotEqualTo("0.00");
        assertThat(admin.get("/api/v1/reservations/" + claimed.text("id")).text("state"))
                .isEqualTo("RUNNING");
        var ended = admin.post("/api/v1/reservations/%s/complete".formatted(claimed.text("id")));
        assertThat(ended.text("state")).isEqualTo("COMPLETED");
        assertThat(reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":8}").text("placement.start"))
                .isEqualTo(in(Duration.ZERO));
    }

    @Test
    void anOutageMovesReservationsOrFailsThem() {
        var cluster = newCluster(8);
        var premium = newName();
        var token = admin.post("/api/v1/accounts", """
                {"name":"%s","role":"CLIENT","serviceClass":"PREMIUM"}""".formatted(premium)).text("token");
        var strict = """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(25)));
        var standard = reserve(admin, cluster, strict);
        var kept = reserve(new Api(port, Optional.of(token)), cluster, strict);
        var flexible = reserve(admin, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(25)), in(Duration.ofHours(48))));

        var body = """
                {"pes":4,"from":"%s","to":"%s","reason":"rack 3"}""".formatted(in(Duration.ofHours(24)), in(Duration.ofHours(25)));
        var outage = admin.post("/api/v1/clusters/%s/outages".formatted(cluster), body, "Idempotency-Key", cluster);
        var again = admin.post("/api/v1/clusters/%s/outages".formatted(cluster), body, "Idempotency-Key", cluster);
        var whole = admin.post("/api/v1/clusters/%s/outages".formatted(cluster), """
                {"pes":8,"from":"%s","to":"%s"}""".formatted(
                        in(Duration.ofHours(25)), in(Duration.ofHours(30))));

        assertThat(outage.status()).isEqualTo(201);
        assertThat(outage.body().get("failed")).hasSize(1);
        assertThat(outage.text("failed.0")).isEqualTo(standard.text("id"));
        assertThat(outage.body().get("moved")).isEmpty();
        assertThat(again.body()).isEqualTo(outage.body());
        var failed = admin.get("/api/v1/reservations/" + standard.text("id"));
        assertThat(failed.text("state")).isEqualTo("FAILED");
        assertThat(failed.text("reason")).isEqualTo("PES_LOST");
        assertThat(failed.text("price.amount")).isEqualTo("0.00");
        assertThat(failed.text("credit.amount")).isEqualTo("4.00");
        assertThat(failed.text("nearestPlace.start")).isEqualTo(in(Duration.ofHours(25)));
        assertThat(failed.text("nearestPlace.end")).isEqualTo(in(Duration.ofHours(26)));
        var events = admin.get("/api/v1/reservations/%s/events".formatted(standard.text("id")));
        assertThat(events.text("items.1.type")).isEqualTo("failed");
        assertThat(events.text("items.1.data.nearestPlace.start")).isEqualTo(in(Duration.ofHours(25)));
        assertThat(admin.get("/api/v1/reservations/" + kept.text("id"))
                        .body()
                        .get("nearestPlace")
                        .isNull())
                .isTrue();
        assertThat(state(kept)).isEqualTo("CONFIRMED");
        assertThat(whole.text("moved.0")).isEqualTo(flexible.text("id"));
        assertThat(admin.get("/api/v1/reservations/" + flexible.text("id")).text("placement.start"))
                .isEqualTo(in(Duration.ofHours(30)));

        var path = "/api/v1/clusters/%s/outages".formatted(cluster);
        assertThat(admin.get(path + "?limit=1").text("items.0.id")).isEqualTo(whole.text("id"));
        assertThat(admin.delete(path + "/" + whole.text("id")).status()).isEqualTo(204);
        assertThat(admin.delete(path + "/" + whole.text("id")).text("code")).isEqualTo("wrong-state");
        assertThat(admin.delete(path + "/17").text("code")).isEqualTo("malformed");
        assertThat(admin.delete("/api/v1/clusters/demo/outages/" + outage.text("id"))
                        .status())
                .isEqualTo(404);
        assertThat(admin.get(path).body().at("/items/0/endedAt").isNull()).isFalse();
    }

    @Test
    void aRunGoesOnWithoutThePesOfAnOutage() {
        var cluster = newCluster(8);
        change(cluster, "{\"binding\":\"EARLY\"}");
        var run = reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":8}");
        var path = "/api/v1/reservations/" + run.text("id");
        pass(Duration.ZERO);
        var outages = "/api/v1/clusters/%s/outages".formatted(cluster);
        var from = in(Duration.ofMinutes(30));
        var body = "{\"peIds\":\"6-7\",\"from\":\"%s\",\"dryRun\":%s}";

        var tried = admin.post(outages, body.formatted(from, true));
        assertThat(tried.text("effects.named.losing.0.reservation")).isEqualTo(run.text("id"));
        assertThat(tried.text("effects.named.losing.0.lacks.0.peIds")).isEqualTo("6-7");
        assertThat(tried.body().at("/effects/failed").asInt()).isZero();
        assertThat(admin.post(outages, body.formatted(from, false)).status()).isEqualTo(201);

        var losing = admin.get(path);
        assertThat(losing.text("placement.peIds")).isEqualTo("0-7");
        assertThat(losing.text("losses.lacks.0.start")).isEqualTo(from);
        assertThat(losing.body().get("flags")).isEmpty();
        pass(Duration.ofMinutes(30));
        var degraded = admin.get(path);
        assertThat(degraded.text("state")).isEqualTo("RUNNING");
        assertThat(degraded.text("placement.peIds")).isEqualTo("0-5");
        assertThat(degraded.text("placement.pes")).isEqualTo("6");
        assertThat(degraded.text("losses.lacks.0.peIds")).isEqualTo("6-7");
        assertThat(degraded.text("flags.0")).isEqualTo("degraded");
        assertThat(admin.get("/api/v1/clusters/%s/schedule?kind=RESERVATION".formatted(cluster))
                        .text("placements.0.peIds"))
                .isEqualTo("0-5");
        pass(Duration.ofMinutes(30));

        var over = admin.get(path);
        assertThat(over.text("state")).isEqualTo("COMPLETED");
        assertThat(over.text("price.amount")).isEqualTo("7.00");
        assertThat(over.text("credit.amount")).isEqualTo("1.00");
        assertThat(over.text("losses.peSeconds")).isEqualTo("3600");
        assertThat(over.body().at("/losses/lacks")).isEmpty();
        assertThat(over.body().get("flags")).isEmpty();
        var events = admin.get(path + "/events").body().path("items");
        assertThat(events.findValuesAsString("type"))
                .containsExactly("confirmed", "started", "losing", "degraded", "completed");
        assertThat(events.at("/2/data/losses/lacks/0/peIds").asString()).isEqualTo("6-7");
        assertThat(admin.get("/api/v1/clusters/%s/statistics?from=%s&to=%s"
                                .formatted(cluster, in(Duration.ofHours(-2)), in(Duration.ofHours(1))))
                        .text("credits.0.amount"))
                .isEqualTo("1.00");
    }

    @Test
    void anAgentReplacesTheOutagesThatItReports() {
        var cluster = newCluster(8);
        var agent = new Api(port, Optional.of(tokenOfAgent(newName(), cluster)));
        var path = "/api/v1/clusters/%s/outages".formatted(cluster);
        var kept = admin.post(path, "{\"peIds\":\"0\"}");
        var told = """
                {"outages":[{"peIds":"0-1"},{"peIds":"7","reason":"n7 is drained"},{"peIds":"9"}]}""";

        var first = agent.put(path + "/slurm", told);
        var again = agent.put(path + "/slurm", told);

        assertThat(first.status()).as("%s", first.body()).isEqualTo(200);
        assertThat(first.body().get("outages").findValuesAsString("peIds")).containsExactlyInAnyOrder("0-1", "7");
        assertThat(first.body().get("outages").findValuesAsString("reason"))
                .containsExactlyInAnyOrder("", "n7 is drained");
        assertThat(first.text("outages.0.source")).isEqualTo("slurm");
        assertThat(first.body().get("leftOut").findValuesAsString("field")).containsExactly("outages[2].peIds");
        assertThat(again).isEqualTo(first);
        assertThat(agent.get(path).body().get("items").findValuesAsString("source"))
                .containsExactlyInAnyOrder("slurm", "slurm", "");
        assertThat(agent.get("/api/v1/events").body().findValuesAsString("source"))
                .contains("slurm");

        assertThat(agent.put(path + "/slurm", "{\"outages\":[]}")
                        .body()
                        .get("outages")
                        .isEmpty())
                .isTrue();
        assertThat(admin.get(path + "?limit=1").body().at("/items/0/endedAt").isNull())
                .isFalse();
        assertThat(admin.get(path + "?limit=3").body().at("/items/2/id").asString())
                .isEqualTo(kept.text("id"));
        assertThat(admin.get(path).body().at("/items/2/endedAt").isNull()).isTrue();
    }

    @Test
    void theScheduleSaysWhoReportsAnOutageAndAnEndedOneCanStillBeRead() {
        var cluster = newCluster(8);
        var path = "/api/v1/clusters/%s/outages/".formatted(cluster);
        var own =
                admin.post(path.substring(0, path.length() - 1), "{\"pes\":1}").text("id");
        var told =
                admin.put(path + "slurm", "{\"outages\":[{\"peIds\":\"7\"}]}").text("outages.0.id");

        var outages = admin.get("/api/v1/clusters/%s/schedule?kind=OUTAGE".formatted(cluster))
                .body()
                .path("placements");
        assertThat(outages)
                .extracting(
                        each -> each.path("id").asString(),
                        each -> each.path("source").asString("nobody"))
                .containsExactlyInAnyOrder(tuple(own, "nobody"), tuple(told, "slurm"));

        admin.delete(path + own);
        var ended = admin.get(path + own);
        assertThat(ended.text("id")).isEqualTo(own);
        assertThat(ended.body().path("endedAt").isString()).isTrue();
        assertThat(admin.get("/api/v1/clusters/demo/outages/" + own).status()).isEqualTo(404);
        assertThat(admin.get(path + "slurm").text("errors.0.field")).isEqualTo("outage");
    }

    @Test
    void malformedReportedOutagesAreRejected() {
        var path = "/api/v1/clusters/%s/outages/".formatted(newCluster(8));
        for (var wrong : new String[][] {
            {"slurm", "{}", "malformed", "outages"},
            {"slurm", "{\"outages\":[null]}", "malformed", "outages[0]"},
            {"slurm", "{\"outages\":[{}]}", "malformed", "outages[0].peIds"},
            {"slurm", "{\"outages\":[{\"peIds\":\"1\"},{\"peIds\":\"x\"}]}", "malformed", "outages[1].peIds"},
            {"slurm", "{\"outages\":[{\"peIds\":\"1\",\"to\":\"soon\"}]}", "malformed", "outages[0].to"},
            {"a%20b", "{\"outages\":[]}", "invalid-terms", "outage"},
        }) {
            var refused = admin.put(path + wrong[0], wrong[1]);
            assertThat(refused.text("code")).as(wrong[1]).isEqualTo(wrong[2]);
            assertThat(refused.text("errors.0.field")).as(wrong[1]).isEqualTo(wrong[3]);
        }
    }

    @Test
    void wrongOutagesAreRefused() {
        var path = "/api/v1/clusters/%s/outages".formatted(newCluster(8));
        for (var wrong : new String[][] {
            {"{}", "malformed", "pes"},
            {"{\"pes\":0}", "invalid-terms", "pes"},
            {"{\"pes\":9}", "invalid-terms", "pes"},
            {"{\"pes\":1.5}", "malformed", "pes"},
            {"{\"pes\":1,\"from\":\"now\"}", "malformed", "from"},
            {"{\"pes\":1,\"from\":\"2020-01-01T00:00:00Z\"}", "invalid-terms", "from"},
            {"{\"pes\":1,\"to\":\"2020-01-01T00:00:00Z\"}", "invalid-terms", "to"},
            {"{\"peIds\":\"3-1\"}", "malformed", "peIds"},
            {"{\"peIds\":\"a\"}", "malformed", "peIds"},
            {"{\"peIds\":\"0,0\"}", "malformed", "peIds"},
            {"{\"peIds\":\"\"}", "malformed", "peIds"},
            {"{\"peIds\":\"0-999999999\"}", "malformed", "peIds"},
            {"{\"peIds\":3}", "malformed", "peIds"},
            {"{\"peIds\":\"7-8\"}", "invalid-terms", "peIds"},
            {"{\"pes\":1,\"peIds\":\"0-3\"}", "invalid-terms", "pes"},
            {"{\"peIds\":\"0\",\"from\":\"%s\"}".formatted(in(Duration.ofHours(1))), "invalid-terms", "peIds"},
        }) {
            var refused = admin.post(path, wrong[0]);
            assertThat(refused.text("code")).as(wrong[0]).isEqualTo(wrong[1]);
            assertThat(refused.text("errors.0.field")).as(wrong[0]).isEqualTo(wrong[2]);
        }
    }

    @Test
    void reducingThePesIsAnOutageWithoutEnd() {
        var cluster = newCluster(8);
        var stays = reserve(admin, cluster, tomorrow(4));
        var goes = reserve(admin, cluster, tomorrow(8));

        change(cluster, "{\"pes\":4}");

        assertThat(state(stays)).isEqualTo("CONFIRMED");
        assertThat(state(goes)).isEqualTo("FAILED");
    }

    private String state(Reply reservation) {
        return admin.get("/api/v1/reservations/" + reservation.text("id")).text("state");
    }

    @Test
    void aDryRunShowsTheEffectsOfAnOutageAndRecordsNothing() {
        var cluster = newCluster(4);
        var start = clock.instant();
        var stays = reserve(admin, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(4)), in(Duration.ofHours(5))));
        var moves = reserve(admin, cluster, """
                {"deadline":"%s","duration":"PT1H","pes":4,"readyTime":"%s"}""".formatted(in(Duration.ofHours(9)), in(Duration.ofHours(6))));
        var path = "/api/v1/clusters/%s/outages".formatted(cluster);
        var before = admin.get("/api/v1/clusters/%s/schedule".formatted(cluster));

        var tried = admin.post(path, """
                {"pes":1,"from":"%s","to":"%s","dryRun":true}""".formatted(in(Duration.ofHours(4)), in(Duration.ofHours(7))));
        var refused = admin.post(path, "{\"pes\":5,\"dryRun\":true}");
        var slots = admin.post(path + "/slots", """
                {"pes":1,"duration":"PT2H","from":"%s","to":"%s","limit":3}""".formatted(in(Duration.ofHours(3)), in(Duration.ofHours(12))));

        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.body().get("id").isNull()).isTrue();
        assertThat(tried.text("effects.named.failed.0.reservation")).isEqualTo(stays.text("id"));
        assertThat(tried.text("effects.named.failed.0.credit.amount")).isEqualTo("4.00");
        assertThat(tried.text("effects.credits.0.amount")).isEqualTo("4.00");
        assertThat(tried.text("effects.named.moved.0.reservation")).isEqualTo(moves.text("id"));
        assertThat(tried.text("effects.named.moved.0.to.0.start"))
                .isEqualTo(start.plus(Duration.ofHours(7)).toString());
        assertThat(refused.text("errors.0.field")).isEqualTo("pes");
        assertThat(slots.text("slots.0.from"))
                .isEqualTo(start.plus(Duration.ofHours(7)).toString());
        assertThat(slots.body().at("/slots/0/failed").asInt()).isZero();
        assertThat(admin.get(path).body().get("items")).isEmpty();
        assertThat(admin.get("/api/v1/clusters/%s/schedule".formatted(cluster)).body())
                .isEqualTo(before.body());
    }

    @Test
    void aDryRunShowsTheEffectsOfAChangeAndChangesNothing() {
        var cluster = newCluster(4);
        var lost = reserve(admin, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(1)), in(Duration.ofHours(2))));
        var path = "/api/v1/clusters/" + cluster;

        var tried = admin.patch(path + "?dryRun=true", "{\"pes\":3}");
        var wrong = admin.patch(path + "?dryRun=maybe", "{\"pes\":3}");
        var sent = admin.patch(path, "{\"effects\":%s}".formatted(tried.body().get("effects")));

        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.body().get("pes").asInt()).isEqualTo(3);
        assertThat(tried.text("effects.named.failed.0.reservation")).isEqualTo(lost.text("id"));
        assertThat(wrong.text("errors.0.field")).isEqualTo("dryRun");
        assertThat(sent.status()).isEqualTo(422);
        assertThat(sent.text("errors.0.field")).isEqualTo("effects");
        assertThat(admin.get(path).body().get("pes").asInt()).isEqualTo(4);
        assertThat(admin.get(path).body().has("effects")).isFalse();
    }
}
