package berth.projects.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rights of each role on reservations, series and co-allocations of a project. */
class ProjectsIT extends ServiceSuite {

    private static final String PROJECTS = "/api/v1/projects";
    private static final String RESERVATIONS = "/api/v1/reservations";

    private final String project = newName();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Api> callers = new HashMap<>();

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    /** The account {@code author} files, and is a member of nothing but the project. */
    @BeforeEach
    void makeProject() {
        cluster = newCluster(64);
        callers.put("admin", admin);
        for (var who : List.of("author", "owner", "member", "viewer", "stranger")) {
            var name = newName();
            names.put(who, name);
            callers.put(who, new Api(port, Optional.of(tokenOf(name, "CLIENT"))));
        }
        assertThat(admin.post(PROJECTS, "{\"id\":\"%s\",\"name\":\"Climate models\"}".formatted(project))
                        .status())
                .isEqualTo(201);
        put(admin, "author", "MEMBER");
        put(admin, "owner", "OWNER");
        put(admin, "member", "MEMBER");
        put(admin, "viewer", "VIEWER");
    }

    private void put(Api by, String who, String role) {
        var reply = by.put(member(who), "{\"role\":\"%s\"}".formatted(role));
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    }

    private String member(String who) {
        return PROJECTS + "/" + project + "/members/" + names.get(who);
    }

    private Api caller(String who) {
        return callers.getOrDefault(who, admin);
    }

    /** One PE for an hour, at the earliest of the next day. */
    private Reply file(Api by, String label, String further) {
        return by.post(RESERVATIONS, """
                {"cluster":"%s","project":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":1}%s}""".formatted(cluster, label, at(24), at(48), further));
    }

    private String filed() {
        var reply = file(caller("author"), project, "");
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(201);
        return reply.text("id");
    }

    private String state(String id) {
        return admin.get(RESERVATIONS + "/" + id).text("state");
    }

