package berth.refusals.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ClusterId;
import berth.service.Api;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests what is recorded of refused requests, and who sees it. */
class RefusalsIT extends ServiceSuite {

    private static final String FULL_DAY = "{\"duration\":\"PT24H\",\"pes\":4}";

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private String name;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @BeforeEach
    void open() {
        cluster = newCluster(4);
        name = newName();
        client = new Api(port, Optional.of(tokenOf(name, "CLIENT")));
    }

    /** Returns the refused requests of a list, newest first, once there are that many. */
    private List<JsonNode> refusals(Api reader, String query, int number) {
        while (true) {
            var list = reader.get("/api/v1/refusals?limit=500&" + query);
            assertThat(list.status()).as("%s", list).isEqualTo(200);
            var items = list.body().at("/items").valueStream().toList();
            if (items.size() >= number) {
                assertThat(items).hasSize(number);
                return items;
            }
            Thread.onSpinWait();
        }
    }

    private Api.Reply ask(String body, String... headers) {
        return client.post("/api/v1/reservations", body.formatted(cluster), headers);
    }

    @Test
    void aRefusedRequestIsListedWithTheReasonAndWithWhatWouldHaveFitted() {
        reserve(client, cluster, FULL_DAY);
        var refused = ask("""
                {"cluster":"%s","project":"climate","terms":{"duration":"PT1H","pes":2,"slack":"PT1H"}}""", "X-Request-Id", "run-17");
        assertThat(refused.status()).as("%s", refused).isEqualTo(409);

        var item = refusals(client, "cluster=" + cluster, 1).getFirst();

        assertThat(item.get("at").asString()).isEqualTo(clock.instant().toString());
        assertThat(item.get("kind").asString()).isEqualTo("RESERVATION");
        assertThat(item.get("account").asString()).isEqualTo(name);
        assertThat(item.get("project").asString()).isEqualTo("climate");
        assertThat(item.get("cluster").asString()).isEqualTo(cluster);
        assertThat(item.at("/terms/pes").asInt()).isEqualTo(2);
        assertThat(item.at("/terms/duration").asString()).isEqualTo("PT1H");
        assertThat(item.get("code").asString()).isEqualTo("no-slot");
        assertThat(item.get("detail").asString()).isEqualTo(refused.text("detail"));
        assertThat(item.get("requestId").asString()).isEqualTo("run-17");
        assertThat(item.at("/wouldFit/deadline")).isEqualTo(refused.body().at("/wouldFit/deadline"));
        assertThat(item.at("/wouldFit/deadline").isNull()).isFalse();
        assertThat(item.at("/wouldFit").propertyNames()).containsExactly("deadline", "pes", "duration");
    }

    @Test
    void theDetailNamesTheLimitThatNoClusterCouldMeet() {
        ask("{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":5}}");

        var item = refusals(client, "", 1).getFirst();

