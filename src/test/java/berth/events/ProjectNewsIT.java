package berth.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import berth.webhooks.Receiver;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The events of a project, which its members read as long as they are members. */
@Timeout(180)
class ProjectNewsIT extends ServiceSuite {

    private static final String EVENTS = "/api/v1/events";
    private static final String WEBHOOKS = "/api/v1/webhooks";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String project = newName();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Api> callers = new HashMap<>();

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @BeforeEach
    void makeProject() {
        cluster = newCluster(8);
        callers.put("admin", admin);
        for (var who : List.of("author", "viewer", "stranger")) {
            names.put(who, newName());
            callers.put(who, new Api(port, Optional.of(tokenOf(name(who), "CLIENT"))));
        }
        admin.post("/api/v1/projects", "{\"id\":\"%s\",\"name\":\"Climate models\"}".formatted(project));
        assertThat(admin.put(member("author"), "{\"role\":\"MEMBER\"}").status())
                .isEqualTo(200);
        assertThat(admin.put(member("viewer"), "{\"role\":\"VIEWER\"}").status())
                .isEqualTo(200);
    }

    @AfterEach
    void giveUpWebhooks() {
        for (var hook : admin.get(WEBHOOKS + "?limit=500").body().get("items")) {
            if (names.containsValue(hook.get("owner").asString())) {
                admin.delete(WEBHOOKS + "/" + hook.get("id").asString());
            }
        }
    }

    private String name(String who) {
        return names.getOrDefault(who, "admin");
    }

    private Api caller(String who) {
        return callers.getOrDefault(who, admin);
    }

    private String member(String who) {
        return "/api/v1/projects/%s/members/%s".formatted(project, name(who));
    }

    private void expel(String who) {
        assertThat(admin.delete(member(who)).status()).isEqualTo(204);
    }

    private String file(String who, String label) {
        return file(who, label, "");
    }

    /** The cluster for an hour of the next three days. */
    private String file(String who, String label, String further) {
        var reply = caller(who).post("/api/v1/reservations", """
                {"cluster":"%s","project":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}%s}""".formatted(cluster, label, at(24), at(96), further));
        assertThat(reply.status()).as(reply.body().toString()).isIn(201, 202);
        return reply.text("id");
    }

    private Reply series(String who, String label) {
        var first = clock.instant().plus(Duration.ofDays(10)).toString().substring(0, 16);
        var reply = caller(who).post("/api/v1/series", """
                {"cluster":"%s","project":"%s","recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"%s","zone":"UTC"},
                "terms":{"duration":"PT1H","pes":1}}""".formatted(cluster, label, first));
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(201);
        return reply;
    }

    private static List<String> ids(Reply list) {
        return list.body().at("/items").findValuesAsString("id");
    }

    private static String about(JsonNode event) {
        return event.get("reservation").asString("");
    }

