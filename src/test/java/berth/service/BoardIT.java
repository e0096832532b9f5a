package berth.service;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks that the Grafana board, the alerts and the table of metrics use only metrics that the service exports. */
class BoardIT extends ServiceSuite {

    private static final Path DOCS = Path.of("docs");
    private static final Pattern SELECTOR = Pattern.compile("([a-z_][a-z0-9_]*)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern METRIC = Pattern.compile("\\b(?:berth|http|jvm)_[a-z0-9_]+");
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");

    /** Labels that Prometheus adds. */
    private static final Set<String> FOREIGN_LABELS = Set.of("job", "instance");

    private static final Set<String> FOREIGN_METRICS = Set.of("up");

    @SuppressWarnings("NullAway.Init")
    private Scrape scrape;

    @BeforeEach
    void read() throws Exception {
        admin.post("/api/v1/probes", """
                {"terms":{"duration":"PT1H","pes":1}}""");
        admin.put("/api/v1/clusters/demo/enforcement", "{\"agent\":\"head1\",\"reservations\":[]}");
        // a request is counted after its response
        await().until(() -> !Scrape.of(admin)
                .of("http_server_requests_seconds_count", Map.of())
                .isEmpty());
        scrape = Scrape.of(admin);
    }

    @Test
    void theBoardQueriesExistingMetrics() throws Exception {
        var board = board();
        var expressions = expressions(board);

        assertThat(expressions).hasSizeGreaterThanOrEqualTo(14).allSatisfy(this::assertAnswered);
        assertThat(board.at("/templating/list")
                        .valueStream()
                        .map(variable -> variable.get("name").asString()))
                .containsExactly("DS_PROMETHEUS", "job", "cluster");
    }

    @Test
    void everyPanelHasAPlaceOfItsOwnAndTheChosenDatasource() throws Exception {
        var places = new ArrayList<JsonNode>();
        for (var panel : board().get("panels")) {
            assertThat(panel.at("/datasource/uid").asString()).isEqualTo("${DS_PROMETHEUS}");
            var place = panel.get("gridPos");
            assertThat(place.get("x").asInt() + place.get("w").asInt()).isLessThanOrEqualTo(24);
            assertThat(places).noneMatch(other -> overlap(place, other));
            places.add(place);
        }
    }

    private static boolean overlap(JsonNode one, JsonNode other) {
        return overlap(one, other, "x", "w") && overlap(one, other, "y", "h");
    }

    private static boolean overlap(JsonNode one, JsonNode other, String from, String length) {
        int start = one.get(from).asInt();
        int otherStart = other.get(from).asInt();
        return start < otherStart + other.get(length).asInt()
                && otherStart < start + one.get(length).asInt();
    }

    @Test
    void theAlertsWatchExistingMetrics() throws Exception {
        var expressions = Files.readAllLines(DOCS.resolve("prometheus-alerts.yml")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("expr: "))
                .map(line -> line.substring("expr: ".length()))
                .toList();

        assertThat(expressions).isNotEmpty().allSatisfy(this::assertAnswered);
    }

    @Test
    void theTableNamesAllMetricsOfBerthAndNoOthers() throws Exception {
        var told = Files.readAllLines(DOCS.resolve("reference/metrics.md")).stream()
                .dropWhile(line -> !line.equals("## Service"))
                .takeWhile(line -> !line.equals("## Several instances"))
                .filter(line -> line.startsWith("| `berth_"))
                .map(line -> line.split("`")[1])
                .toList();
        var suffix = Pattern.compile("_(bucket|sum|count|max)$");
        var exposed = scrape.samples().stream()
                .map(sample -> sample.name())
                .filter(name -> name.startsWith("berth_"))
                .map(name -> suffix.matcher(name).replaceFirst(""))
                .collect(toSet());

        assertThat(told).containsExactlyInAnyOrderElementsOf(exposed);
    }

    private static JsonNode board() throws Exception {
        return JsonMapper.shared().readTree(Files.readString(DOCS.resolve("grafana/berth.json")));
    }

    /** Returns the expressions of the panels and variables. */
    private static List<String> expressions(JsonNode board) {
        return Stream.concat(board.findValues("expr").stream(), board.findValues("definition").stream())
                .map(JsonNode::asString)
                .toList();
    }

    private void assertAnswered(String expression) {
        var selectors = SELECTOR.matcher(expression).results().toList();
        var named = METRIC.matcher(expression).results().map(MatchResult::group);
        var labels = selectors.stream()
                .map(selector -> selector.group(1))
                .flatMap(name -> scrape.of(name, Map.of()).stream())
                .flatMap(sample -> sample.labels().keySet().stream())
                .collect(toSet());
        labels.addAll(FOREIGN_LABELS);

        assertThat(Stream.concat(named, selectors.stream().map(selector -> selector.group(1))))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(FOREIGN_METRICS.contains(name)
                                || !scrape.of(name, Map.of()).isEmpty())
                        .as("%s in %s", name, expression)
                        .isTrue());
        assertThat(selectors).allSatisfy(this::assertMatches);
        assertThat(BY.matcher(expression)
                        .results()
                        .flatMap(by -> Stream.of(by.group(1).split(", *"))))
                .isSubsetOf(labels);
    }

    /** Checks that the metric has each label, and each value that is matched exactly. */
    private void assertMatches(MatchResult selector) {
        var name = selector.group(1);
        var matchers = MATCHER.matcher(selector.group(2)).results().toList();
        assertThat(matchers)
                .filteredOn(matcher -> !FOREIGN_LABELS.contains(matcher.group(1)))
                .allSatisfy(matcher -> assertThat(scrape.of(name, Map.of()))
                        .as(selector.group())
                        .anyMatch(sample -> matcher.group(2).equals("=")
                                ? matcher.group(3).equals(sample.labels().get(matcher.group(1)))
                                : sample.labels().containsKey(matcher.group(1))));
    }
}
