package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests runs with several shapes and parts, moves, alternatives and proposals, on a cluster of eight PEs. */
class FlexibleIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @BeforeEach
    void open() {
        cluster = newCluster(8);
        client = client();
    }

    /** Returns the instant the given number of hours from now. */
    private String in(int hours) {
        return clock.instant().plus(Duration.ofHours(hours)).toString();
    }

    private Reply reserve(String terms) {
        return reserve(client, cluster, terms);
    }

    /** Returns terms with a window between the given hours from now. */
    private String between(int from, int to, String rest) {
        return """
                {"readyTime":"%s","deadline":"%s",%s}""".formatted(in(from), in(to), rest);
    }

    /** Reserves all PEs for an hour. */
    private Reply allPes(int from, int to) {
        return reserve(between(from, to, "\"duration\":\"PT1H\",\"pes\":8"));
    }

    private Reply renegotiate(Api api, Reply reservation, String body) {
        return api.post("/api/v1/reservations/%s/renegotiations".formatted(reservation.text("id")), body);
    }

    private Reply reply(Api api, Reply reservation, String number, String how) {
        return api.post("/api/v1/reservations/%s/renegotiations/%s/%s".formatted(reservation.text("id"), number, how));
    }

    private Reply list(Reply reservation) {
        return client.get("/api/v1/reservations/%s/renegotiations".formatted(reservation.text("id")));
    }

    @Test
    void aMoldableRunTakesTheFreePesAndBecomesRigidAgain() {
        reserve(between(24, 25, "\"duration\":\"PT1H\",\"pes\":5"));
        var moldable = reserve(between(24, 26, """
                "duration":"PT40M","minPes":2,"maxPes":8,"moldability":{"speedup":"LINEAR","allowedPes":"POWERS_OF_TWO"}"""));

        assertThat(moldable.status()).as("%s", moldable).isEqualTo(201);
        assertThat(moldable.text("terms.maxPes")).isEqualTo("8");
        assertThat(moldable.text("terms.moldability.speedup")).isEqualTo("LINEAR");
        assertThat(moldable.body().at("/terms/pes").isNull()).isTrue();
        // with eight PEs the run would end at 25:40
        assertThat(moldable.body().at("/placement/pes").asInt()).isEqualTo(8);
        assertThat(moldable.body().at("/placement/parts").size()).isEqualTo(1);

        var rigid = renegotiate(client, moldable, """
                {"terms":{"pes":2,"minPes":null,"maxPes":null,"moldability":null}}""");
        assertThat(rigid.text("terms.pes")).as("%s", rigid).isEqualTo("2");
        assertThat(rigid.body().at("/terms/moldability").isNull()).isTrue();
        var table = renegotiate(client, moldable, """
                {"terms":{"pes":null,"duration":null,"moldability":{"runtimes":{"2":"PT1H","4":"PT30M"}}}}""");
        assertThat(table.body().at("/terms/moldability/runtimes/4").asString())
                .as("%s", table)
                .isEqualTo("PT30M");
        assertThat(table.body().at("/terms/duration").isNull()).isTrue();
    }

    @Test
    void anAlternativeToAChosenStartMayLieInTheWindow() {
        allPes(24, 25);
        var refused = client.post("/api/v1/reservations", """
                {"cluster":"%s","start":"%s","terms":{"duration":"PT1H","pes":4}}""".formatted(cluster, in(24)));

        assertThat(refused.text("code")).as("%s", refused).isEqualTo("no-slot");
        assertThat(refused.text("alternatives.0.start")).isEqualTo(in(25));
        assertThat(refused.body().at("/wouldFit/deadline").isNull())
                .as("a request with a start has no deadline to loosen")
                .isTrue();
        var wrong = client.post("/api/v1/reservations", """
                {"cluster":"%s","start":"%s","terms":{"duration":"PT0S","pes":4}}""".formatted(cluster, in(24)));
        assertThat(wrong.text("errors.0.field")).as("%s", wrong).isEqualTo("terms.duration");
    }

    @Test
    void aRunThatMayBeSplitGoesAroundOthers() {
        allPes(2, 3);
        var split = reserve(between(1, 4, """
                "duration":"PT2H","pes":8,"preemption":{"step":0.5}"""));

        assertThat(split.status()).as("%s", split).isEqualTo(201);
        var parts = split.body().at("/placement/parts");
        assertThat(parts.size()).isEqualTo(2);
        assertThat(parts.get(0).get("end").asString()).isEqualTo(in(2));
        assertThat(parts.get(1).get("start").asString()).isEqualTo(in(3));
        var utilisation = admin.get("/api/v1/clusters/%s/utilisation?from=%s&to=%s".formatted(cluster, in(1), in(4)));
        assertThat(utilisation.text("mean")).isEqualTo("1.0");
        var schedule = admin.get("/api/v1/clusters/%s/schedule?from=%s&to=%s".formatted(cluster, in(2), in(3)));
        assertThat(schedule.body().get("placements").size()).isEqualTo(1);

        pass(Duration.ofHours(1));
        pass(Duration.ofHours(1));
        pass(Duration.ofHours(1));
        pass(Duration.ofHours(1));
        assertThat(types(split)).containsExactly("confirmed", "started", "paused", "resumed", "completed");
    }

    @Test
    void aRunMayBeCutIntoThirds() {
        allPes(2, 3);
        allPes(4, 5);
        var thirds = reserve(between(1, 6, """
                "duration":"PT3H","pes":8,"preemption":{"steps":3}"""));

        assertThat(thirds.status()).as("%s", thirds).isEqualTo(201);
        assertThat(thirds.body().at("/placement/parts").size()).isEqualTo(3);
        assertThat(thirds.body().at("/terms/preemption").toString())
                .contains("\"steps\":3")
                .contains("\"step\":null");
        assertThat(client.get("/api/v1/reservations/" + thirds.text("id"))
                        .body()
                        .at("/terms/preemption/steps")
                        .asInt())
                .isEqualTo(3);
    }

    private Iterable<String> types(Reply reservation) {
        var events = client.get("/api/v1/reservations/%s/events".formatted(reservation.text("id")));
        return StreamSupport.stream(events.body().get("items").spliterator(), false)
                .map(event -> event.get("type").asString())
                .toList();
    }

    @Test
    void theOwnerOfAMovedReservationReadsItsFormerPlaceAndTheReason() {
        var flexible = allPes(24, 26);
        assertThat(allPes(24, 25).status()).isEqualTo(201);

        var moved = client.get("/api/v1/reservations/" + flexible.text("id"));
        assertThat(moved.text("flags.0")).isEqualTo("moved");
        assertThat(moved.text("placement.start")).isEqualTo(in(25));
        var event = client.get("/api/v1/reservations/%s/events".formatted(flexible.text("id")))
                .body()
                .at("/items/1");
        assertThat(event.get("type").asString()).isEqualTo("moved");
        assertThat(event.at("/data/move/why").asString()).isEqualTo("MADE_ROOM");
        assertThat(event.at("/data/move/from/0/start").asString()).isEqualTo(in(24));
        assertThat(event.at("/data/move/to/0/start").asString()).isEqualTo(in(25));
        var figures = admin.get("/api/v1/clusters/%s/statistics".formatted(cluster));
        assertThat(figures.text("moves")).isEqualTo("1");
        assertThat(figures.text("movesPerAccepted")).isEqualTo("0.5");
    }

    @Test
    void onlyAdministratorsSeeWhichReservationsAPlaceWouldMove() {
        var flexible = allPes(24, 27);
        var question = """
                {"clusters":["%s"],"terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}}""".formatted(cluster, in(24), in(25));

        var toClient = client.post("/api/v1/probes", question).body().at("/slots/0/effects");
        var toAdmin = admin.post("/api/v1/probes", question).body().at("/slots/0/effects");
        allPes(27, 28);
        var refused = allPes(27, 28);

        assertThat(toClient.toString())
                .isEqualTo("{\"moved\":1,\"totalShift\":\"PT1H\",\"largestShift\":\"PT1H\",\"failed\":0,\"losing\":0,"
                        + "\"credits\":[],\"requeued\":0,\"jobsDelayed\":0}");
        assertThat(toAdmin.at("/named/moved/0/reservation").asString()).isEqualTo(flexible.text("id"));
        assertThat(toAdmin.at("/named/moved/0/to/0/start").asString()).isEqualTo(in(25));
        assertThat(refused.body().at("/alternatives/0/effects/moved").asInt()).isZero();
        assertThat(refused.body().at("/wouldFit/effects/deadline/moved").asInt(-1))
                .isZero();
        assertThat(refused.body().at("/wouldFit/effects/pes").isNull()).isTrue();
    }

    @Test
    void aRejectionNamesTermsThatWouldFit() {
        allPes(24, 25);
        var refused = allPes(24, 25);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(refused.body().get("truncated").asBoolean()).isFalse();
        assertThat(refused.text("wouldFit.deadline")).isEqualTo(in(26));
        var nearest = refused.body().at("/alternatives/0");
        assertThat(nearest.get("kind").asString()).isEqualTo("ALTERNATIVE");
        assertThat(nearest.get("start").asString()).isEqualTo(in(25));
        assertThat(nearest.get("phi").asDouble()).isEqualTo(1);
        assertThat(nearest.get("parts").size()).isEqualTo(1);

        assertThat(probe("").text("reason.code")).isEqualTo("no-slot");
        var probed = (ObjectNode) probe(",\"alternatives\":true").body().at("/slots/0");
        assertThat(probed.path("needsApproval").asBoolean(true)).isFalse();
        // only a probe looks at that
        assertThat(probed.putNull("needsApproval")).isEqualTo(nearest);
        assertThat(probe(",\"alternatives\":true,\"maxPhi\":0.5").text("reason.code"))
                .isEqualTo("no-slot");
    }

    @Test
    void aShortRunIsOfferedThePlaceBehindALongOne() {
        reserve(between(24, 28, "\"duration\":\"PT4H\",\"pes\":8"));

        var offered = probe(",\"alternatives\":true");
        assertThat(offered.text("slots.0.start")).isEqualTo(in(23));
        assertThat(offered.text("slots.1.start")).isEqualTo(in(28));

        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"alternativesMaxPhi\":2}}");
        var cut = probe(",\"alternatives\":true,\"maxPhi\":10");
        assertThat(cut.body().get("slots").size()).isOne();
        assertThat(cut.body().get("truncated").asBoolean()).isTrue();
    }

    private Reply probe(String rest) {
        return client.post(
                "/api/v1/probes", """
                {"clusters":["%s"],"terms":%s%s}""".formatted(cluster, between(24, 25, "\"duration\":\"PT1H\",\"pes\":8"), rest));
    }

    @Test
    void anAlternativeIsTakenIfTheClientAcceptsIt() {
        allPes(24, 25);
        assertThat(accepting("{\"maxPhi\":0.5}").text("code")).isEqualTo("no-slot");

        var later = accepting("{}");
        assertThat(later.text("placement.start")).as("%s", later).isEqualTo(in(25));
        assertThat(later.text("terms.deadline")).isEqualTo(in(26));
        assertThat(accepting("{\"maxPhi\":1}").text("code")).isEqualTo("no-slot");
        assertThat(accepting("{\"earlier\":true}").text("placement.start")).isEqualTo(in(23));
        var figures = admin.get("/api/v1/clusters/%s/statistics".formatted(cluster));
        assertThat(figures.text("meanPhi")).isEqualTo("1.0");
        assertThat(figures.text("refused.no-slot")).isEqualTo("2");
        assertThat(figures.text("accepted")).isEqualTo("3");
    }

    @Test
    void theSlackOfARequestGoesAlongWithItsAlternative() {
        reserve(between(24, 26, "\"duration\":\"PT2H\",\"pes\":8"));
        var terms = between(24, 26, "\"duration\":\"PT1H\",\"pes\":8");
        var request = """
                {"cluster":"%s","terms":%s%s}""".formatted(cluster, terms, "%s");

        var refused = client.post("/api/v1/reservations", request.formatted(""));
        var later = refused.body()
                .get("alternatives")
                .valueStream()
                .filter(one -> one.get("start").asString().equals(in(26)))
                .findFirst()
                .orElseThrow();
        var tried =
                client.post("/api/v1/reservations", request.formatted(",\"dryRun\":true,\"acceptAlternatives\":{}"));
        var taken = client.post("/api/v1/reservations", request.formatted(",\"acceptAlternatives\":{}"));

        assertThat(later.get("deadline").asString()).isEqualTo(in(28));
        assertThat(later.get("end").asString()).isEqualTo(in(27));
        assertThat(later.at("/price/amount").asDouble())
                .isLessThan(later.at("/fixedPrice/amount").asDouble());
        assertThat(taken.text("placement.start")).as("%s", taken).isEqualTo(in(26));
        assertThat(taken.text("terms.readyTime")).isEqualTo(in(26));
        assertThat(taken.text("terms.deadline")).isEqualTo(in(28));
        assertThat(taken.text("scenario")).isEqualTo("INTERVAL");
        assertThat(taken.text("movable")).isEqualTo("true");
        assertThat(taken.text("price.amount"))
                .isEqualTo(later.at("/price/amount").asString());
        assertThat(tried.text("after.price.amount")).isEqualTo(taken.text("price.amount"));
        // another request moves it in the window that went along
        assertThat(allPes(26, 27).status()).isEqualTo(201);
        assertThat(client.get("/api/v1/reservations/" + taken.text("id")).text("placement.start"))
                .isEqualTo(in(27));
    }

    @Test
    void anAlternativeForAHeldRunCostsWhatTheHoldCosts() {
        reserve(between(24, 26, "\"duration\":\"PT2H\",\"pes\":8"));
        var offered = client.post(
                "/api/v1/probes", """
                {"clusters":["%s"],"hold":"PT12H","alternatives":true,"terms":%s}""".formatted(cluster, between(24, 26, "\"duration\":\"PT1H\",\"pes\":8")));
        var slot = offered.body().at("/slots/0");

        var held = client.post("/api/v1/reservations", """
                {"cluster":"%s","hold":"PT12H","start":"%s","terms":{"duration":"PT1H","pes":8,"fixAfter":1,"readyTime":"%s","deadline":"%s"}}""".formatted(
                        cluster,
                        slot.get("start").asString(),
                        slot.get("start").asString(),
                        slot.get("deadline").asString()));

        assertThat(slot.get("start").asString()).isEqualTo(in(26));
        assertThat(held.text("placement.start")).as("%s", held).isEqualTo(in(26));
        assertThat(held.text("price.amount")).isEqualTo(slot.at("/price/amount").asString());
        assertThat(held.text("price.amount"))
                .isNotEqualTo(slot.at("/fixedPrice/amount").asString());
    }

    private Reply accepting(String alternatives) {
        return client.post("/api/v1/reservations", """
                {"cluster":"%s","terms":%s,"acceptAlternatives":%s}""".formatted(
                        cluster, between(24, 25, "\"duration\":\"PT1H\",\"pes\":8"), alternatives));
    }

    @Test
    void aRejectedRenegotiationNamesTermsThatWouldFitAndKeepsTheOldOnes() {
        var strict = allPes(24, 25);
        allPes(26, 27);
        var refused = renegotiate(client, strict, """
                {"terms":{"readyTime":"%s","deadline":"%s"}}""".formatted(in(26), in(27)));

        assertThat(refused.status()).isEqualTo(409);
        // its own place does not block it
        assertThat(refused.text("alternatives.0.start")).isIn(in(25), in(27));
        assertThat(client.get("/api/v1/reservations/" + strict.text("id")).body())
                .isEqualTo(strict.body());
    }

    @Test
    void theOwnerAcceptsOrDeclinesAProposalOfTheProvider() {
        var strict = allPes(2, 3);
        assertThat(propose(strict, in(-1)).text("errors.0.field")).isEqualTo("expiresAt");
        assertThat(renegotiate(admin, strict, "{\"terms\":{\"pes\":4}}").text("errors.0.field"))
                .isEqualTo("incentive");
        assertThat(renegotiate(client, strict, """
                        {"terms":{"pes":4},"expiresAt":"%s"}""".formatted(in(1))).text("errors.0.field"))
                .isEqualTo("expiresAt");

        var first = propose(strict, in(1));
        assertThat(first.text("outcome")).as("%s", first).isEqualTo("PROPOSED");
        assertThat(first.text("number")).isEqualTo("1");
        assertThat(first.text("by")).isEqualTo("admin");
        assertThat(propose(strict, in(1)).text("code")).isEqualTo("wrong-state");
        assertThat(list(strict).text("items.0.outcome")).isEqualTo("PROPOSED");
        assertThat(reply(admin, strict, "1", "accept").text("code")).isEqualTo("forbidden");
        assertThat(reply(client, strict, "one", "accept").text("code")).isEqualTo("malformed");
        assertThat(reply(client, strict, "1", "decline").text("outcome")).isEqualTo("DECLINED");
        assertThat(reply(client, strict, "1", "accept").text("code")).isEqualTo("wrong-state");

        propose(strict, in(1));
        pass(Duration.ofHours(1));
        assertThat(reply(client, strict, "3", "accept").text("code")).isEqualTo("wrong-state");
        assertThat(list(strict).text("items.0.outcome")).isEqualTo("EXPIRED");

        propose(strict, in(1));
        var accepted = reply(client, strict, "4", "accept");
        assertThat(accepted.text("outcome")).as("%s", accepted).isEqualTo("ACCEPTED");
        assertThat(accepted.text("reservation.terms.pes")).isEqualTo("4");
        assertThat(accepted.body().at("/priceBefore/amount").asString()).isEqualTo("8.00");
        assertThat(accepted.body().at("/priceAfter/amount").asString()).isEqualTo("3.50");
        var outcomes = list(strict).body().get("items").findValuesAsString("outcome");
        assertThat(outcomes).containsExactly("ACCEPTED", "EXPIRED", "DECLINED");
        assertThat(types(strict))
                .containsExactly("confirmed", "proposed", "declined", "proposed", "proposed", "accepted");

        pass(Duration.ofHours(1));
        assertThat(propose(strict, in(1)).text("code")).isEqualTo("wrong-state");
    }

    @Test
    void aReservationShowsItsOpenProposalAndItsCost() {
        var strict = allPes(2, 3);
        var path = "/api/v1/reservations/" + strict.text("id");
        assertThat(strict.body().at("/proposal").isNull()).isTrue();

        var proposed = propose(strict, in(1));
        var open = client.get(path).body().get("proposal");
        assertThat(open).isEqualTo(proposed.body().at("/reservation/proposal"));
        assertThat(open.get("number").asInt()).isEqualTo(1);
        assertThat(open.get("by").asString()).isEqualTo("admin");
        assertThat(open.at("/terms/pes").asInt()).isEqualTo(4);
        assertThat(open.at("/incentive/amount").asString()).isEqualTo("0.50");
        assertThat(open.get("expiresAt").asString()).isEqualTo(in(1));
        assertThat(open.at("/price/amount").asString()).isEqualTo("3.50");
        var listed =
                client.get("/api/v1/reservations?cluster=" + cluster).body().at("/items/0/proposal");
        assertThat(listed).isEqualTo(open);
        assertThat(admin.get(path).body().get("proposal")).isEqualTo(open);
        var told = client.get("/api/v1/events?limit=500")
                .body()
                .at("/items")
                .valueStream()
                .toList();
        assertThat(told.getLast().get("type").asString()).isEqualTo("proposed");
        assertThat(told.getLast().at("/data/proposal/number").asInt()).isEqualTo(1);
        reply(client, strict, "1", "decline");
        assertThat(client.get(path).body().get("proposal").isNull()).isTrue();

        propose(strict, in(1));
        pass(Duration.ofHours(1));
        assertThat(client.get(path).body().get("proposal").isNull()).isTrue();
        assertThat(list(strict).body().at("/items/0/reservation/proposal").isNull())
                .isTrue();

        // these terms would move the run, to a place that is unknown until the proposal is accepted
        renegotiate(admin, strict, """
            {"terms":{"readyTime":"%s","deadline":"%s"},"incentive":{"amount":"0.50","currency":"USD"},"expiresAt":"%s"}""".formatted(in(5), in(9), in(1)));
        var moving = client.get(path).body().get("proposal");
        assertThat(moving.get("number").asInt()).isEqualTo(4);
        assertThat(moving.get("price").isNull()).isTrue();
        assertThat(reply(client, strict, "4", "accept").text("outcome")).isEqualTo("ACCEPTED");
        assertThat(client.get(path).body().get("proposal").isNull()).isTrue();
    }

    @Test
    void aReservationIsMovableIfItCanGetAnotherTimeOrShape() {
        assertThat(movable("\"duration\":\"PT1H\",\"pes\":1", 2, 3)).isEqualTo("false");
        assertThat(movable("\"duration\":\"PT1H\",\"pes\":1", 2, 4)).isEqualTo("true");
        assertThat(movable("\"moldability\":{\"runtimes\":{\"1\":\"PT1H\",\"2\":\"PT1H\"}}", 2, 3))
                .isEqualTo("true");
        assertThat(movable("\"moldability\":{\"runtimes\":{\"1\":\"PT2H\",\"2\":\"PT1H\"}}", 2, 3))
                .isEqualTo("false");
        var split = "\"duration\":\"PT1H\",\"pes\":1,\"preemption\":{\"maxParts\":2,\"step\":0.5}";
        assertThat(movable(split, 2, 3)).isEqualTo("false");
        assertThat(movable(split, 2, 4)).isEqualTo("true");

        var wide = reserve(client, cluster, between(5, 8, "\"duration\":\"PT1H\",\"pes\":1"));
        var path = "/api/v1/reservations/" + wide.text("id");
        assertThat(client.get(path).text("movable")).isEqualTo("true");
        // the notice is now too long for any move
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"notice\":\"PT7H1S\"}}");
        assertThat(client.get(path).text("movable")).isEqualTo("false");
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"notice\":\"PT7H\"}}");
        assertThat(client.get(path).text("movable")).isEqualTo("true");
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"notice\":null}}");
        client.post(path + "/fix");
        assertThat(client.get(path).text("movable")).isEqualTo("false");
        var held = client.post(
                "/api/v1/reservations", """
                    {"terms":%s,"cluster":"%s","hold":"PT1H"}""".formatted(between(5, 8, "\"duration\":\"PT1H\",\"pes\":1"), cluster));
        assertThat(held.text("movable")).isEqualTo("false");
        client.post("/api/v1/reservations/%s/confirm".formatted(held.text("id")));
        assertThat(client.get("/api/v1/reservations/" + held.text("id")).text("movable"))
                .isEqualTo("true");
        client.post("/api/v1/reservations/%s/cancel".formatted(held.text("id")));
        assertThat(client.get("/api/v1/reservations/" + held.text("id")).text("movable"))
                .isEqualTo("false");
    }

    private String movable(String run, int from, int to) {
        var reserved = reserve(client, cluster, between(from, to, run));
        assertThat(reserved.status()).as("%s", reserved).isEqualTo(201);
        return reserved.text("movable");
    }

    private Reply propose(Reply reservation, String expiresAt) {
        return renegotiate(admin, reservation, """
                {"terms":{"pes":4},"incentive":{"amount":"0.50","currency":"USD"},"expiresAt":"%s"}""".formatted(expiresAt));
    }

    @Test
    void theOperatorLearnsWhichLaterDeadlineWouldMakeRoom() {
        var strict = allPes(24, 25);
        var room = room(24, 25);
        assertThat(room.text("fits")).as("%s", room).isEqualTo("false");
        assertThat(room.text("candidates.0.reservation")).isEqualTo(strict.text("id"));
        assertThat(room.text("candidates.0.deadline")).isEqualTo(in(26));
        assertThat(room(26, 27).text("fits")).isEqualTo("true");
        assertThat(client.post("/api/v1/clusters/%s/room".formatted(cluster), "{}")
                        .status())
                .isEqualTo(403);
    }

    private Reply room(int from, int to) {
        return admin.post("/api/v1/clusters/%s/room".formatted(cluster), """
                {"terms":%s}""".formatted(
                        between(from, to, "\"duration\":\"PT1H\",\"pes\":8")));
    }

    @Test
    void aClusterHasItsRulesOfMovingAndPricing() {
        JsonNode standard = admin.get("/api/v1/clusters/" + cluster).body();
        assertThat(standard.at("/policy/juggling").asString()).isEqualTo("LEAST_MOVES");
        assertThat(standard.at("/policy/replanOrder").asString()).isEqualTo("EARLIEST_DEADLINE_FIRST");
        assertThat(standard.at("/policy/alternativesMaxPhi").asDouble()).isEqualTo(1000);
        assertThat(standard.at("/tariff/preemptionIncentive").asDouble()).isEqualTo(0.1);
        var changed = admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"juggling":"ALWAYS","replanOrder":"SHUFFLE"},
                 "tariff":{"function":"NETTO_BUYYA_2007","loadProfile":[{"above":0.8,"factor":1.5}]}}""");
        assertThat(changed.status()).as("%s", changed).isEqualTo(200);
        assertThat(admin.get("/api/v1/clusters/" + cluster).body()).isEqualTo(changed.body());
        assertThat(changed.text("tariff.loadProfile.0.factor")).isEqualTo("1.5");
    }
}