        assertThat(item.get("code").asString()).isEqualTo("never-fits");
        assertThat(item.get("detail").asString()).contains("terms.pes").contains("4");
        assertThat(item.get("wouldFit").isNull()).isTrue();
    }

    @Test
    void mistakesDryRunsAndProbesAreNoRefusals() {
        reserve(client, cluster, FULL_DAY);
        assertThat(ask("{\"cluster\":\"%s\",\"terms\":{\"pes\":5}}").status()).isEqualTo(400);
        assertThat(ask("{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":5},\"dryRun\":true}")
                        .status())
                .isEqualTo(422);
        client.post("/api/v1/probes", """
                {"terms":{"duration":"PT1H","pes":2,"deadline":"%s"},"clusters":["%s"]}""".formatted(at(2), cluster));
        ask("{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT2H\",\"pes\":6}}");

        assertThat(refusals(client, "", 1).getFirst().at("/terms/pes").asInt()).isEqualTo(6);
    }

    @Test
    void refusedChangesPartsAndOccurrencesAreListedByTheirKind() {
        var other = newCluster(4);
        var mine = ask("{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":4}}");
        ask("{\"cluster\":\"%s\",\"start\":\"" + at(1) + "\",\"terms\":{\"duration\":\"PT2H\",\"pes\":4}}");
        var path = "/api/v1/reservations/%s/".formatted(mine.text("id"));
        assertThat(client.post(path + "extend", "{\"by\":\"PT1H\",\"dryRun\":true}")
                        .status())
                .isEqualTo(409);
        assertThat(client.post(path + "extend", "{\"by\":\"PT1H\"}").status()).isEqualTo(409);
        assertThat(client.post(path + "renegotiations", "{\"terms\":{\"duration\":\"PT3H\"}}")
                        .status())
                .isEqualTo(409);
        var part = "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":3,\"deadline\":\"" + at(2) + "\"}}";
        assertThat(client.post(
                                "/api/v1/coallocations",
                                "{\"parts\":[%s,%s]}".formatted(part.formatted(cluster), part.formatted(other)))
                        .status())
                .isEqualTo(409);
        assertThat(client.post("/api/v1/series", """
                        {"cluster":"%s","terms":{"duration":"PT30M","pes":4},"onConflict":"ANY",
                         "recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"%s","zone":"UTC"}}""".formatted(cluster, at(1).substring(0, 19)))
                        .status())
                .isEqualTo(201);

        var items = refusals(client, "", 5);

        assertThat(items.stream().map(item -> item.get("kind").asString()))
                .containsExactly("SERIES", "COALLOCATION", "COALLOCATION", "RENEGOTIATION", "EXTENSION");
        assertThat(items.stream()
                        .filter(item -> item.get("reservation").asString("").equals(mine.text("id")))
                        .map(item -> item.at("/terms/duration").asString()))
                .containsExactly("PT3H", "PT2H");
        assertThat(items.subList(1, 3).stream().map(item -> item.get("cluster").asString()))
                .containsExactlyInAnyOrder(cluster, other);
    }

    @Test
    void collectedAndWaitingRequestsAreListedOnceTheyAreRefused() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"intake\":{\"order\":\"DPSAR\",\"window\":\"PT1M\"}}");
        var waiting = newCluster(4);
        reserve(client, waiting, FULL_DAY);
        client.post("/api/v1/reservations", """
                {"cluster":"%s","wait":{"until":"%s"},"terms":{"duration":"PT1H","pes":4,"deadline":"%s"}}""".formatted(waiting, at(1), at(3)));
        for (int i = 0; i < 2; i++) {
            var asked = ask(
                    "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":4,\"deadline\":\"" + at(2) + "\"}}");
            assertThat(asked.status()).as("%s", asked).isEqualTo(202);
        }
        pass(Duration.ofMinutes(1));
        while (!desks.schedule(new ClusterId(cluster)).orElseThrow().requests().isEmpty()) {
            Thread.onSpinWait();
        }

        var item = refusals(client, "cluster=" + cluster, 1).getFirst();
        assertThat(item.get("code").asString()).isEqualTo("no-slot");
        assertThat(item.get("requestId").isNull()).isTrue();

        pass(Duration.ofHours(2));
        var expired = refusals(client, "cluster=" + waiting, 1).getFirst();
        assertThat(expired.get("detail").asString()).contains("waited for room");
    }

    @Test
    void accountsSeeTheirOwnAndOwnersOfAProjectThoseOfTheProject() {
        var project = newName();
        admin.post("/api/v1/projects", "{\"id\":\"%s\",\"name\":\"p\"}".formatted(project));
        var member = newName();
        var memberApi = new Api(port, Optional.of(tokenOf(member, "CLIENT")));
        admin.put("/api/v1/projects/%s/members/%s".formatted(project, name), "{\"role\":\"OWNER\"}");
        admin.put("/api/v1/projects/%s/members/%s".formatted(project, member), "{\"role\":\"MEMBER\"}");
        var body = "{\"cluster\":\"" + cluster + "\",\"project\":\"" + project
                + "\",\"terms\":{\"duration\":\"PT1H\",\"pes\":%d}}";
        assertThat(memberApi.post("/api/v1/reservations", body.formatted(7)).status())
                .isEqualTo(422);
        assertThat(client.post("/api/v1/reservations", body.formatted(8)).status())
                .isEqualTo(422);

        // requests of other tests allowed every cluster
        assertThat(refusals(admin, "cluster=%s&project=%s".formatted(cluster, project), 2))
                .hasSize(2);
        assertThat(refusals(viewer(), "code=never-fits&project=" + project, 2)).hasSize(2);
        assertThat(refusals(client, "project=" + project, 2)).hasSize(2);
        assertThat(refusals(client, "", 1).getFirst().get("account").asString()).isEqualTo(name);
        assertThat(refusals(memberApi, "project=" + project, 1)
                        .getFirst()
                        .get("account")
                        .asString())
                .isEqualTo(member);
        assertThat(refusals(admin, "account=" + member, 1)).hasSize(1);
        assertThat(refusals(client(), "project=" + project, 0)).isEmpty();
        assertThat(refusals(admin, "project=%s&code=no-slot".formatted(project), 0))
                .isEmpty();
        assertThat(refusals(admin, "project=%s&from=%s".formatted(project, at(1)), 0))
                .isEmpty();
        assertThat(refusals(admin, "project=%s&from=%s&to=%s".formatted(project, at(0), at(1)), 2))
                .hasSize(2);
        var first = admin.get("/api/v1/refusals?limit=1&project=" + project);
        var second = admin.get("/api/v1/refusals?limit=1&project=%s&after=%s".formatted(project, first.text("next")));
        assertThat(first.body().at("/items/0/terms/pes").asInt()).isEqualTo(8);
        assertThat(second.body().at("/items/0/terms/pes").asInt()).isEqualTo(7);
        assertThat(second.body().get("next").isNull()).isTrue();
    }

    /** Returns the accepted and the refused requests of a size and lead. */
    private static List<Long> cell(Api.Reply summary, int minPes, String lead) {
        return summary.body()
                .at("/bySizeAndLead")
                .valueStream()
                .filter(cell -> cell.get("minPes").asInt() == minPes
                        && cell.get("lead").asString().equals(lead))
                .map(cell -> List.of(
                        cell.get("accepted").asLong(), cell.get("refused").asLong()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theSummaryCountsAcceptedAndRefusedRequestsBySizeAndLead() {
        var at = "{\"duration\":\"PT1H\",\"pes\":%d,\"readyTime\":\"%s\",\"deadline\":\"%s\"}";
        reserve(client, cluster, "{\"duration\":\"PT1H\",\"pes\":1}");
        reserve(client, cluster, at.formatted(4, at(5), at(6)));
        assertThat(reserve(client, cluster, at.formatted(3, at(5), at(6))).status())
                .isEqualTo(409);
        assertThat(reserve(client, cluster, at.formatted(200, at(30), at(60))).status())
                .isEqualTo(422);
        refusals(client, "", 2);

        var summary = admin.get("/api/v1/refusals/summary?cluster=" + cluster);

        assertThat(summary.status()).as("%s", summary).isEqualTo(200);
        assertThat(summary.body().at("/bySizeAndLead").size()).isEqualTo(42);
        assertThat(summary.body().at("/refused/no-slot").asInt()).isEqualTo(1);
        assertThat(summary.body().at("/refused/never-fits").asInt()).isEqualTo(1);
        assertThat(cell(summary, 1, "NOW")).containsExactly(1L, 0L);
        assertThat(cell(summary, 2, "UNDER_SIX_HOURS")).containsExactly(1L, 1L);
        assertThat(cell(summary, 65, "UNDER_A_WEEK")).containsExactly(0L, 1L);
        assertThat(summary.body().get("truncated").asBoolean()).isFalse();
        var later = admin.get("/api/v1/refusals/summary?cluster=%s&from=%s&to=%s".formatted(cluster, at(1), at(2)));
        assertThat(later.body().get("refused").isEmpty()).isTrue();
        assertThat(cell(later, 1, "NOW")).containsExactly(0L, 0L);
    }

    @Test
    void aSummaryBeginsWhereRefusedRequestsAreKept() {
        var summary = viewer().get("/api/v1/refusals/summary?from=2026-01-01T00:00:00Z");

        assertThat(summary.text("from"))
                .isEqualTo(clock.instant().minus(Duration.ofDays(30)).toString());
        assertThat(viewer().get("/api/v1/refusals/summary?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("to");
    }

    @Test
    void wrongParametersAreNamed() {
        assertThat(client.get("/api/v1/refusals?account=somebody")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("account");
        assertThat(admin.get("/api/v1/refusals?code=full")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("code");
        assertThat(admin.get("/api/v1/refusals?from=yesterday")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("from");
        assertThat(admin.get("/api/v1/refusals?after=nonsense")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("after");
    }
}
