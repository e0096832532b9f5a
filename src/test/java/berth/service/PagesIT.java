package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Checks that each list that has pages ends a page at 256 KiB, and that its pages together have all items. */
class PagesIT extends ServiceSuite {

    private static final int MAX_BYTES = 256 << 10;

    /** More items than fit on a page, of some 4 KB each. */
    private static final int MANY = 80;

    private record Listed(Api reader, String path, boolean isHeavy) {}

    private final Map<String, Listed> lists = new LinkedHashMap<>();

    @AfterEach
    void forgetWebhooks() {
        deleteWebhooks();
    }

    @Test
    void aPageOfEachListEndsByItsSizeAndAllPagesHaveAllItems() throws Exception {
        fill();

        assertThat(lists.keySet()).containsExactlyInAnyOrderElementsOf(documented());
        lists.forEach((name, list) -> {
            var large = pages(list, 500);
            for (var page : large) {
                var items = page.valueStream().toList();
                int last = items.isEmpty() ? 0 : bytes(items.getLast());
                assertThat(bytes(page) - last).as("a page of %s", name).isLessThan(MAX_BYTES + items.size() + 2);
            }
            for (var page : large.subList(0, large.size() - 1)) {
                boolean isFull = page.size() == 500 || bytes(page) >= MAX_BYTES;
                assertThat(isFull || page.size() > 0 && name.equals("/events"))
                        .as("pages of %s are full", name)
                        .isTrue();
            }
            assertThat(large.size() > 1 || !list.isHeavy)
                    .as("%s has several pages", name)
                    .isTrue();
            var all = large.stream().flatMap(JsonNode::valueStream).toList();
            assertThat(all).as("%s", name).isNotEmpty().doesNotHaveDuplicates();
            assertThat(pages(list, 7).stream().flatMap(JsonNode::valueStream).toList())
                    .as("small pages of %s", name)
                    .isEqualTo(all);
        });
    }

    /** Makes a list of each kind; the items of the lists that clients can make heavy are as heavy as they can be. */
    private void fill() {
        var client = client();
        var cluster = newCluster(50_000);
        var project = newName();
        made(admin.post("/api/v1/projects", "{\"id\":\"%s\",\"name\":\"p\"}".formatted(project)));
        for (int i = 0; i < 10; i++) {
            made(admin.post(
                    "/api/v1/projects/%s/grants".formatted(project),
                    "{\"id\":\"g%d\",\"amount\":{\"amount\":\"9.00\",\"currency\":\"USD\"},\"until\":\"%s\"}"
                            .formatted(i, at(24 * 365))));
        }
        var ids = new ArrayList<String>();
        for (int i = 0; i < MANY; i++) {
            ids.add(made(reserve(
                            client,
                            cluster,
                            "{\"readyTime\":\"%s\",\"moldability\":{\"runtimes\":{%s}}}"
                                    .formatted(at(24), runtimes(3_000))))
                    .text("id"));
            made(client.post("/api/v1/series", """
                    {"cluster":"%s","terms":{"moldability":{"runtimes":{%s}}},
                     "recurrence":{"rrule":"FREQ=DAILY;COUNT=1","dtstart":"%s","zone":"UTC"}}""".formatted(cluster, runtimes(3_000), at(48).substring(0, 19))));
        }
        for (int i = 1; i <= MANY; i++) {
            made(client.post(
                    "/api/v1/reservations/%s/renegotiations".formatted(ids.getFirst()),
                    "{\"terms\":{\"moldability\":{\"runtimes\":{%s}}}}".formatted(runtimes(3_000 + i))));
        }
        var half = newCluster(10_000);
        var odd = IntStream.range(0, 5_000).mapToObj(i -> "" + (2 * i + 1)).collect(Collectors.joining(","));
        for (int i = 0; i < 15; i++) {
            made(admin.post(
                    "/api/v1/clusters/%s/outages".formatted(half),
                    "{\"peIds\":\"%s\",\"to\":\"%s\"}".formatted(odd, at(25 + i))));
            made(client.post("/api/v1/clusters/%s/jobs".formatted(cluster), "{\"pes\":1,\"estimate\":\"PT1H\"}"));
            made(reserve(admin, half, "{\"duration\":\"PT1S\",\"pes\":1}", project));
        }
        for (int i = 0; i < 10; i++) {
            made(client.post("/api/v1/webhooks", "{\"url\":\"http://127.0.0.1:9/%d\"}".formatted(i)));
        }
        refuse(client);
        pass(Duration.ofMinutes(5));
        list("/accounts", admin, false);
        list("/clusters", admin, false);
        list("/clusters/{cluster}/jobs", admin, false, cluster);
        list("/clusters/{cluster}/outages", admin, true, half);
        list("/events", client, true);
        list("/projects", admin, false);
        list("/projects/{id}/charges", admin, false, project);
        list("/projects/{id}/ledger", admin, false, project);
        list("/refusals", client, true);
        list("/reservations", client, true);
        list("/reservations/{id}/events", client, true, ids.getFirst());
        list("/reservations/{id}/renegotiations", client, true, ids.getFirst());
        list("/series", client, true);
        list("/webhooks", client, false);
    }