    private static List<String> ids(Reply list) {
        return list.body().at("/items").findValuesAsString("id");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            author   | 200 | 200 | 200 | 200 | 200 | 201
            owner    | 200 | 200 | 200 | 200 | 200 | 201
            member   | 200 | 403 | 403 | 403 | 403 | 201
            viewer   | 200 | 403 | 403 | 403 | 403 | 403
            stranger | 404 | 404 | 404 | 404 | 404 | 403
            admin    | 200 | 200 | 400 | 403 | 200 | 201
            """)
    void eachRoleHasItsRightsOnReservations(
            String who, int reads, int fixes, int renegotiates, int extends_, int cancels, int files) {
        var api = caller(who);
        var id = filed();
        var path = RESERVATIONS + "/" + id;

        for (var read : List.of("", "/events", "/renegotiations")) {
            assertThat(api.get(path + read).status()).as(read).isEqualTo(reads);
        }
        assertThat(api.post(path + "/fix", "{\"dryRun\":true}").status()).isEqualTo(fixes);
        assertThat(api.post(path + "/renegotiations", "{\"terms\":{\"pes\":2}}").status())
                .isEqualTo(renegotiates);
        assertThat(api.post(path + "/extend", "{\"by\":\"PT1H\"}").status()).isEqualTo(extends_);
        assertThat(state(id)).isEqualTo("CONFIRMED");
        assertThat(api.post(path + "/cancel").status()).isEqualTo(cancels);
        assertThat(state(id)).isEqualTo(cancels == 200 ? "CANCELLED" : "CONFIRMED");
        var filed = file(api, project, "");
        assertThat(filed.status()).isEqualTo(files);
        if (files == 403) {
            assertThat(filed.text("code")).isEqualTo("forbidden");
            assertThat(filed.text("errors.0.field")).isEqualTo("project");
        }
    }

    private String path(String id) {
        return RESERVATIONS + "/" + id;
    }

    private String to(String who) {
        return "{\"account\":\"%s\"}".formatted(names.getOrDefault(who, who));
    }

    @Test
    void nobodyFilesInTheNameOfAnAdministratorOutsideTheProject() {
        var root = admin.get("/api/v1/me").text("name");
        var named = ",\"account\":\"%s\"".formatted(root);

        var filed = file(caller("owner"), project, named);
        var handedOver = caller("author").post(path(filed()) + "/transfer", "{\"account\":\"%s\"}".formatted(root));

        for (var reply : List.of(filed, handedOver)) {
            assertThat(reply.status()).as(reply.body().toString()).isEqualTo(403);
            assertThat(reply.text("errors.0.field")).isEqualTo("account");
        }
        assertThat(file(admin, project, named).status()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({"author,200", "owner,200", "member,403", "viewer,403", "stranger,404", "admin,200"})
    void aReservationOfAProjectIsHandedOverToAMember(String who, int expected) {
        var id = filed();
        var before = admin.get(path(id));

        var reply = caller(who).post(path(id) + "/transfer", to("member"));

        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(expected);
        var after = admin.get(path(id));
        assertThat(after.text("price.amount")).isEqualTo(before.text("price.amount"));
        assertThat(after.text("owner")).isEqualTo(names.get(expected == 200 ? "member" : "author"));
        if (expected == 200) {
            assertThat(caller(who).post(path(id) + "/transfer", to("member")).status())
                    .as("repeated")
                    .isEqualTo(200);
            assertThat(caller("author").post(path(id) + "/cancel").status()).isEqualTo(403);
            assertThat(caller("member").post(path(id) + "/cancel").status()).isEqualTo(200);
            var events = admin.get(path(id) + "/events").body().get("items");
            assertThat(events.valueStream().map(event -> event.get("type").asString()))
                    .containsExactly("confirmed", "transferred", "received", "cancelled");
            for (int i : new int[] {1, 2}) {
                var how = events.at("/%d/data/assignment".formatted(i));
                assertThat(how.get("from").asString()).isEqualTo(names.get("author"));
                assertThat(how.get("to").asString()).isEqualTo(names.get("member"));
                assertThat(how.get("by").asString()).isEqualTo(names.getOrDefault(who, "admin"));
            }
        }
    }

    @Test
    void eachOwnerSeesAnEventOfAHandOver() {
        var start = admin.get("/api/v1/events?limit=500").text("next");
        var id = filed();
        caller("owner").post(path(id) + "/transfer", to("member"));

        for (var each : Map.of("author", "transferred", "member", "received").entrySet()) {
            var events = caller(each.getKey()).get("/api/v1/events?limit=500&after=" + start);
            assertThat(events.body()
                            .get("items")
                            .valueStream()
                            .map(event -> event.get("type").asString()))
                    .contains(each.getValue());
        }
    }

    @Test
    void onlyWhoMayBookForTheProjectGetsAReservation() {
        var path = path(filed()) + "/transfer";
        var owner = caller("owner");

        for (var who : List.of("viewer", "stranger")) {
            var refused = owner.post(path, to(who));
            assertThat(refused.text("code")).as(who).isEqualTo("forbidden");
            assertThat(refused.text("errors.0.field")).isEqualTo("account");
        }
        assertThat(owner.post(path, to("nobody-" + newName())).text("errors.0.field"))
                .isEqualTo("account");
        assertThat(owner.post(path, "{}").text("code")).isEqualTo("malformed");
        admin.patch("/api/v1/accounts/" + names.get("member"), "{\"limits\":{\"activeReservations\":0}}");
        assertThat(owner.post(path, to("member")).text("code")).isEqualTo("limit-exceeded");
        assertThat(admin.post(path, to("member")).text("code")).isEqualTo("limit-exceeded");
    }

    @Test
    void withoutAProjectOnlyAnAdministratorHandsOver() {
        for (var label : List.of("", ",\"project\":\"%s\"".formatted(newName()))) {
            var reserved = caller("author").post(RESERVATIONS, """
                    {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT1H","pes":1}%s}""".formatted(cluster, at(24), label));
            var path = path(reserved.text("id")) + "/transfer";

            assertThat(caller("author").post(path, to("stranger")).text("code")).isEqualTo("forbidden");
            var key = newName();
            assertThat(admin.post(path, to("stranger"), "Idempotency-Key", key).text("owner"))
                    .isEqualTo(names.get("stranger"));
            assertThat(admin.post(path, to("stranger"), "Idempotency-Key", key).text("owner"))
                    .isEqualTo(names.get("stranger"));
            assertThat(caller("author").get(path(reserved.text("id"))).status()).isEqualTo(404);
        }
    }

    @Test
    void whatADeletedAccountHasIsHandedOver() {
        var id = filed();
        admin.delete("/api/v1/accounts/" + names.get("author"));

        assertThat(caller("owner").post(path(id) + "/transfer", to("owner")).text("owner"))
                .isEqualTo(names.get("owner"));
        assertThat(caller("owner")
                        .post(path(id) + "/renegotiations", "{\"terms\":{\"pes\":2}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aPartOfACoallocationIsNotHandedOver() {
        var run = coallocation(caller("author"), newCluster(8));
        var part = run.body().at("/reservations/0/id").asString();

        var refused = admin.post(path(part) + "/transfer", to("member"));

        assertThat(refused.text("code")).as(run.body().toString()).isEqualTo("invalid-terms");
        assertThat(refused.text("errors.0.message")).contains("several clusters");
    }

    @ParameterizedTest
    @CsvSource({
        "owner,  member,   true,  201",
        "owner,  stranger, true,  403",
        "owner,  viewer,   true,  403",
        "owner,  member,   false, 403",
        "author, member,   true,  403",
        "author, author,   false, 201",
        "admin,  member,   true,  201",
        "admin,  stranger, false, 201",
        "admin,  stranger, true,  403",
        "admin,  no-one,   false, 422",
        "stranger, member, true,  403"
    })
    void oneAccountReservesForAnother(String who, String account, boolean isFiled, int expected) {
        var reply = caller(who).post(RESERVATIONS, """
                {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT1H","pes":1},"account":"%s"%s}""".formatted(
                        cluster,
                        at(24),
                        names.getOrDefault(account, account),
                        isFiled ? ",\"project\":\"%s\"".formatted(project) : ""));

        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(expected);
        if (expected == 201) {
            assertThat(reply.text("owner")).isEqualTo(names.get(account));
            if (who.equals(account)) {
                assertThat(reply.body().get("assignment").isNull()).isTrue();
            } else {
                assertThat(reply.text("assignment.by")).isEqualTo(names.getOrDefault(who, "admin"));
                assertThat(reply.body().at("/assignment/from").isNull()).isTrue();
            }
            assertThat(caller(account).post(path(reply.text("id")) + "/cancel").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aReservationForAnotherCountsAgainstItsLimitsAndClass() {
        admin.patch(
                "/api/v1/accounts/" + names.get("member"),
                "{\"serviceClass\":\"PREMIUM\",\"limits\":{\"activeReservations\":1}}");
        var further = ",\"account\":\"%s\"".formatted(names.get("member"));

        var first = file(caller("owner"), project, further);
        var plain = file(caller("author"), project, "");
        assertThat(Double.parseDouble(first.text("price.amount")))
                .isGreaterThan(Double.parseDouble(plain.text("price.amount")));
        assertThat(file(caller("owner"), project, further).text("code")).isEqualTo("limit-exceeded");
    }

    @ParameterizedTest
    @CsvSource({"author,true", "owner,true", "member,true", "viewer,true", "stranger,false", "admin,true"})
    void aMemberListsTheReservationsOfItsProject(String who, boolean isShown) {
        var id = filed();

        assertThat(ids(caller(who).get(RESERVATIONS + "?project=" + project)).contains(id))
                .isEqualTo(isShown);
        // without the parameter project, an account lists its own reservations
        assertThat(ids(caller(who).get(RESERVATIONS + "?cluster=" + cluster)).contains(id))
                .isEqualTo(who.equals("author") || who.equals("admin"));
    }

    @Test
    void aProjectOwnerActsWithinTheLimitsOfTheReservationsOwner() {
        admin.patch("/api/v1/accounts/" + names.get("author"), "{\"limits\":{\"pes\":4}}");
        var path = RESERVATIONS + "/" + filed();
        var owner = caller("owner");

        var over = owner.post(path + "/renegotiations", "{\"terms\":{\"pes\":5}}");
        assertThat(over.text("code")).isEqualTo("limit-exceeded");
        assertThat(owner.post(path + "/renegotiations", "{\"terms\":{\"pes\":4}}")
                        .status())
                .isEqualTo(200);
        assertThat(owner.get(path).text("owner")).isEqualTo(names.get("author"));
        assertThat(owner.get(path).text("terms.pes")).isEqualTo("4");

        var proposed = admin.post(path + "/renegotiations", """
                {"terms":{"pes":3},"incentive":{"amount":"1","currency":"USD"},"expiresAt":"%s"}""".formatted(at(20)));
        assertThat(proposed.status()).as(proposed.body().toString()).isEqualTo(200);
        var answer = path + "/renegotiations/" + proposed.text("number") + "/accept";
        assertThat(caller("member").post(answer).status()).isEqualTo(403);
        assertThat(owner.post(answer).status()).isEqualTo(200);
        assertThat(owner.get(path).text("terms.pes")).isEqualTo("3");
    }

    @Test
    void anOwnerOfTheProjectPaysForAPlaceThatIsFixed() {
        var first = RESERVATIONS + "/" + filed();
        var second = RESERVATIONS + "/" + filed();
        var third = RESERVATIONS + "/" + filed();
        var before = admin.get(third).body().get("price");

        var byOwner = caller("owner").post(first + "/fix", "{}");
        var byAuthor = caller("author").post(second + "/fix", "{}");
        var byAdmin = admin.post(third + "/fix", "{}");

        assertThat(byOwner.status()).isEqualTo(200);
        assertThat(byOwner.body().get("price")).isEqualTo(byAuthor.body().get("price"));
        assertThat(byOwner.body().get("price")).isNotEqualTo(before);
        assertThat(byAdmin.body().get("price")).isEqualTo(before);
    }

    @Test
    void aProjectOwnerConfirmsHoldsAndCompletesRuns() {
        var held = file(caller("author"), project, ",\"hold\":\"PT5M\"").text("id");
        assertThat(caller("member").post(RESERVATIONS + "/" + held + "/confirm").status())
                .isEqualTo(403);
        assertThat(caller("owner").post(RESERVATIONS + "/" + held + "/confirm").status())
                .isEqualTo(200);

        pass(Duration.ofHours(24).plusMinutes(30));
        assertThat(state(held)).isEqualTo("RUNNING");
        assertThat(caller("viewer")
                        .post(RESERVATIONS + "/" + held + "/complete")
                        .status())
                .isEqualTo(403);
        assertThat(caller("owner").post(RESERVATIONS + "/" + held + "/complete").status())
                .isEqualTo(200);
    }

    @Test
    void reservationsFiledBeforeTheProjectExistedBelongToIt() {
        var label = newName();
        var id = file(caller("stranger"), label, "").text("id");
        assertThat(caller("owner").get(RESERVATIONS + "/" + id).status()).isEqualTo(404);

        admin.post(PROJECTS, "{\"id\":\"%s\",\"name\":\"Later\"}".formatted(label));
        admin.put(PROJECTS + "/" + label + "/members/" + names.get("owner"), "{\"role\":\"OWNER\"}");

        assertThat(caller("owner").get(RESERVATIONS + "/" + id).status()).isEqualTo(200);
        assertThat(file(caller("stranger"), label, "").status()).isEqualTo(403);
        // it is its own as before
        assertThat(caller("stranger").post(RESERVATIONS + "/" + id + "/cancel").status())
                .isEqualTo(200);
        assertThat(file(caller("stranger"), newName(), "").status()).isEqualTo(201);
    }

    @Test
    void aFormerMemberKeepsOnlyItsOwnReservations() {
        var others = filed();
        var own = file(caller("member"), project, "").text("id");
        assertThat(caller("owner").delete(member("member")).status()).isEqualTo(204);

        assertThat(caller("member").get(RESERVATIONS + "/" + others).status()).isEqualTo(404);
        assertThat(caller("member").get(RESERVATIONS + "/" + own).status()).isEqualTo(200);
        assertThat(ids(caller("member").get(RESERVATIONS + "?project=" + project)))
                .containsExactly(own);
        assertThat(file(caller("member"), project, "").status()).isEqualTo(403);
        assertThat(caller("owner").delete(member("member")).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"member,no member any more", "member,a viewer", "stranger,never a member"})
    void anAccountThatMayNotFileCannotSpendMoreByAnyCall(String who, String now) {
        var api = caller(who);
        var label = who.equals("stranger") ? newName() : project;
        var path = RESERVATIONS + "/" + file(api, label, "").text("id");
        var blocked =
                "{\"cluster\":\"%s\",\"project\":\"%s\",\"terms\":{\"readyTime\":\"%s\",\"deadline\":\"%s\",\"duration\":\"PT24H\",\"pes\":64}%s}";
        var other = admin.post(RESERVATIONS, blocked.formatted(cluster, newName(), at(72), at(96), ""));
        assertThat(other.status()).isEqualTo(201);
        var waiting = api.post(
                RESERVATIONS,
                blocked.formatted(cluster, label, at(72), at(96), ",\"wait\":{\"until\":\"" + at(70) + "\"}"));
        assertThat(waiting.status()).as(waiting.body().toString()).isEqualTo(202);
        switch (now) {
            case "no member any more" -> caller("owner").delete(member("member"));
            case "a viewer" -> put(admin, "member", "VIEWER");
            default -> admin.post(PROJECTS, "{\"id\":\"%s\",\"name\":\"Later\"}".formatted(label));
        }

        for (var dryRun : List.of("true", "false")) {
            for (var call : List.of("/fix {", "/extend {\"by\":\"PT1H\",", "/renegotiations {\"terms\":{\"pes\":9},")) {
                var reply =
                        api.post(path + call.split(" ")[0], call.split(" ")[1] + "\"dryRun\":%s}".formatted(dryRun));
                assertThat(reply.status()).as(call + reply.body()).isEqualTo(403);
                assertThat(reply.text("code")).isEqualTo("forbidden");
                assertThat(reply.text("errors.0.field")).isEqualTo("project");
            }
        }
        admin.post(RESERVATIONS + "/" + other.text("id") + "/cancel");
        pass(Duration.ofMinutes(2));
        assertThat(state(waiting.text("id"))).isEqualTo("WAITING");
        assertThat(api.post(path + "/renegotiations", "{\"terms\":{\"duration\":\"PT30M\"}}")
                        .status())
                .isEqualTo(200);
        assertThat(api.post(path + "/cancel").status()).isEqualTo(200);
    }

    @Test
    @Timeout(180)
    void aStreamEndsWithTheMembership() throws Exception {
        var path = RESERVATIONS + "/" + filed() + "/events/stream";
        var heard =
                HttpClient.newHttpClient().send(caller("viewer").request(path).build(), BodyHandlers.ofLines());
        assertThat(heard.statusCode()).isEqualTo(200);

        assertThat(admin.delete(member("viewer")).status()).isEqualTo(204);

        // where it did not end, this would not
        assertThat(heard.body()).contains("retry: 1000");
        assertThat(caller("viewer").get(path).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "author,200,200,201",
        "owner,200,200,201",
        "member,200,403,201",
        "viewer,200,403,403",
        "stranger,404,404,403"
    })
    void eachRoleHasItsRightsOnSeries(String who, int reads, int ends, int files) {
        var id = series(caller("author")).text("id");
        assertThat(id).isNotEmpty();
        var path = "/api/v1/series/" + id;

        assertThat(caller(who).get(path).status()).isEqualTo(reads);
        assertThat(series(caller(who)).status()).isEqualTo(files);
        assertThat(caller(who).post(path + "/end", "{}").status()).isEqualTo(ends);
        var again = caller(who).post(path + "/occurrences/2027-01-01");
        assertThat(again.status()).isEqualTo(ends == 200 ? 404 : ends);
    }

    @Test
    void aProjectOwnerRetriesOccurrencesWithinTheLimitsOfTheirOwner() {
        var path = "/api/v1/series/" + series(caller("author")).text("id");
        var first = caller("owner").get(path).body().at("/occurrences/0");
        var again = path + "/occurrences/" + first.get("date").asString();
        var cancelled = RESERVATIONS + "/" + first.get("reservation").asString() + "/cancel";
        assertThat(caller("owner").post(cancelled).status()).isEqualTo(200);

        assertThat(caller("viewer").post(again).status()).isEqualTo(403);
        admin.patch("/api/v1/accounts/" + names.get("author"), "{\"limits\":{\"activeReservations\":2}}");
        assertThat(caller("owner").post(again).text("code")).isEqualTo("limit-exceeded");
        admin.patch("/api/v1/accounts/" + names.get("author"), "{\"limits\":{\"activeReservations\":3}}");
        var booked = caller("owner").post(again);
        assertThat(booked.status()).as(booked.body().toString()).isEqualTo(201);
        assertThat(booked.text("owner")).isEqualTo(names.get("author"));
    }

    private Reply series(Api by) {
        var first = clock.instant().plus(Duration.ofDays(2)).toString().substring(0, 16);
        return by.post("/api/v1/series", """
                {"cluster":"%s","project":"%s","recurrence":{"rrule":"FREQ=DAILY;COUNT=3","dtstart":"%s","zone":"UTC"},
                "terms":{"duration":"PT1H","pes":1}}""".formatted(cluster, project, first));
    }

    @ParameterizedTest
    @CsvSource({
        "author,200,200,201",
        "owner,200,200,201",
        "member,200,403,201",
        "viewer,200,403,403",
        "stranger,404,404,403"
    })
    void eachRoleHasItsRightsOnCoallocations(String who, int reads, int cancels, int files) {
        var other = newCluster(8);
        var path =
                "/api/v1/coallocations/" + coallocation(caller("author"), other).text("id");

        assertThat(caller(who).get(path).status()).isEqualTo(reads);
        assertThat(coallocation(caller(who), other).status()).isEqualTo(files);
        assertThat(caller(who).post(path + "/cancel").status()).isEqualTo(cancels);
    }

    private Reply coallocation(Api by, String other) {
        var part = """
                {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":1}}""";
        return by.post(
                "/api/v1/coallocations",
                "{\"project\":\"%s\",\"parts\":[%s,%s]}"
                        .formatted(
                                project,
                                part.formatted(cluster, at(24), at(48)),
                                part.formatted(other, at(24), at(48))));
    }

    @ParameterizedTest
    @CsvSource({
        "admin,200,200,200",
        "owner,200,200,200",
        "member,200,403,403",
        "viewer,200,403,403",
        "stranger,404,404,404"
    })
    void eachRoleHasItsRightsOnTheProject(String who, int reads, int names, int members) {
        var path = PROJECTS + "/" + project;
        var api = caller(who);

        assertThat(api.get(path).status()).isEqualTo(reads);
        assertThat(ids(api.get(PROJECTS + "?limit=500")).contains(project)).isEqualTo(reads == 200);
        assertThat(api.patch(path, "{\"name\":\"Weather\"}").status()).isEqualTo(names);
        assertThat(admin.get(path).text("name")).isEqualTo(names == 200 ? "Weather" : "Climate models");
        assertThat(api.put(member("stranger"), "{\"role\":\"VIEWER\"}").status())
                .isEqualTo(members);
        assertThat(admin.get(path).body().at("/members").size()).isEqualTo(members == 200 ? 5 : 4);
        assertThat(api.delete(member("author")).status()).isEqualTo(members == 200 ? 204 : members);
    }

    @Test
    void aListContinuesAtItsCursor() {
        var second = project + "-b";
        admin.post(PROJECTS, "{\"id\":\"%s\",\"name\":\"Another\"}".formatted(second));
        admin.put(PROJECTS + "/" + second + "/members/" + names.get("owner"), "{\"role\":\"VIEWER\"}");

        var page = caller("owner").get(PROJECTS + "?limit=1");
        assertThat(ids(page)).containsExactly(project);
        var rest = caller("owner").get(PROJECTS + "?limit=1&after=" + page.text("next"));
        assertThat(ids(rest)).containsExactly(second);
        assertThat(rest.body().get("next").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"name":"No id"}            | 400 | id
            {"id":"nameless"}           | 400 | name
            {"id":"-x","name":"X"}      | 422 | id
            {"id":"x y","name":"X"}     | 422 | id
            {"id":"","name":"X"}        | 422 | id
            {"id":"x/y","name":"X"}     | 422 | id
            {"id":"blank","name":" "}   | 400 | name
            """)
    void aMalformedProjectIsRejected(String body, int status, String field) {
        var reply = admin.post(PROJECTS, body);

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
    }

    @Test
    void anIdOfAProjectIsUnique() {
        var again = admin.post(PROJECTS, "{\"id\":\"%s\",\"name\":\"Again\"}".formatted(project));

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("code")).isEqualTo("exists");
        assertThat(again.text("errors.0.field")).isEqualTo("id");
        assertThat(admin.get(PROJECTS + "/" + project).text("name")).isEqualTo("Climate models");
    }

    @Test
    void aMemberIsAnAccountThatMayHaveReservations() {
        var agent = newName();
        tokenOfAgent(agent, cluster);
        for (var nobody : List.of("no-such-account", agent)) {
            var reply = caller("owner").put(PROJECTS + "/" + project + "/members/" + nobody, "{\"role\":\"MEMBER\"}");
            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.text("errors.0.field")).isEqualTo("account");
        }
        for (var role : List.of("{\"role\":\"KING\"}", "{\"role\":null}", "{}")) {
            var reply = caller("owner").put(member("stranger"), role);
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.text("errors.0.field")).isEqualTo("role");
        }
        assertThat(admin.get(PROJECTS + "/" + project).body().at("/members").size())
                .isEqualTo(4);
    }

    @Test
    void nothingIsChargedToAnAccountThatIsDeleted() {
        var path = RESERVATIONS + "/" + filed();
        assertThat(admin.delete("/api/v1/accounts/" + names.get("author")).status())
                .isEqualTo(204);

        assertThat(caller("owner")
                        .post(path + "/renegotiations", "{\"terms\":{\"pes\":2}}")
                        .status())
                .isEqualTo(403);
        assertThat(caller("owner").post(path + "/cancel").status()).isEqualTo(200);
    }

    private void takeOnlyProjects(String rules) {
        var changed =
                admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"projects\":\"KNOWN\"}%s}".formatted(rules));
        assertThat(changed.text("policy.projects")).isEqualTo("KNOWN");
    }

    @Test
    void aClusterForProjectsRejectsALabelWithoutAProject() {
        var label = newName();
        var before = file(caller("author"), label, "");
        takeOnlyProjects("");

        var refused = file(caller("author"), label, "");
        assertThat(refused.status()).as("%s", refused).isEqualTo(422);
        assertThat(refused.text("code")).isEqualTo("invalid-terms");
        assertThat(refused.text("errors.0.field")).isEqualTo("project");
        assertThat(refused.text("errors.0.value")).isEqualTo(label);
        assertThat(refused.text("errors.0.message"))
                .isEqualTo(
                        "names no project, but this cluster takes no other labels; name one of your projects, or leave it out");
        assertThat(file(caller("author"), project, "").status()).isEqualTo(201);
        assertThat(reserve(caller("author"), cluster, "{\"duration\":\"PT1H\",\"pes\":1}")
                        .status())
                .as("without a project")
                .isEqualTo(201);
        // reservations that have the label already stay, and may change
        assertThat(caller("author")
                        .post(RESERVATIONS + "/" + before.text("id") + "/renegotiations", "{\"terms\":{\"pes\":2}}")
                        .status())
                .isEqualTo(200);

        admin.post(PROJECTS, "{\"id\":\"%s\",\"name\":\"New\"}".formatted(label));
        assertThat(file(admin, label, "").status()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reservations  | {"cluster":"%1$s",%2$s,"dryRun":true}
            reservations  | {"cluster":"%1$s",%2$s,"acceptAlternatives":{}}
            reservations  | {"cluster":"%1$s",%2$s,"wait":{}}
            coallocations | {"parts":[{"cluster":"%1$s","terms":{"duration":"PT1H","pes":1}},{"cluster":"%3$s","terms":{"duration":"PT1H","pes":1}}],"project":"nobodys"}
            coallocations | {"parts":[{"cluster":"%1$s","terms":{"duration":"PT1H","pes":1}},{"cluster":"%3$s","terms":{"duration":"PT1H","pes":1}}],"project":"nobodys","dryRun":true}
            series        | {"cluster":"%1$s",%2$s,"recurrence":{"rrule":"FREQ=DAILY;COUNT=3","dtstart":"2029-01-01T09:00","zone":"UTC"}}
            series        | {"cluster":"%1$s",%2$s,"dryRun":true,"recurrence":{"rrule":"FREQ=DAILY;COUNT=3","dtstart":"2029-01-01T09:00","zone":"UTC"}}
            """)
    void aClusterForProjectsRefusesALabelInEveryKindOfRequest(String kind, String body) {
        takeOnlyProjects("");
        var request = body.formatted(
                cluster, "\"project\":\"nobodys\",\"terms\":{\"duration\":\"PT1H\",\"pes\":1}", newCluster(8));

        var refused = caller("author").post("/api/v1/" + kind, request);

        assertThat(refused.body().toString()).contains("names no project, but this cluster");
    }

    @Test
    void aClusterForProjectsThatCollectsRequestsRefusesALabelAtOnce() {
        takeOnlyProjects(",\"intake\":{\"order\":\"DPSAR\",\"window\":\"PT1M\"}");

        var refused = file(caller("author"), newName(), "");

        assertThat(refused.text("errors.0.field")).as("%s", refused).isEqualTo("project");
    }

    @Test
    void aRequestWithoutAClusterPassesOverClustersForProjects() {
        var other = newCluster(64);
        takeOnlyProjects("");
        var body = """
                {"clusters":["%s"%s],"project":"%s","terms":{"duration":"PT1H","pes":1}}""";

        var refused = caller("author").post(RESERVATIONS, body.formatted(cluster, "", newName()));
        var granted = caller("author").post(RESERVATIONS, body.formatted(cluster, ",\"" + other + "\"", newName()));

        assertThat(refused.status()).as("%s", refused).isEqualTo(422);
        assertThat(refused.body().toString()).contains("names no project, but this cluster");
        assertThat(granted.text("cluster")).as("%s", granted).isEqualTo(other);
    }
}
