package berth.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reports, compared with the other calls that give the same figures. */
class ReportsIT extends ServiceSuite {

    private static final double EXACT = 1e-3;

    private final String p = "p-" + newName();
    private final String q = "q-" + newName();

    @SuppressWarnings("NullAway.Init")
    private Api reader;

    @SuppressWarnings("NullAway.Init")
    private List<Api> clients;

    @SuppressWarnings("NullAway.Init")
    private List<String> names;

    @SuppressWarnings("NullAway.Init")
    private String calm;

    @SuppressWarnings("NullAway.Init")
    private String shaken;

    /** At a full hour, like every time in these tests, so that counts by the hour agree. */
    @SuppressWarnings("NullAway.Init")
    private Instant start;

    @BeforeEach
    void open() {
        long late = clock.instant().getEpochSecond() % 3600;
        pass(Duration.ofSeconds(3600 - late));
        start = clock.instant();
        reader = viewer();
        names = List.of(newName(), newName(), newName());
        clients = names.stream()
                .map(name -> new Api(port, Optional.of(tokenOf(name, "CLIENT"))))
                .toList();
        calm = newCluster(8);
        shaken = newCluster(32);
        for (var project : List.of(p, q)) {
            admin.post("/api/v1/projects", "{\"id\":\"%s\",\"name\":\"a\"}".formatted(project));
            for (var name : names) {
                admin.put("/api/v1/projects/%s/members/%s".formatted(project, name), "{\"role\":\"MEMBER\"}");
            }
        }
        for (var cluster : List.of(calm, shaken)) {
            var changed = admin.patch("/api/v1/clusters/" + cluster, """
                    {"tariff":{"returnShare":0.5,"cancellation":{"freeUntil":"PT2H","share":0.5}},"policy":{"juggling":"ON_CONFLICT"}}""");
            assertThat(changed.status()).as("%s", changed).isEqualTo(200);
        }
    }

    private Instant in(double hours) {
        return start.plusSeconds((long) (hours * 3600));
    }

    private JsonNode read(Api by, String path) {
        var reply = by.get("/api/v1" + path);
        assertThat(reply.status()).as("%s", reply).isEqualTo(200);
        return reply.body();
    }

    private static String period(Instant from, Instant to) {
        return "from=%s&to=%s".formatted(from, to);
    }

    private static double number(JsonNode node, String path) {
        return node.at(path).asDouble();
    }

    private static double sum(JsonNode list, String path) {
        return list.valueStream().mapToDouble(each -> number(each, path)).sum();
    }

