package berth.accounts.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountsIT extends ServiceSuite {

    private static final String ACCOUNTS = "/api/v1/accounts";

    @Test
    void anAccountIsReadAsItWasCreatedWithoutItsToken() {
        var name = newName();
        var created = admin.post(ACCOUNTS, """
                {"name":"%s","role":"CLIENT","priority":10,"serviceClass":"PREMIUM",
                 "limits":{"activeReservations":20,"pes":256,"peHours":1000,"jobs":7,"pendingRequests":5,"holds":3,"maxHold":"PT10M",
                 "peHoursPerWeek":500,"coolDown":{"duration":"PT6H","after":"PT4H"},"startsAhead":1},"leads":["P1D","PT1H"]}""".formatted(name));
        var read = admin.get(path(name));

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.version()).isEqualTo(0);
        assertThat(created.etag()).isEqualTo(read.etag());
        assertThat(created.body().propertyNames())
                .containsExactly("name", "role", "priority", "serviceClass", "limits", "leads", "token");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.body().toString()).isEqualTo("""
                {"name":"%s","role":"CLIENT","priority":10,"serviceClass":"PREMIUM",\
                "limits":{"activeReservations":20,"pes":256,"peHours":1000,"jobs":7,"pendingRequests":5,"holds":3,"maxHold":"PT10M",\
                "peHoursPerWeek":500,"coolDown":{"duration":"PT6H","after":"PT4H"},"startsAhead":1},"leads":["PT1H","P1D"]}""".formatted(name));
        assertThat(api(created).get("/api/v1/reservations").status()).isEqualTo(200);
    }

    @Test
    void anOmittedLimitDoesNotBindTheAccount() {
        var some = create("\"limits\":{\"pes\":1}");
        var none = create("\"limits\":null");

        assertThat(some.body().get("limits").toString())
                .isEqualTo(
                        "{\"activeReservations\":null,\"pes\":1,\"peHours\":null,\"jobs\":null,\"pendingRequests\":null,\"holds\":null,\"maxHold\":null,\"peHoursPerWeek\":null,\"coolDown\":null,\"startsAhead\":null}");
        assertThat(none.body().get("limits").toString())
                .isEqualTo(
                        "{\"activeReservations\":null,\"pes\":null,\"peHours\":null,\"jobs\":null,\"pendingRequests\":null,\"holds\":null,\"maxHold\":null,\"peHoursPerWeek\":null,\"coolDown\":null,\"startsAhead\":null}");
        assertThat(none.text("serviceClass")).isEqualTo("STANDARD");
        assertThat(none.body().get("priority").asInt()).isEqualTo(5);
    }

    @Test
    void aListIsNewestFirstAndShowsNoToken() {
        var names = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            names.add(create("\"limits\":{}").text("name"));
        }
        admin.delete(path(names.get(2)));

        var page = admin.get(ACCOUNTS + "?limit=2");
        var rest = admin.get(ACCOUNTS + "?limit=2&after=" + page.text("next"));
        var past = admin.get(ACCOUNTS + "?limit=1&after=" + names.get(2));

        assertThat(names(page)).containsExactly(names.get(4), names.get(3));
        assertThat(names(rest)).containsExactly(names.get(1), names.get(0));
        assertThat(names(past)).containsExactly(names.get(1));
        assertThat(page.body().toString()).doesNotContainIgnoringCase("token").doesNotContain("berth_");
        var last = admin.get(ACCOUNTS + "?limit=500");
        var all = new ArrayList<>(names(last));
        while (!last.body().get("next").isNull()) {
            last = admin.get("%s?limit=500&after=%s".formatted(ACCOUNTS, last.text("next")));
            all.addAll(names(last));
        }
        assertThat(all).contains("admin").doesNotContain(names.get(2));
    }

    @Test
    void aChangeTouchesOnlyTheGivenFields() {
        var created = create("\"serviceClass\":\"PREMIUM\",\"limits\":{\"pes\":8,\"peHours\":100}");
        var path = path(created.text("name"));

        var limited = admin.patch(path, "{\"limits\":{\"activeReservations\":0,\"peHours\":null}}");
        assertThat(limited.status()).isEqualTo(200);
        assertThat(limited.version()).isEqualTo(1);
        assertThat(limited.body().get("limits").toString())
                .isEqualTo(
                        "{\"activeReservations\":0,\"pes\":8,\"peHours\":null,\"jobs\":null,\"pendingRequests\":null,\"holds\":null,\"maxHold\":null,\"peHoursPerWeek\":null,\"coolDown\":null,\"startsAhead\":null}");
        assertThat(limited.text("serviceClass")).isEqualTo("PREMIUM");
        assertThat(limited.body().has("token")).isFalse();

        var other = admin.patch(path, "{\"role\":\"VIEWER\",\"serviceClass\":null,\"limits\":null}");
        assertThat(other.text("role")).isEqualTo("VIEWER");
        assertThat(other.text("serviceClass")).isEqualTo("STANDARD");
        assertThat(other.body().at("/limits/pes").isNull()).isTrue();
        assertThat(api(created).get("/api/v1/events").status()).isEqualTo(200);
        assertThat(api(created).get("/api/v1/reservations").status()).isEqualTo(403);

        var first = admin.patch(path, "{\"priority\":9}");
        assertThat(first.body().get("priority").asInt()).isEqualTo(9);
        assertThat(admin.patch(path, "{\"priority\":null}")
                        .body()
                        .get("priority")
                        .asInt())
                .isEqualTo(5);

        var whole = admin.patch(path, admin.get(path).body().toString());
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.version()).isEqualTo(4);
        assertThat(whole.etag()).isEqualTo(admin.get(path).etag());
    }

    @Test
    void aChangeIsAlsoTakenAsAMergePatchByName() {
        var path = path(create("\"limits\":{}").text("name"));

        var reply = admin.send(admin.request(path)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString("{\"limits\":{\"pes\":3}}")));

        assertThat(reply.body().at("/limits/pes").asInt()).isEqualTo(3);
    }

    @Test
    void aStaleChangeIsRefused() {
        var path = path(create("\"limits\":{}").text("name"));
        var change = "{\"limits\":{\"pes\":3}}";

        assertThat(admin.patch(path, change, "If-Match", "\"0\"").version()).isEqualTo(1);
        for (var header : List.of("\"0\"", "W/\"0\"", "\"2\", \"0\"", "\"1 \"".replace(" ", "-"))) {
            assertProblem(admin.patch(path, "{}", "If-Match", header), 412, "stale-version", "If-Match");
            assertProblem(admin.delete(path, "If-Match", header), 412, "stale-version", "If-Match");
            assertProblem(admin.post(path + "/token", "", "If-Match", header), 412, "stale-version", "If-Match");
        }
        for (var header : List.of("1", "\"1", "\"1\" \"2\"", "")) {
            assertProblem(admin.patch(path, "{}", "If-Match", header), 400, "malformed", "If-Match");
            assertProblem(admin.delete(path, "If-Match", header), 400, "malformed", "If-Match");
            assertProblem(admin.post(path + "/token", "", "If-Match", header), 400, "malformed", "If-Match");
        }
        assertThat(admin.patch(path, "{}", "If-Match", "\"7\"", "If-Match", "\"1\"")
                        .status())
                .isEqualTo(200);
        // a proxy that compresses a response makes its tag weak
        assertThat(admin.post(path + "/token", "", "If-Match", "W/\"1\"").version())
                .isEqualTo(2);
        assertThat(admin.delete(path, "If-Match", "*").status()).isEqualTo(204);
    }

    @Test
    void anUnchangedAccountIsNotSentAgain() {
        var path = path(create("\"limits\":{}").text("name"));
        var first = admin.get(path);

        assertThat(admin.send(admin.request(path)
                                .header("If-None-Match", first.etag())
                                .GET())
                        .status())
                .isEqualTo(304);
        assertThat(admin.send(admin.request(path)
                                .header("If-None-Match", "\"0\"")
                                .GET())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aNewTokenInvalidatesTheOldOne() {
        var created = create("\"limits\":{\"pes\":9}");
        var old = api(created);

        var renewed = admin.post(path(created.text("name")) + "/token");

        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.body().propertyNames())
                .containsExactly("name", "role", "priority", "serviceClass", "limits", "leads", "token");
        assertThat(renewed.body().at("/limits/pes").asInt()).isEqualTo(9);
        assertThat(renewed.text("token")).startsWith("berth_").isNotEqualTo(created.text("token"));
        assertProblem(old.get("/api/v1/reservations"), 401, "unauthorized", "");
        assertThat(api(renewed).get("/api/v1/reservations").status()).isEqualTo(200);
    }

    @Test
    void aDeletedAccountLosesAccessAndKeepsItsReservationsAndName() {
        var created = create("\"limits\":{}");
        var name = created.text("name");
        var reservation = api(created).post("/api/v1/reservations", """
                {"terms":{"readyTime":"%s","duration":"PT1H","pes":1},"cluster":"%s"}""".formatted(at(24 * 20), newCluster(4)));

        var deleted = admin.delete(path(name));

        assertThat(deleted.status()).isEqualTo(204);
        assertThat(deleted.body().isMissingNode()).isTrue();
        assertProblem(api(created).get("/api/v1/reservations"), 401, "unauthorized", "");
        var kept = admin.get("/api/v1/reservations/" + reservation.text("id"));
        assertThat(kept.text("owner")).isEqualTo(name);
        assertThat(kept.text("state")).isEqualTo("CONFIRMED");
        assertProblem(admin.get(path(name)), 404, "not-found", "");
        assertProblem(admin.delete(path(name)), 404, "not-found", "");
        assertProblem(admin.patch(path(name), "{}"), 404, "not-found", "");
        assertProblem(admin.post(path(name) + "/token"), 404, "not-found", "");
        assertProblem(admin.post(ACCOUNTS, body(name, "\"limits\":{}")), 409, "exists", "name");
    }

    @Test
    void anAdministratorCannotRemoveItsOwnRights() {
        var other = create("\"role\":\"ADMIN\"");
        var path = path(other.text("name"));

        for (var role : List.of("CLIENT", "VIEWER")) {
            assertProblem(api(other).patch(path, "{\"role\":\"%s\"}".formatted(role)), 409, "wrong-state", "");
        }
        assertProblem(api(other).delete(path), 409, "wrong-state", "");
        assertProblem(admin.delete(path("admin")), 409, "wrong-state", "");
        assertThat(api(other).patch(path, "{\"serviceClass\":\"PREMIUM\"}").status())
                .isEqualTo(200);
        var renewed = api(other).post(path + "/token");
        assertThat(api(renewed).get(path).status()).isEqualTo(200);
        assertThat(admin.patch(path, "{\"role\":\"CLIENT\"}").status()).isEqualTo(200);
        assertThat(api(renewed).get(path).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"role":"CLIENT"}                                          | 400 | malformed     | name
            {"name":"x"}                                               | 400 | malformed     | role
            {"name":"x","role":null}                                   | 400 | malformed     | role
            {"name":"x","role":"client"}                               | 400 | malformed     | role
            {"name":"x","role":1}                                      | 400 | malformed     | role
            {"name":5,"role":"CLIENT"}                                 | 400 | malformed     | name
            {"name":"","role":"CLIENT"}                                | 422 | invalid-terms | name
            {"name":"a b","role":"CLIENT"}                             | 422 | invalid-terms | name
            {"name":"-a","role":"CLIENT"}                              | 422 | invalid-terms | name
            {"name":"../a","role":"CLIENT"}                            | 422 | invalid-terms | name
            {"name":"a/token","role":"CLIENT"}                         | 422 | invalid-terms | name
            {"name":"ä","role":"CLIENT"}                               | 422 | invalid-terms | name
            {"name":"a\\u0000","role":"CLIENT"}                        | 422 | invalid-terms | name
            {"name":"admin","role":"CLIENT"}                           | 409 | exists        | name
            {"name":"x","role":"CLIENT","serviceClass":"GOLD"}         | 400 | malformed     | serviceClass
            {"name":"x","role":"CLIENT","token":"mine"}                | 400 | malformed     | token
            {"name":"x","role":"CLIENT","priority":0}                  | 422 | invalid-terms | priority
            {"name":"x","role":"CLIENT","priority":11}                 | 422 | invalid-terms | priority
            {"name":"x","role":"CLIENT","priority":"high"}             | 400 | malformed     | priority
            {"name":"x","role":"AGENT"}                                | 400 | malformed     | cluster
            {"name":"x","role":"AGENT","cluster":"Sp2"}                | 422 | invalid-terms | cluster
            {"name":"x","role":"CLIENT","cluster":"sp2"}               | 422 | invalid-terms | cluster
            {"name":"x","role":"CLIENT","limits":5}                    | 400 | malformed     | limits
            {"name":"x","role":"CLIENT","limits":[]}                   | 400 | malformed     | limits
            {"name":"x","role":"CLIENT","limits":{"pe":5}}             | 400 | malformed     | limits.pe
            {"name":"x","role":"CLIENT","limits":{"pes":"5"}}          | 400 | malformed     | limits.pes
            {"name":"x","role":"CLIENT","limits":{"pes":1.5}}          | 400 | malformed     | limits.pes
            {"name":"x","role":"CLIENT","limits":{"pes":2147483648}}   | 400 | malformed     | limits.pes
            {"name":"x","role":"CLIENT","limits":{"pes":0}}            | 422 | invalid-terms | limits.pes
            {"name":"x","role":"CLIENT","limits":{"pes":-1}}           | 422 | invalid-terms | limits.pes
            {"name":"x","role":"CLIENT","limits":{"activeReservations":-1}} | 422 | invalid-terms | limits.activeReservations
            {"name":"x","role":"CLIENT","limits":{"peHours":0}}        | 422 | invalid-terms | limits.peHours
            {"name":"x","role":"CLIENT","limits":{"peHours":1000000000001}} | 422 | invalid-terms | limits.peHours
            {"name":"x","role":"CLIENT","limits":{"peHours":99999999999999999999}} | 400 | malformed | limits.peHours
            {"name":"x","role":"CLIENT","leads":"PT1H"}                | 400 | malformed     | leads
            {"name":"x","role":"CLIENT","leads":["1h"]}                | 400 | malformed     | leads[0]
            {"name":"x","role":"CLIENT","leads":["PT1H",null]}         | 400 | malformed     | leads[1]
            {"name":"x","role":"CLIENT","leads":["PT59S"]}             | 422 | invalid-terms | leads[0]
            {"name":"x","role":"CLIENT","leads":["PT1M","P30DT1S"]}    | 422 | invalid-terms | leads[1]
            {"name":"x","role":"VIEWER","leads":["PT1H"]}              | 422 | invalid-terms | leads
            []                                                         | 400 | malformed     | ''
            null                                                       | 400 | malformed     | ''
            """)
    void wrongAccountsAreRefused(String body, int status, String code, String field) {
        assertProblem(admin.post(ACCOUNTS, body), status, code, field);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"name":"another"}                          | 422 | invalid-terms | name
            {"name":5}                                  | 400 | malformed     | name
            {"role":null}                               | 400 | malformed     | role
            {"role":"client"}                           | 400 | malformed     | role
            {"role":["CLIENT"]}                         | 400 | malformed     | role
            {"role":"AGENT"}                            | 400 | malformed     | cluster
            {"cluster":"sp2"}                           | 422 | invalid-terms | cluster
            {"serviceClass":"GOLD"}                     | 400 | malformed     | serviceClass
            {"tokenHash":"00"}                          | 400 | malformed     | tokenHash
            {"tokenHash":null}                          | 400 | malformed     | tokenHash
            {"version":7}                               | 400 | malformed     | version
            {"priority":0}                              | 422 | invalid-terms | priority
            {"limits":5}                                | 400 | malformed     | limits
            {"limits":{"hours":null}}                   | 400 | malformed     | limits.hours
            {"limits":{"pes":"5"}}                      | 400 | malformed     | limits.pes
            {"limits":{"pes":0}}                        | 422 | invalid-terms | limits.pes
            {"limits":{"activeReservations":-1}}        | 422 | invalid-terms | limits.activeReservations
            {"limits":{"activeReservations":99999999999}} | 400 | malformed   | limits.activeReservations
            {"leads":["PT1S"]}                          | 422 | invalid-terms | leads[0]
            {"leads":["PT1H"],"role":"VIEWER"}          | 422 | invalid-terms | leads
            {"leads":["PT1M","PT2M","PT3M","PT4M","PT5M","PT6M","PT7M","PT8M","PT9M"]} | 422 | invalid-terms | leads
            {"role":"VIEWER","role":"ADMIN"}            | 400 | malformed     | role
            {"role":                                    | 400 | malformed     | ''
            []                                          | 400 | malformed     | ''
            null                                        | 400 | malformed     | ''
            "role"                                      | 400 | malformed     | ''
            """)
    void wrongChangesAreRefusedAndChangeNothing(String body, int status, String code, String field) {
        var path = path(create("\"limits\":{\"pes\":3}").text("name"));
        var before = admin.get(path);

        assertProblem(admin.patch(path, body), status, code, field);

        assertThat(admin.get(path)).isEqualTo(before);
    }

    @Test
    void wrongCallsAreRefused() {
        var path = path(create("\"limits\":{}").text("name"));

        assertProblem(admin.get(path("nobody")), 404, "not-found", "");
        assertProblem(admin.get(path("a%20b")), 404, "not-found", "");
        assertProblem(admin.get(ACCOUNTS + "?after=nobody"), 400, "malformed", "after");
        assertProblem(admin.get(ACCOUNTS + "?limit=0"), 400, "malformed", "limit");
        assertProblem(admin.get(path + "/token"), 405, "method-not-allowed", "");
        assertProblem(admin.delete(ACCOUNTS), 405, "method-not-allowed", "");
        assertProblem(admin.patch(path, ""), 400, "malformed", "");
        assertProblem(admin.post(path + "/token", "", "Idempotency-Key", "k"), 400, "malformed", "Idempotency-Key");
        assertProblem(
                admin.send(admin.request(path)
                        .header("Content-Type", "text/plain")
                        .method("PATCH", BodyPublishers.ofString("{}"))),
                415,
                "unsupported-media-type",
                "");
        // a read rejects a condition, and the problem names it
        assertProblem(admin.send(admin.request(path).header("If-Match", "\"0\"").GET()), 400, "malformed", "If-Match");
    }

    @Test
    void aClientReadsAnnouncementsInItsEventsWithoutAWebhook() {
        var created = create("\"limits\":{}");
        var owner = api(created);
        var path = path(created.text("name"));
        var cluster = newCluster(4);
        var terms = "{\"readyTime\":\"%s\",\"duration\":\"PT1H\",\"pes\":1}";

        var ahead = owner.patch(
                path,
                "{\"leads\":[\"PT1H\",\"PT10M\"]}",
                "If-Match",
                owner.get("/api/v1/me").etag());
        assertThat(ahead.status()).as("%s", ahead.body()).isEqualTo(200);
        assertThat(ahead.body().path("leads").toString()).isEqualTo("[\"PT10M\",\"PT1H\"]");
        assertThat(owner.get("/api/v1/me").body()).isEqualTo(ahead.body());
        var other = client();
        var id = reserve(owner, cluster, terms.formatted(at(2))).text("id");
        reserve(other, cluster, terms.formatted(at(2)));

        pass(Duration.ofMinutes(59));
        assertThat(announcements(owner)).isEmpty();
        pass(Duration.ofMinutes(1));
        assertThat(announcements(owner)).containsExactly("starting [\"PT1H\"]");
        pass(Duration.ofMinutes(50));
        assertThat(announcements(owner)).containsExactly("starting [\"PT1H\"]", "starting [\"PT10M\"]");

        assertThat(owner.patch(path, "{\"leads\":[\"PT10M\"]}").status()).isEqualTo(200);
        pass(Duration.ofHours(2));
        assertThat(announcements(owner))
                .containsExactly("starting [\"PT1H\"]", "starting [\"PT10M\"]", "ending [\"PT10M\"]");
        assertThat(announcements(other)).isEmpty();
        assertThat(owner.get("/api/v1/reservations/" + id).text("state")).isEqualTo("COMPLETED");
        assertThat(owner.patch(path, "{\"leads\":null}").body().path("leads")).isEmpty();
    }

    /** Returns the announcements that an account receives, with their leads. */
    private static List<String> announcements(Api api) {
        return api.get("/api/v1/events?limit=500")
                .body()
                .path("items")
                .valueStream()
                .filter(event -> List.of("starting", "ending")
                        .contains(event.path("type").asString()))
                .map(event -> event.path("type").asString() + " " + event.at("/data/leads"))
                .toList();
    }

    @Test
    void aClientChangesOnlyItsOwnLeads() {
        var created = create("\"limits\":{\"pes\":3}");
        var owner = api(created);
        var path = path(created.text("name"));

        for (var change : List.of(
                "{\"limits\":null}",
                "{\"role\":\"ADMIN\"}",
                "{\"priority\":10,\"leads\":[\"PT1H\"]}",
                "{\"serviceClass\":\"PREMIUM\"}")) {
            assertProblem(owner.patch(path, change), 403, "forbidden", "");
        }
        assertProblem(owner.patch(path, "{\"leads\":[\"PT1S\"]}"), 422, "invalid-terms", "leads[0]");
        assertProblem(owner.patch(path, "{}", "If-Match", "\"7\""), 412, "stale-version", "If-Match");
        assertThat(admin.get(path).version()).isEqualTo(0);
        // a field may be sent if its value stays the same
        assertThat(owner.patch(path, "{\"limits\":{\"pes\":3},\"leads\":[\"PT1H\"]}")
                        .status())
                .isEqualTo(200);

        var other = client();
        for (var name : List.of(created.text("name"), "admin", "nobody")) {
            assertProblem(other.patch(path(name), "{\"leads\":[\"PT1H\"]}"), 404, "not-found", "");
        }
        assertThat(other.patch(path, "{}").text("detail"))
                .isEqualTo(other.patch(path("nobody"), "{}").text("detail"));
        assertThat(admin.patch(path, "{\"leads\":[\"PT2H\"]}").text("leads.0")).isEqualTo("PT2H");
    }

    @Test
    void anAccountAndItsWebhooksHaveALimitedNumberOfLeads() {
        var created = create("\"leads\":[\"PT1M\",\"PT2M\",\"PT3M\",\"PT4M\"]");
        var owner = api(created);
        var path = path(created.text("name"));
        var webhook = "{\"url\":\"https://example.org/\",\"leads\":[\"PT1M\",\"PT5M\",\"PT6M\",\"PT7M\"%s]}";

        assertProblem(
                owner.post("/api/v1/webhooks", webhook.formatted(",\"PT8M\",\"PT9M\"")),
                403,
                "limit-exceeded",
                "leads");
        var made = owner.post("/api/v1/webhooks", webhook.formatted(""));
        assertThat(made.status()).isEqualTo(201);
        assertProblem(
                owner.patch(path, "{\"leads\":[\"PT1M\",\"PT2M\",\"PT3M\",\"PT4M\",\"PT8M\",\"PT9M\"]}"),
                403,
                "limit-exceeded",
                "leads");
        assertThat(owner.patch(path, "{\"leads\":[\"PT1M\",\"PT2M\",\"PT3M\",\"PT8M\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(owner.delete("/api/v1/webhooks/" + made.text("id")).status()).isEqualTo(204);
        assertThat(owner.patch(path, "{\"leads\":[\"PT1M\",\"PT2M\",\"PT3M\",\"PT4M\",\"PT8M\",\"PT9M\"]}")
                        .status())
                .isEqualTo(200);
    }

    /** Administrators see all events, so the limit on their leads applies to all of them together. */
    @Test
    void administratorsShareALimitedNumberOfLeads() {
        var one = create("\"role\":\"ADMIN\",\"leads\":[\"PT1M\",\"PT2M\",\"PT3M\",\"PT4M\",\"PT5M\"]");
        assertThat(one.status()).isEqualTo(201);
        var more = "\"leads\":[\"PT5M\",\"PT6M\",\"PT7M\",\"PT8M\",\"PT9M\"]";

        assertProblem(create("\"role\":\"ADMIN\"," + more), 403, "limit-exceeded", "leads");
        var client = create(more);
        assertThat(client.status()).isEqualTo(201);
        assertProblem(admin.patch(path(client.text("name")), "{\"role\":\"ADMIN\"}"), 403, "limit-exceeded", "leads");
        assertThat(admin.delete(path(one.text("name"))).status()).isEqualTo(204);
        assertThat(admin.patch(path(client.text("name")), "{\"role\":\"ADMIN\"}")
                        .status())
                .isEqualTo(200);
        admin.delete(path(client.text("name")));
    }

    private Reply create(String fields) {
        return admin.post(ACCOUNTS, body(newName(), fields));
    }

    private static String body(String name, String fields) {
        var role = fields.contains("\"role\"") ? "" : "\"role\":\"CLIENT\",";
        return "{\"name\":\"%s\",%s%s}".formatted(name, role, fields);
    }

    private static String path(String name) {
        return ACCOUNTS + "/" + name;
    }

    private Api api(Reply withToken) {
        return new Api(port, Optional.of(withToken.text("token")));
    }

    private static List<String> names(Reply page) {
        return page.body()
                .get("items")
                .valueStream()
                .map(account -> account.get("name").asString())
                .toList();
    }

    private static void assertProblem(Reply reply, int status, String code, String field) {
        assertThat(reply.text("code")).as("%s", reply).isEqualTo(code);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
        assertThat(reply.text("detail")).isNotEmpty();
        assertThat(reply.body().toString()).doesNotContain("Exception", "berth.", "tools.jackson");
    }
}