    /** Makes refused requests, and waits until they are listed. */
    private void refuse(Api client) {
        var request = """
                {"terms":{"moldability":{"runtimes":{%s}},"requires":{"refused":"always"}}}""".formatted(runtimes(3_000));
        for (int i = 1; i <= MANY; i++) {
            var refused = client.post("/api/v1/reservations", request, "X-Request-Id", "refused-" + i);
            assertThat(refused.status()).as("%s", refused).isEqualTo(422);
        }
        while (!client.get("/api/v1/refusals?limit=1")
                .body()
                .at("/items/0/requestId")
                .asString("")
                .equals("refused-" + MANY)) {
            Thread.onSpinWait();
        }
    }

    private static Api.Reply reserve(Api api, String cluster, String terms, String project) {
        return api.post("/api/v1/reservations", """
                {"cluster":"%s","terms":%s,"project":"%s"}""".formatted(cluster, terms, project));
    }

    private static Api.Reply made(Api.Reply reply) {
        assertThat(reply.status()).as("%s", reply).isBetween(200, 201);
        return reply;
    }

    /** Returns as many shapes as a request may have. */
    private static String runtimes(int seconds) {
        return IntStream.rangeClosed(1, 256)
                .mapToObj(pes -> "\"%d\":\"PT%dS\"".formatted(pes, seconds - pes))
                .collect(Collectors.joining(","));
    }

    private void list(String name, Api reader, boolean isHeavy, String... id) {
        var path = id.length == 0 ? name : name.replaceFirst("\\{\\w+}", id[0]);
        lists.put(name, new Listed(reader, path, isHeavy));
    }

    /** Returns the paths of the calls that have a limit and a cursor. */
    private static TreeSet<String> documented() throws Exception {
        var found = new TreeSet<String>();
        var document = new YAMLMapper().readTree(Files.readString(Path.of("openapi/berth.yaml")));
        document.get("paths").properties().forEach(path -> {
            var names = path.getValue().at("/get/parameters").findValuesAsString("name");
            if (names.contains("limit") && names.contains("after")) {
                found.add(path.getKey().replaceFirst("^/api/v1", ""));
            }
        });
        return found;
    }

    /** Returns the items of each page. */
    private static List<JsonNode> pages(Listed list, int limit) {
        var pages = new ArrayList<JsonNode>();
        for (var after = ""; ; ) {
            var page = list.reader.get("/api/v1%s?limit=%d%s".formatted(list.path, limit, after));
            assertThat(page.status()).as("%s", page).isEqualTo(200);
            var items = page.body().get("items");
            var next = page.body().get("next");
            // events have no end: the next of the last page is for those to come
            if (next.isNull() || items.isEmpty()) {
                pages.add(items);
                return pages;
            }
            pages.add(items);
            after = "&after=" + next.asString();
        }
    }

    private static int bytes(JsonNode node) {
        return node.toString().getBytes(StandardCharsets.UTF_8).length;
    }
}