    private static BigDecimal money(JsonNode sums) {
        return sums.valueStream()
                .map(each -> new BigDecimal(each.get("amount").asString()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Books, ends and cancels runs for about two days, with outages on one cluster, until everything is over. */
    private void live(Random random) {
        for (int i = 0; i < 90; i++) {
            var client = clients.get(random.nextInt(clients.size()));
            var project = random.nextInt(3) == 0 ? "" : ",\"project\":\"%s\"".formatted(random.nextBoolean() ? p : q);
            long from = random.nextInt(30);
            var booked = client.post("/api/v1/reservations", """
                    {"cluster":"%s"%s,"terms":{"readyTime":"%s","slack":"PT%dH","duration":"PT%dM","pes":%d}}""".formatted(
                            random.nextInt(3) == 0 ? calm : shaken,
                            project,
                            clock.instant().plus(Duration.ofHours(from)),
                            random.nextInt(12),
                            random.nextInt(10, 400),
                            1 + random.nextInt(8)));
            assertThat(booked.status()).as("%s", booked).isIn(201, 409);
            if (random.nextInt(3) == 0) {
                pass(Duration.ofMinutes(random.nextInt(90)));
            }
            if (random.nextInt(4) == 0 && booked.status() == 201) {
                client.post("/api/v1/reservations/%s/cancel".formatted(booked.text("id")));
            }
            if (random.nextInt(3) == 0) {
                endOne(client, random);
            }
            if (random.nextInt(30) == 0) {
                admin.post("/api/v1/clusters/%s/outages".formatted(shaken), """
                        {"pes":%d,"from":"%s","to":"%s"}""".formatted(
                        8 + random.nextInt(24), clock.instant(), clock.instant().plus(Duration.ofHours(2))));
            }
        }
        admin.post("/api/v1/clusters/%s/outages".formatted(shaken), """
                {"pes":32,"from":"%s","to":"%s"}""".formatted(
                        clock.instant(), clock.instant().plus(Duration.ofHours(4))));
        pass(Duration.ofHours(80));
    }

    private void endOne(Api client, Random random) {
        var running = client.get("/api/v1/reservations?state=RUNNING").body().get("items");
        if (running.size() > 0) {
            var id = running.get(random.nextInt(running.size())).get("id").asString();
            client.post("/api/v1/reservations/%s/complete".formatted(id));
        }
    }

    @Test
    void reportsAgreeWithUtilisationStatisticsAndCharges() {
        live(new Random(46));
        var all = period(start, clock.instant().plusSeconds(3600));
        boolean anyCredit = false;
        for (var cluster : List.of(calm, shaken)) {
            var query = all + "&cluster=" + cluster;
            var summary = read(reader, "/reports/summary?" + query).get("current");
            var utilisation = read(reader, "/utilisation?step=PT3H&" + query);
            var statistics = read(reader, "/clusters/%s/statistics?%s".formatted(cluster, all));
            assertThat(number(summary, "/peHours/used"))
                    .isPositive()
                    .isEqualTo(number(utilisation, "/figures/peHoursRun"), within(EXACT));
            assertThat(number(summary, "/peHours/used")).isLessThan(number(summary, "/peHours/booked"));
            assertThat(money(summary.get("revenue")))
                    .isPositive()
                    .isEqualByComparingTo(money(utilisation.at("/figures/revenue")))
                    .isEqualByComparingTo(money(statistics.get("revenue")));
            assertThat(money(summary.get("credits"))).isEqualByComparingTo(money(statistics.get("credits")));
            anyCredit |= money(summary.get("credits")).signum() > 0;
            for (var figure : List.of("requests", "accepted", "moves", "slaCompliance")) {
                assertThat(summary.get(figure).asString())
                        .as(figure)
                        .isEqualTo(statistics.get(figure).asString());
            }
            long accepted = summary.get("accepted").asLong();
            assertThat(number(summary, "/acceptance"))
                    .isEqualTo((double) accepted / summary.get("requests").asLong(), within(1e-6));

            checkGroups(
                    "PROJECT",
                    "project",
                    read(reader, "/reports/projects?" + query).get("projects"),
                    query,
                    summary);
            checkGroups(
                    "OWNER", "owner", read(reader, "/reports/owners?" + query).get("owners"), query, summary);
            var hours = read(reader, "/reports/hours?" + query).get("hours");
            assertThat(hours.size()).isEqualTo(168);
            for (var figure : List.of("available", "booked", "used")) {
                assertThat(sum(hours, "/" + figure))
                        .isEqualTo(number(summary, "/peHours/" + figure), within(168 * EXACT));
            }
        }
        assertThat(anyCredit).isTrue();
        for (var project : List.of(p, q)) {
            checkCharges(project, all);
        }
    }

    private void checkGroups(String by, String field, JsonNode groups, String query, JsonNode summary) {
        assertThat(groups.size()).isEqualTo(3);
        assertThat(sum(groups, "/booked")).isEqualTo(number(summary, "/peHours/booked"), within(EXACT));
        var others = read(reader, "/utilisation?step=PT3H&groupBy=%s&%s".formatted(by, query))
                .get("groups");
        for (var group : groups) {
            var other = others.valueStream()
                    .filter(each -> each.get("name").equals(group.get(field)))
                    .findAny()
                    .orElseThrow();
            assertThat(number(group, "/used"))
                    .isPositive()
                    .isEqualTo(number(other, "/figures/peHoursRun"), within(EXACT));
            assertThat(money(group.get("revenue"))).isEqualByComparingTo(money(other.at("/figures/revenue")));
            if (group.has("points")) {
                assertThat(sum(group.get("points"), "/booked")).isEqualTo(number(group, "/booked"), within(EXACT));
                assertThat(sum(group.get("points"), "/used")).isEqualTo(number(group, "/used"), within(EXACT));
                for (var sums : List.of("revenue", "credits")) {
                    assertThat(group.get("points")
                                    .valueStream()
                                    .map(point -> money(point.get(sums)))
                                    .reduce(BigDecimal.ZERO, BigDecimal::add))
                            .isEqualByComparingTo(money(group.get(sums)));
                }
            } else {
                assertThat(group.get("reservations").asLong()).isPositive();
            }
        }
    }

    private void checkCharges(String project, String all) {
        var charges = read(admin, "/projects/%s/charges?limit=500&%s".formatted(project, all));
        var report = read(reader, "/reports/projects?%s&project=%s".formatted(all, project))
                .get("projects");
        assertThat(report.size()).isOne();
        var sums = charges.at("/sums/0");
        assertThat(money(report.at("/0/revenue")))
                .isPositive()
                .isEqualByComparingTo(sums.at("/price/amount").asString());
        assertThat(money(report.at("/0/credits")))
                .isEqualByComparingTo(sums.at("/credit/amount").asString());

        // without outages nothing is lost, so PE-hours agree, too; what was cancelled before its start has booked none
        // here
        var onCalm = read(reader, "/reports/projects?%s&project=%s&cluster=%s".formatted(all, project, calm));
        var items = charges.get("items")
                .valueStream()
                .filter(item -> item.get("cluster").asString().equals(calm)
                        && item.at("/peHours/used").asDouble() > 0)
                .toList();
        for (var figure : List.of("booked", "used")) {
            assertThat(number(onCalm, "/projects/0/" + figure))
                    .isPositive()
                    .isEqualTo(
                            items.stream()
                                    .mapToDouble(item ->
                                            item.at("/peHours/" + figure).asDouble())
                                    .sum(),
                            within(EXACT));
        }
    }

    @Test
    void aSummaryShowsThePeriodBefore() {
        live(new Random(47));
        var query = "&cluster=" + shaken;

        var both = read(reader, "/reports/summary?" + period(in(24), in(48)) + query);
        var before = read(reader, "/reports/summary?" + period(in(0), in(24)) + query);

        assertThat(both.get("before")).isEqualTo(before.get("current"));
        assertThat(number(both, "/before/peHours/used")).isPositive();
        assertThat(before.at("/before/peHours/total").asInt()).isZero();
        assertThat(before.at("/before/bookedShare").isNull()).isTrue();
    }

    @Test
    void theCapacityFollowsTheSizeOfTheClusterAndItsOutages() {
        admin.post("/api/v1/clusters/%s/outages".formatted(calm), """
                {"pes":4,"from":"%s","to":"%s"}""".formatted(in(3), in(4)));
        pass(Duration.ofHours(2));
        admin.patch("/api/v1/clusters/" + calm, "{\"pes\":16}");
        pass(Duration.ofHours(2));

        var summary = read(reader, "/reports/summary?%s&cluster=%s".formatted(period(in(-2), in(4)), calm));

        assertThat(number(summary, "/current/peHours/total")).isEqualTo(2 * 8 + 2 * 16);
        assertThat(number(summary, "/current/peHours/outOfService")).isEqualTo(4);
        assertThat(number(summary, "/current/peHours/available")).isEqualTo(44);
        var hours =
                read(reader, "/reports/hours?%s&zone=Asia/Kathmandu&cluster=%s".formatted(period(in(-2), in(4)), calm));
        assertThat(sum(hours.get("hours"), "/available")).isEqualTo(44);
        var local = in(3).atZone(java.time.ZoneId.of("Asia/Kathmandu"));
        int index = local.getDayOfWeek().ordinal() * 24 + local.getHour();
        // 5:45 ahead of UTC, so each full hour of UTC begins within an hour of Kathmandu
        assertThat(number(hours.get("hours").get(index), "/available")).isEqualTo(0.25 * 16 + 0.75 * 12, within(8.0));
        assertThat(hours.get("hours").get(index).get("hour").asInt()).isEqualTo(local.getHour());
    }

    @Test
    void anOwnerOfAProjectReadsReportsOnItAlone() {
        admin.put("/api/v1/projects/%s/members/%s".formatted(p, names.getFirst()), "{\"role\":\"OWNER\"}");
        var owner = clients.getFirst();
        for (var report : List.of("summary", "projects", "owners", "hours")) {
            var path = "/api/v1/reports/" + report;
            assertThat(owner.get(path).status()).isEqualTo(403);
            assertThat(owner.get(path + "?project=" + q).status()).isEqualTo(403);
            assertThat(owner.get(path + "?project=unknown").status()).isEqualTo(403);
            assertThat(clients.get(1).get(path + "?project=" + p).status()).isEqualTo(403);
            assertThat(owner.get(path + "?project=" + p).status()).isEqualTo(200);
        }
        var summary = read(owner, "/reports/summary?project=" + p);
        assertThat(summary.at("/current/peHours/total").isNull()).isTrue();
        assertThat(summary.at("/current/requests").isNull()).isTrue();
        assertThat(read(owner, "/reports/hours?project=" + p)
                        .at("/hours/0/available")
                        .isNull())
                .isTrue();
    }

    @Test
    void reportsAreServedAsCsv() throws IOException, InterruptedException {
        var booked = clients.getFirst().post("/api/v1/reservations", """
                {"cluster":"%s","project":"=%s","terms":{"readyTime":"%s","duration":"PT1H","pes":8}}""".formatted(calm, p, start));
        assertThat(booked.status()).as("%s", booked).isEqualTo(201);
        pass(Duration.ofHours(2));
        var query = "?%s&cluster=%s".formatted(period(start, in(2)), calm);

        assertThat(csv("summary" + query))
                .startsWith("figure,currency,value,before\r\n")
                .contains("\r\npe_hours_booked,,8,0\r\n", "\r\naccepted,,1,0\r\n", "\r\nrevenue,USD,8.00,0\r\n");
        assertThat(csv("projects" + query)).isEqualTo("""
                        start,project,pe_hours_booked,pe_hours_used,currency,revenue,credits
                        %1$s,'=%2$s,8,8,,,
                        %1$s,'=%2$s,,,USD,8.00,0
                        """.formatted(start, p).replace("\n", "\r\n"));
        assertThat(csv("owners" + query)).contains("\r\n%s,8,8,1,USD,8.00,0\r\n".formatted(names.getFirst()));
        assertThat(csv("hours" + query).lines()).hasSize(169);
    }

    private String csv(String report) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(
                            URI.create("http://localhost:%d/api/v1/reports/%s".formatted(port, report)))
                    .header("Authorization", "Bearer " + ADMIN_TOKEN)
                    .header("Accept", "text/csv, application/problem+json");
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            assertThat(response.headers().firstValue("Content-Type")).hasValue("text/csv;charset=UTF-8");
            return response.body();
        }
    }

    @Test
    void reportsNameTheParameterThatIsWrong() {
        for (var wrong : Map.of(
                        "summary?from=" + in(2) + "&to=" + in(1),
                        "to",
                        "summary?from=1990-01-01T00:00:00Z",
                        "from",
                        "projects?step=PT1M",
                        "step",
                        "owners?limit=101",
                        "limit",
                        "owners?limit=x",
                        "limit",
                        "hours?zone=Mars",
                        "zone",
                        "summary?project=%20",
                        "project")
                .entrySet()) {
            var reply = reader.get("/api/v1/reports/" + wrong.getKey());
            assertThat(reply.status()).as("%s", reply).isEqualTo(400);
            assertThat(reply.text("errors.0.field")).as(wrong.getKey()).isEqualTo(wrong.getValue());
        }
        assertThat(reader.get("/api/v1/reports/projects?step=PT0S").text("code"))
                .isEqualTo("invalid-terms");
        assertThat(Stream.of("summary", "projects", "owners", "hours")
                        .map(report -> reader.get("/api/v1/reports/%s?cluster=none".formatted(report)))
                        .map(Reply::status))
                .containsOnly(404);
    }
}