    /** The events of the cluster of this test that an account reads, of reservations under a label. */
    private List<String> told(String who, String label) {
        var page = caller(who).get(EVENTS + "?limit=500&from=" + at(0) + "&project=" + label);
        assertThat(page.status()).isEqualTo(200);
        return page.body()
                .at("/items")
                .valueStream()
                .filter(event -> event.get("cluster").asString().equals(cluster))
                .map(event -> event.get("type").asString() + " " + about(event))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"author,true", "viewer,true", "stranger,false", "admin,true"})
    void aMemberListsTheSeriesOfItsProject(String who, boolean isShown) {
        var filed = series("author", project).text("id");
        var elsewhere = series("author", newName()).text("id");

        var found = ids(caller(who).get("/api/v1/series?limit=500&project=" + project));
        assertThat(found.contains(filed)).isEqualTo(isShown);
        assertThat(found).doesNotContain(elsewhere);
        // without the parameter project, an account lists its own series
        assertThat(ids(caller(who).get("/api/v1/series?limit=500")).contains(filed))
                .isEqualTo(who.equals("author") || who.equals("admin"));
        expel("viewer");
        assertThat(ids(caller("viewer").get("/api/v1/series?project=" + project)))
                .isEmpty();
    }

    @Test
    void aMalformedProjectIsRejected() {
        for (var path : List.of("/api/v1/series", EVENTS, EVENTS + "/stream")) {
            var refused = caller("viewer").get(path + "?project=");
            assertThat(refused.status()).as(path).isEqualTo(400);
            assertThat(refused.text("errors.0.field")).isEqualTo("project");
        }
    }

    @ParameterizedTest
    @CsvSource({"author,true", "viewer,true", "stranger,false", "admin,true"})
    void aMemberReadsTheEventsOfItsProject(String who, boolean isTold) {
        var filed = file("author", project);
        caller("author").post("/api/v1/reservations/" + filed + "/cancel");
        var elsewhere = file("author", newName());
        admin.patch("/api/v1/clusters/" + cluster, "{\"pes\":9}");

        assertThat(told(who, project))
                .containsExactlyElementsOf(isTold ? List.of("confirmed " + filed, "cancelled " + filed) : List.of());
        assertThat(told("admin", project)).noneMatch(event -> event.endsWith(elsewhere));
    }

    @Test
    void theEventsOfAProjectIncludeWaitingRequests() {
        var day = """
                {"readyTime":"%s","deadline":"%s","duration":"P3D","pes":8}""".formatted(at(24), at(96));
        assertThat(reserve(caller("stranger"), cluster, day).status()).isEqualTo(201);
        var waiting = file("author", project, ",\"wait\":{\"until\":\"%s\"}".formatted(at(90)));

        assertThat(told("viewer", project)).hasSize(1).allMatch(event -> event.endsWith(waiting));
        assertThat(told("stranger", project)).isEmpty();
    }

    @Test
    void aFormerMemberReadsOnlyEventsOfItsOwnReservations() {
        var label = newName();
        var own = file("viewer", label);
        var others = file("stranger", label);
        assertThat(told("viewer", label)).containsExactly("confirmed " + own);
        admin.post("/api/v1/projects", "{\"id\":\"%s\",\"name\":\"Later\"}".formatted(label));
        var member = "/api/v1/projects/%s/members/%s".formatted(label, name("viewer"));
        admin.put(member, "{\"role\":\"VIEWER\"}");
        assertThat(told("viewer", label)).containsExactly("confirmed " + own, "confirmed " + others);

        assertThat(admin.delete(member).status()).isEqualTo(204);

        assertThat(told("viewer", label)).containsExactly("confirmed " + own);
    }

    @Test
    void anAgentReadsEventsOfAProjectOnlyOnItsCluster() {
        var agent = new Api(port, Optional.of(tokenOfAgent(newName(), cluster)));
        var filed = file("author", project);
        file("author", newName());

        var events = agent.get(EVENTS + "?project=" + project).body().at("/items");
        assertThat(events.valueStream().map(ProjectNewsIT::about)).containsExactly(filed);
    }

    @Test
    void aWaitForEventsFollowsTheMembership() throws Exception {
        var since = caller("viewer").get(EVENTS + "?from=" + at(0) + "&project=" + project);
        var path = EVENTS + "?project=%s&from=%s".formatted(project, at(0));
        assertThat(since.body().at("/items")).isEmpty();
        var first = waiting("viewer", path, 20);
        var filed = file("author", project);
        assertThat(first.get(20, TimeUnit.SECONDS).body()).contains(filed);

        var cursor = caller("viewer").get(path).text("next");
        var second = waiting("viewer", EVENTS + "?project=%s&after=%s".formatted(project, cursor), 5);
        expel("viewer");
        file("author", project);
        assertThat(second.get(20, TimeUnit.SECONDS).body()).contains("\"items\":[]");
    }

    private CompletableFuture<HttpResponse<String>> waiting(String who, String path, int seconds) {
        return http.sendAsync(
                caller(who).request(path).header("Prefer", "wait=" + seconds).build(), BodyHandlers.ofString());
    }

    @Test
    void aStreamOfAProjectEndsWithTheMembership() throws Exception {
        var path = EVENTS + "/stream?project=" + project;
        var strange = http.send(caller("stranger").request(path).build(), BodyHandlers.ofLines());
        assertThat(strange.statusCode()).isEqualTo(200);
        var heard = http.send(caller("viewer").request(path).build(), BodyHandlers.ofLines());
        assertThat(heard.statusCode()).isEqualTo(200);
        var lines = heard.body().iterator();

        var filed = file("author", project);
        var line = lines.next();
        while (!line.startsWith("data: ")) {
            line = lines.next();
        }
        assertThat(line).contains(filed);
        expel("viewer");
        var later = file("author", project);

        // where it did not end, this would not
        assertThat(heardBy(lines)).noneMatch(each -> each.contains(later));
        admin.put(member("stranger"), "{\"role\":\"VIEWER\"}");
        assertThat(heardBy(strange.body().iterator())).noneMatch(each -> each.contains(project));
    }

    private static List<String> heardBy(Iterator<String> lines) {
        var rest = new ArrayList<String>();
        lines.forEachRemaining(rest::add);
        return rest;
    }

    @Test
    void aFeedShowsReservationsOfAProjectWhileItsAccountIsAMember() throws Exception {
        var filed = file("author", project);
        var feeds = "/api/v1/accounts/%s/feeds";
        var path = caller("viewer")
                .post(feeds.formatted(name("viewer")), "{\"project\":\"%s\"}".formatted(project))
                .text("path");
        var plain = caller("viewer").post(feeds.formatted(name("viewer")), "{}").text("path");
        var strange = caller("stranger")
                .post(feeds.formatted(name("stranger")), "{\"project\":\"%s\"}".formatted(project))
                .text("path");

        var shown = read(path, "none");
        var text = shown.body().replace("\r\n ", "");
        assertThat(text)
                .contains(filed)
                .contains("Reserved by " + name("author"))
                .contains("Berth: " + project);
        assertThat(read(plain, "none").body()).doesNotContain(filed);
        assertThat(read(strange, "none").body()).doesNotContain(filed).contains("Berth: " + name("stranger"));
        var tag = shown.headers().firstValue("ETag").orElseThrow();
        assertThat(read(path, tag).statusCode()).isEqualTo(304);
        caller("author").post("/api/v1/reservations/" + filed + "/cancel");
        assertThat(read(path, tag).body().replace("\r\n ", "")).contains("CANCELLED");

        expel("viewer");

        assertThat(read(path, tag).statusCode()).isEqualTo(200);
        assertThat(read(path, "none").body()).doesNotContain(filed);
    }

    private HttpResponse<String> read(String path, String tag) throws Exception {
        return http.send(
                new Api(port, Optional.empty())
                        .request(path)
                        .header("If-None-Match", tag)
                        .build(),
                BodyHandlers.ofString());
    }

    private void subscribe(String who, Receiver receiver, String label) {
        var made = caller(who)
                .post(
                        WEBHOOKS,
                        "{\"url\":\"%s\",\"format\":\"THIN\",\"project\":\"%s\"}".formatted(receiver.url(), label));
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        assertThat(made.text("project")).isEqualTo(label);
    }

    private List<String> heard(Receiver receiver) {
        return receiver.messages().stream()
                .filter(message -> message.event().startsWith(cluster + " "))
                .map(Receiver.Message::reservation)
                .distinct()
                .toList();
    }

    @Test
    void aWebhookReceivesEventsOfAProjectWhileItsOwnerIsAMember() throws Exception {
        var label = newName();
        try (var viewers = new Receiver();
                var strangers = new Receiver();
                var admins = new Receiver()) {
            subscribe("viewer", viewers, project);
            subscribe("stranger", strangers, label);
            subscribe("admin", admins, project);

            var filed = file("author", project);
            file("author", label);
            file("viewer", label);
            var own = file("stranger", label);
            await().untilAsserted(() -> {
                assertThat(heard(viewers)).containsExactly(filed);
                assertThat(heard(admins)).containsExactly(filed);
                assertThat(heard(strangers)).containsExactly(own);
            });
            expel("viewer");
            var later = file("author", project);
            await().untilAsserted(() -> assertThat(heard(admins)).containsExactly(filed, later));
            // an event of the others would have come before it
            admin.put(member("viewer"), "{\"role\":\"VIEWER\"}");
            var again = file("author", project);
            await().untilAsserted(() -> assertThat(heard(viewers)).containsExactly(filed, again));
        } finally {
            admin.get(WEBHOOKS)
                    .body()
                    .at("/items")
                    .valueStream()
                    .filter(hook -> hook.path("project").asString("").equals(project))
                    .forEach(
                            hook -> admin.delete(WEBHOOKS + "/" + hook.get("id").asString()));
        }
    }

    @Test
    void aFormerMemberReceivesNoPendingEventsOfOthers() throws Exception {
        admin.put(member("viewer"), "{\"role\":\"MEMBER\"}");
        try (var receiver = new Receiver().behaving((number, _) -> number == 1 ? 503 : 204)) {
            subscribe("viewer", receiver, project);
            var missed = file("author", project);
            await().untilAsserted(() -> assertThat(heard(receiver)).containsExactly(missed));
            var own = file("viewer", project);
            expel("viewer");

            // Berth sets the time of the next attempt after the receiver has the message
            await().untilAsserted(() -> {
                clock.advance(Duration.ofSeconds(10));
                assertThat(heard(receiver)).containsExactly(missed, own);
            });
            assertThat(receiver.messages()).hasSize(2);
        }
    }

    @Test
    void aWebhookOfAProjectHasNoLeads() {
        var refused = caller("viewer").post(WEBHOOKS, """
                {"url":"https://example.org/","project":"%s","leads":["PT1H"]}""".formatted(project));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("errors.0.field")).isEqualTo("leads");
        var made = caller("viewer").post(WEBHOOKS, """
                {"url":"https://example.org/","project":"%s"}""".formatted(project));
        var path = WEBHOOKS + "/" + made.text("id");
        assertThat(caller("viewer").patch(path, "{\"leads\":[\"PT1H\"]}").status())
                .isEqualTo(422);
        var freed = caller("viewer").patch(path, "{\"leads\":[\"PT1H\"],\"project\":null}");
        assertThat(freed.status()).isEqualTo(200);
        assertThat(freed.body().get("project").isNull()).isTrue();
    }
}
