package berth.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Readings of all clusters at once, as dashboards make them; the clusters of other tests are among them. */
class ReadingsIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private Named ada;

    @SuppressWarnings("NullAway.Init")
    private Named ben;

    @SuppressWarnings("NullAway.Init")
    private String small;

    @SuppressWarnings("NullAway.Init")
    private String large;

    private record Named(String name, Api api) {}

    @BeforeEach
    void open() {
        ada = named();
        ben = named();
        small = newCluster(8);
        large = newCluster(32);
    }

    private Named named() {
        var name = newName();
        return new Named(name, new Api(port, Optional.of(tokenOf(name, "CLIENT"))));
    }

    private String in(long hours) {
        return clock.instant().plus(Duration.ofHours(hours)).toString();
    }

    /** At exactly that time. */
    private Reply book(Named who, String cluster, String project, long from, long to, int pes, String more) {
        var booked = who.api.post(
                "/api/v1/reservations", """
                    {"cluster":"%s","project":"%s"%s,"terms":{"readyTime":"%s","deadline":"%s","duration":"PT%dH","pes":%d}}""".formatted(cluster, project, more, in(from), in(to), to - from, pes));
        assertThat(booked.status()).as("%s", booked).isEqualTo(201);
        return booked;
    }

    private JsonNode utilisation(String query) {
        var reply = viewer().get("/api/v1/utilisation?" + query);
        assertThat(reply.status()).as("%s", reply).isEqualTo(200);
        return reply.body();
    }

    private static JsonNode find(JsonNode list, String field, String value) {
        return list.valueStream()
                .filter(each -> each.get(field).asString().equals(value))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void utilisationOfAllClustersShowsEachClusterAndAccount() {
        var start = clock.instant();
        var run = book(ada, small, "p", 0, 2, 8, "");
        book(ada, large, "p", 4, 6, 16, "");
        book(ben, large, "q", 1, 3, 8, "");
        book(ben, large, "q", 5, 6, 8, ",\"hold\":\"PT4H\"");
        pass(Duration.ofHours(1));
        admin.post("/api/v1/reservations/%s/complete".formatted(run.text("id")));

        var query = "from=%s&to=%s&step=PT1H".formatted(start, start.plus(Duration.ofHours(6)));
        var all = utilisation(query + "&groupBy=OWNER");

        for (var cluster : List.of(small, large)) {
            var its = find(all.get("clusters"), "cluster", cluster);
            var alone = viewer().get("/api/v1/clusters/%s/utilisation?%s".formatted(cluster, query))
                    .body();
            for (var field : List.of("pes", "mean", "points")) {
                assertThat(its.get(field)).isEqualTo(alone.get(field));
            }
        }
        var figures = find(all.get("clusters"), "cluster", large).get("figures");
        assertThat(figures.get("peHoursBooked").asDouble()).isEqualTo(56);
        assertThat(figures.get("peHoursRun").asDouble()).isEqualTo(0);
        assertThat(figures.at("/revenue").size()).isZero();
        assertThat(figures.get("bookedAhead").toString()).isEqualTo("""
            {"held":[{"amount":"8.00","currency":"USD"}],"confirmed":[{"amount":"32.00","currency":"USD"}],\
            "running":[{"amount":"16.00","currency":"USD"}]}""");
        var adas = find(all.get("groups"), "name", ada.name);
        assertThat(adas.at("/figures/peHoursBooked").asDouble()).isEqualTo(40);
        assertThat(adas.at("/figures/peHoursRun").asDouble()).isEqualTo(8);
        assertThat(adas.at("/figures/revenue/0/amount").asString()).isEqualTo("16.00");
        assertThat(adas.get("share").asDouble())
                .isEqualTo(40.0 / (6 * all.get("pes").asDouble()), within(1e-6));
        assertThat(adas.get("figures"))
                .isEqualTo(utilisation(query + "&owner=" + ada.name).get("figures"));

        pass(Duration.ofHours(1));
        var statistics = viewer().get("/api/v1/clusters/%s/statistics".formatted(large));
        assertThat(statistics.body().get("bookedAhead")).isEqualTo(figures.get("bookedAhead"));
        var later = find(utilisation(query).get("clusters"), "cluster", large);
        assertThat(later.at("/figures/peHoursRun").asDouble()).isEqualTo(8);
        pass(Duration.ofHours(24));
        var over = viewer().get("/api/v1/clusters/%s/statistics".formatted(large));
        assertThat(over.body().get("bookedAhead").toString())
                .isEqualTo("{\"held\":[],\"confirmed\":[],\"running\":[]}");
        assertThat(over.text("revenue.0.amount")).isEqualTo("48.00");
    }

    /** Each group equals a reading with its filter, and the groups add up to the whole. */
    @Test
    void groupsAddUpToAllBookings() {
        var random = new Random(15);
        var start = clock.instant();
        var projects = List.of("a-" + newName(), "b-" + newName());
        var made = new ArrayList<Reply>();
        for (int i = 0; i < 60; i++) {
            int from = random.nextInt(1, 30);
            var booked = (random.nextBoolean() ? ada : ben).api.post("/api/v1/reservations", """
                {"cluster":"%s"%s,"terms":{"readyTime":"%s","duration":"PT%dM","pes":%d}}""".formatted(
                    random.nextBoolean() ? small : large,
                    random.nextInt(3) == 0 ? "" : ",\"project\":\"%s\"".formatted(projects.get(random.nextInt(2))),
                    in(from),
                    random.nextInt(10, 300),
                    1 + random.nextInt(8)));
            assertThat(booked.status()).as("%s", booked).isEqualTo(201);
            made.add(booked);
            if (random.nextInt(4) == 0) {
                pass(Duration.ofMinutes(random.nextInt(120)));
            }
            if (random.nextInt(6) == 0) {
                var id = made.get(random.nextInt(made.size())).text("id");
                admin.post("/api/v1/reservations/%s/%s".formatted(id, random.nextBoolean() ? "cancel" : "complete"));
            }
        }
        ada.api.post("/api/v1/clusters/%s/jobs".formatted(small), "{\"pes\":1,\"estimate\":\"PT1H\"}");
        pass(Duration.ofMinutes(30));

        for (var cluster : List.of(small, large)) {
            var query = "cluster=%s&from=%s&to=%s&step=PT3H".formatted(cluster, start, in(40));
            var whole = utilisation(query);
            assertThat(whole.get("groups").size()).isZero();
            assertThat(whole.get("clusters").size()).isOne();
            assertThat(whole.at("/clusters/0/figures")).isEqualTo(whole.get("figures"));
            for (var by : List.of("OWNER", "PROJECT")) {
                var grouped = utilisation(query + "&groupBy=" + by);
                assertThat(grouped.get("figures")).isEqualTo(whole.get("figures"));
                var groups = grouped.get("groups");
                assertThat(groups.size()).isEqualTo(by.equals("OWNER") ? 2 : 3);
                double share = 0;
                double booked = 0;
                double run = 0;
                var revenue = BigDecimal.ZERO;
                var ahead = BigDecimal.ZERO;
                for (var group : groups) {
                    share += group.get("share").asDouble();
                    booked += group.at("/figures/peHoursBooked").asDouble();
                    run += group.at("/figures/peHoursRun").asDouble();
                    revenue = revenue.add(amount(group.at("/figures/revenue")));
                    ahead = ahead.add(amount(group.at("/figures/bookedAhead/confirmed")));
                    if (!group.get("name").isNull()) {
                        var alone = utilisation("%s&%s=%s"
                                .formatted(
                                        query,
                                        by.toLowerCase(java.util.Locale.ROOT),
                                        group.get("name").asString()));
                        assertThat(alone.get("figures")).isEqualTo(group.get("figures"));
                        assertThat(alone.get("mean").asDouble())
                                .isEqualTo(group.get("share").asDouble());
                    }
                }
                assertThat(share).isEqualTo(whole.get("mean").asDouble(), within(2e-6));
                assertThat(booked).isEqualTo(whole.at("/figures/peHoursBooked").asDouble(), within(2e-6));
                assertThat(run).isEqualTo(whole.at("/figures/peHoursRun").asDouble(), within(2e-6));
                assertThat(revenue).isEqualByComparingTo(amount(whole.at("/figures/revenue")));
                assertThat(ahead).isEqualByComparingTo(amount(whole.at("/figures/bookedAhead/confirmed")));
                assertThat(revenue.signum() + ahead.signum()).isEqualTo(2);
                assertThat(run).isBetween(1.0, booked - 1);
            }
        }
    }

    private static BigDecimal amount(JsonNode sums) {
        assertThat(sums.size()).isLessThan(2);
        return sums.valueStream()
                .map(money -> new BigDecimal(money.get("amount").asString()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    @Test
    void theScheduleOfAllClustersMatchesThatOfEach() {
        var adas = book(ada, small, "p", 1, 2, 8, "");
        var bens = book(ben, large, "q", 1, 2, 8, "");
        admin.post("/api/v1/clusters/%s/outages".formatted(large), """
            {"pes":1,"from":"%s","to":"%s"}""".formatted(in(5), in(6)));
        ada.api.post("/api/v1/clusters/%s/jobs".formatted(large), "{\"pes\":4,\"estimate\":\"PT1H\"}");

        var all = viewer().get("/api/v1/schedule").body().get("clusters");
        for (var cluster : List.of(small, large)) {
            var its = find(all, "cluster", cluster);
            var alone = viewer().get("/api/v1/clusters/%s/schedule".formatted(cluster))
                    .body();
            assertThat(its.get("placements")).isEqualTo(alone.get("placements"));
        }
        assertThat(find(all, "cluster", large).get("placements").size()).isEqualTo(3);
        assertThat(find(all, "cluster", small).at("/placements/0/project").asString())
                .isEqualTo("p");

        var ofAda = viewer().get("/api/v1/schedule?owner=" + ada.name).body().get("clusters");
        assertThat(find(ofAda, "cluster", small).at("/placements/0/id").asString())
                .isEqualTo(adas.text("id"));
        assertThat(find(ofAda, "cluster", large).get("placements").size()).isOne();
        assertThat(find(ofAda, "cluster", large).at("/placements/0/kind").asString())
                .isEqualTo("JOB");
        var ofBoth = viewer().get("/api/v1/schedule?owner=%s&project=q&cluster=%s".formatted(ben.name, large));
        assertThat(ofBoth.body().get("clusters").size()).isOne();
        assertThat(ofBoth.text("clusters.0.placements.0.id")).isEqualTo(bens.text("id"));
        assertThat(ofBoth.body().at("/clusters/0/placements").size()).isOne();
    }

    @Test
    void readingsRejectParametersOutOfRange() {
        var viewer = viewer();
        assertThat(viewer.get("/api/v1/utilisation?step=PT1S").text("errors.0.field"))
                .isEqualTo("step");
        assertThat(viewer.get("/api/v1/utilisation?step=PT0S").text("code")).isEqualTo("invalid-terms");
        assertThat(viewer.get("/api/v1/utilisation?groupBy=CLUSTER").text("errors.0.field"))
                .isEqualTo("groupBy");
        assertThat(viewer.get("/api/v1/utilisation?cluster=none").text("code")).isEqualTo("not-found");
        assertThat(viewer.get("/api/v1/schedule?cluster=none").text("code")).isEqualTo("not-found");
        assertThat(viewer.get("/api/v1/schedule?from=%s&to=%s".formatted(in(1), in(0)))
                        .text("errors.0.field"))
                .isEqualTo("to");
        assertThat(viewer.get("/api/v1/schedule?owner=%20").text("errors.0.field"))
                .isEqualTo("owner");
    }
}
