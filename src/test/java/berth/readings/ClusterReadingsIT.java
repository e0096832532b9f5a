package berth.readings;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Meanwhile;
import berth.accounts.Account;
import berth.accounts.Role;
import berth.booking.web.ClusterLookup;
import berth.engine.QueuePlans;
import berth.engine.Records;
import berth.readings.Schedules.ScheduleBody;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.commands.Reserve;
import berth.service.Api;
import berth.service.ServiceSuite;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.ServletWebRequest;
import tools.jackson.databind.json.JsonMapper;

class ClusterReadingsIT extends ServiceSuite {

    private String in(Duration time) {
        return clock.instant().plus(time).toString();
    }

    @Test
    void theScheduleShowsPastAndFutureReservations() {
        var cluster = newCluster(8);
        var start = clock.instant();
        var stopped = reserve(admin, cluster, """
                {"duration":"PT2H","pes":8}""");
        reserve(admin, cluster, """
                {"readyTime":"%s","duration":"PT1H","pes":8}""".formatted(start.plus(Duration.ofDays(2))));
        pass(Duration.ofHours(1));
        admin.post("/api/v1/reservations/%s/cancel".formatted(stopped.text("id")));

        var schedule = viewer().get("/api/v1/clusters/%s/schedule?from=%s&to=%s"
                .formatted(cluster, start, start.plus(Duration.ofDays(1))));

        assertThat(schedule.body().get("placements").size()).isEqualTo(1);
        assertThat(schedule.text("placements.0.state")).isEqualTo("CANCELLED");
        assertThat(schedule.text("placements.0.end"))
                .isEqualTo(start.plus(Duration.ofHours(1)).toString());
        assertThat(schedule.text("placements.0.part")).isEqualTo("0");
        // the cancellation is the last event
        var events = admin.get("/api/v1/reservations/%s/events".formatted(stopped.text("id")));
        assertThat(schedule.body().get("sequence"))
                .isEqualTo(events.body()
                        .get("items")
                        .valueStream()
                        .toList()
                        .getLast()
                        .get("sequence"));
    }

    @Test
    void utilisationShowsPastUseAndFutureBookings() {
        var cluster = newCluster(8);
        var start = clock.instant();
        var run = reserve(admin, cluster, "{\"duration\":\"PT2H\",\"pes\":8}");
        reserve(admin, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofMinutes(210)), in(Duration.ofMinutes(270))));
        pass(Duration.ofHours(1));
        admin.post("/api/v1/reservations/%s/complete".formatted(run.text("id")));

        var utilisation = viewer().get("/api/v1/clusters/%s/utilisation?from=%s&to=%s&step=PT1H"
                .formatted(cluster, start, start.plus(Duration.ofMinutes(270))));

        assertThat(utilisation
                        .body()
                        .get("points")
                        .valueStream()
                        .map(point -> point.get("utilisation").asDouble()))
                .containsExactly(1.0, 0.0, 0.0, 0.25, 0.5);
        assertThat(utilisation.body().get("mean").asDouble()).isEqualTo(0.333333);
    }

    @Test
    void utilisationSaysHowMuchOfThePesInServiceIsBooked() {
        var cluster = newCluster(8);
        var start = clock.instant();
        reserve(admin, cluster, "{\"duration\":\"PT2H\",\"pes\":2}");
        var outages = "/api/v1/clusters/%s/outages".formatted(cluster);
        admin.post(outages, "{\"pes\":4,\"from\":\"%s\",\"to\":\"%s\"}".formatted(start, in(Duration.ofHours(1))));

        var utilisation = viewer().get("/api/v1/clusters/%s/utilisation?from=%s&to=%s&step=PT1H"
                .formatted(cluster, start, start.plus(Duration.ofHours(2))));

        assertThat(utilisation
                        .body()
                        .get("points")
                        .valueStream()
                        .map(point -> point.get("utilisationInService").asDouble()))
                .containsExactly(0.5, 0.25);
        assertThat(utilisation.body().get("mean").asDouble()).isEqualTo(0.25);
        assertThat(utilisation.body().get("meanInService").asDouble()).isEqualTo(0.333333);
    }

    @Test
    void statisticsCountDecisions() {
        var cluster = newCluster(8);
        var start = clock.instant();
        var run = reserve(admin, cluster, """
                {"duration":"PT1H","pes":8,"deadline":"%s"}""".formatted(in(Duration.ofHours(1))));
        reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":9}");
        reserve(admin, cluster, """
                {"duration":"PT1H","pes":8,"deadline":"%s"}""".formatted(in(Duration.ofHours(1))));
        admin.post("/api/v1/clusters/%s/outages".formatted(cluster), """
                {"pes":1,"from":"%s"}""".formatted(in(Duration.ofHours(3))));
        pass(Duration.ofHours(2));

        var figures = viewer().get("/api/v1/clusters/%s/statistics?from=%s".formatted(cluster, start));

        assertThat(run.status()).isEqualTo(201);
        assertThat(figures.body().get("requests").asInt()).isEqualTo(3);
        assertThat(figures.body().get("accepted").asInt()).isEqualTo(1);
        assertThat(figures.body().get("refused").toString()).isEqualTo("{\"never-fits\":1,\"no-slot\":1}");
        assertThat(figures.text("revenue.0.amount")).isEqualTo("8.00");
        assertThat(figures.body().get("slaCompliance").asDouble()).isEqualTo(1.0);
        assertThat(figures.body().get("meanSlowdown").asDouble()).isEqualTo(1.0);
    }

    @Test
    void aHoldThatFailsIsCreditedNothing() {
        var cluster = newCluster(8);
        admin.post("/api/v1/reservations", """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8},"cluster":"%s","hold":"PT5M"}""".formatted(in(Duration.ofHours(2)), in(Duration.ofHours(3)), cluster));
        admin.post("/api/v1/clusters/%s/outages".formatted(cluster), "{\"pes\":1}");

        var figures = viewer().get("/api/v1/clusters/%s/statistics".formatted(cluster));

        assertThat(figures.body().get("slaCompliance").asDouble()).isZero();
        assertThat(figures.body().get("credits").size()).isZero();
    }

    @Test
    void wrongRangesAreRefused() {
        var path = "/api/v1/clusters/%s/".formatted(newCluster(8));
        for (var wrong : new String[][] {
            {"utilisation?step=PT0S", "step"},
            {"utilisation?step=hour", "step"},
            {"utilisation?step=PT1S&to=" + in(Duration.ofDays(12)), "step"},
            {"utilisation?from=2027-01-02T00:00:00Z&to=2027-01-02T00:00:00Z", "to"},
            {"statistics?from=yesterday", "from"},
            {"statistics?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z", "to"},
            {"schedule?to=9", "to"},
        }) {
            var refused = admin.get(path + wrong[0]);
            assertThat(refused.status()).as(wrong[0]).isBetween(400, 422);
            assertThat(refused.text("errors.0.field")).as(wrong[0]).isEqualTo(wrong[1]);
        }
    }

    @Test
    void theMapShowsWhereRunsWouldFitAndWhatTheyCost() {
        var cluster = newCluster(8);
        var start = clock.instant();
        reserve(admin, cluster, "{\"duration\":\"PT2H\",\"pes\":6}");

        var map = client().post("/api/v1/probes/map", """
                {"duration":"PT1H","clusters":["%s"],"from":"%s","to":"%s","step":"PT1H"}""".formatted(cluster, start, start.plus(Duration.ofHours(3))));

        assertThat(map.status()).isEqualTo(200);
        assertThat(map.body()
                        .at("/clusters/0/rows")
                        .valueStream()
                        .map(row -> row.get("pes").asInt()))
                .containsExactly(1, 2, 4, 8);
        assertThat(map.body().at("/clusters/0/rows/1/starts/0").asString()).isEqualTo(start.toString());
        // the full price is 8.00; a run that can be moved until a quarter of an hour before its start costs less
        assertThat(map.body().at("/clusters/0/rows/3").toString())
                .isEqualTo("""
                {"pes":8,"starts":[null,null,"%s"],"prices":[null,null,"6.47"],"availability":[null,null,1.0]}""".formatted(start.plus(Duration.ofHours(2))));
    }

    @Test
    void anAdministratorChoosesWhatClientsMaySee() {
        var cluster = newCluster(8);
        var reader = client();
        reserve(reader, cluster, "{\"duration\":\"PT2H\",\"pes\":2}");
        var another = reserve(admin, cluster, "{\"duration\":\"PT2H\",\"pes\":6}");
        var schedule = "/api/v1/clusters/%s/schedule".formatted(cluster);
        var utilisation = "/api/v1/clusters/%s/utilisation".formatted(cluster);
        var map = "{\"duration\":\"PT1H\",\"clusters\":[\"%s\"]}".formatted(cluster);

        assertThat(reader.get(schedule).text("code")).isEqualTo("forbidden");
        assertThat(reader.get(utilisation).status()).isEqualTo(403);
        show(cluster, "PROBES");
        assertThat(reader.post("/api/v1/probes/map", map).text("hidden.0")).isEqualTo(cluster);
        assertThat(viewer().post("/api/v1/probes/map", map).body().get("hidden"))
                .isEmpty();
        show(cluster, "BUSY");
        assertThat(reader.get(utilisation).status()).isEqualTo(200);
        assertThat(reader.get(schedule).body().get("placements").valueStream())
                .hasSize(2)
                .filteredOn(placement -> placement.get("pes").asInt() == 6)
                .allMatch(placement -> placement.get("id").isNull()
                        && placement.get("owner").isNull()
                        && placement.get("project").isNull());
        assertThat(reader.get(schedule).body().get("placements").valueStream())
                .filteredOn(placement -> placement.get("pes").asInt() == 2)
                .allMatch(placement -> !placement.get("owner").isNull());
        show(cluster, "NAMES");
        assertThat(reader.get(schedule).body().get("placements").valueStream())
                .anyMatch(placement ->
                        another.text("id").equals(placement.path("id").asString())
                                && !placement.get("owner").isNull());
        assertThat(reader.get("/api/v1/clusters/" + cluster).text("policy.visibility"))
                .isEqualTo("NAMES");
    }

    private void show(String cluster, String what) {
        assertThat(admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"visibility\":\"%s\"}}".formatted(what))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aClientReadsOnlyTheChangesOfASchedule() {
        var cluster = newCluster(8);
        var path = "/api/v1/clusters/%s/schedule?from=%s&to=%s"
                .formatted(cluster, clock.instant(), clock.instant().plus(Duration.ofDays(1)));
        var first = reserve(admin, cluster, "{\"duration\":\"PT2H\",\"pes\":2}");
        var second = reserve(admin, cluster, "{\"duration\":\"PT3H\",\"pes\":2}");
        // both begin now, and the schedule rests once that is recorded
        pass(Duration.ZERO);
        var whole = viewer().get(path);
        var unchanged = admin.send(admin.request(path).header("If-None-Match", whole.etag()));

        admin.post("/api/v1/reservations/%s/cancel".formatted(first.text("id")));
        var third = reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":3}");
        admin.post("/api/v1/clusters/%s/jobs".formatted(cluster), "{\"pes\":1,\"estimate\":\"PT1H\"}");
        pass(Duration.ZERO);
        var changes = viewer().get(path + "&since=" + tag(whole));
        var nothing = viewer().get(path + "&since=" + tag(changes));
        var unknown = viewer().get(path + "&since=999999-0");

        assertThat(whole.body().get("since").isNull()).isTrue();
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(changes.text("since")).isEqualTo(tag(whole));
        assertThat(changes.body().get("gone").valueStream().map(id -> id.asString()))
                .containsExactly(first.text("id"));
        assertThat(changes.body()
                        .get("placements")
                        .valueStream()
                        .map(bar -> bar.get("pes").asInt()))
                .containsExactly(3, 1);
        assertThat(changes.text("placements.0.id")).isEqualTo(third.text("id"));
        assertThat(nothing.body().get("placements")).isEmpty();
        assertThat(unknown.body().get("since").isNull()).isTrue();
        assertThat(unknown.body()
                        .get("placements")
                        .valueStream()
                        .map(bar -> bar.path("id").asString()))
                .contains(second.text("id"), third.text("id"));
        assertThat(viewer().get(path + "&since=yesterday").text("errors.0.field"))
                .isEqualTo("since");
    }

    /** A reservation is made and the nodes are renamed between two of Berth's reads. */
    @ParameterizedTest
    @ValueSource(strings = {"lastSequence", "outages", "occupying"})
    void aTagStandsForOneScheduleEvenIfItChangesWhileBerthReadsIt(
            String next, @Autowired Records records, @Autowired ClusterLookup lookup, @Autowired QueuePlans plans) {
        var cluster = newCluster(8);
        reserve(admin, cluster, "{\"duration\":\"PT2H\",\"pes\":2}");
        var before = read(calls(records, lookup, plans), cluster, null, "");
        var changing = Meanwhile.before(next, Records.class, records, () -> {
            reserve(admin, cluster, "{\"duration\":\"PT3H\",\"pes\":2}");
            admin.patch("/api/v1/clusters/" + cluster, "{\"peNames\":\"n[1-8]\"}");
        });
        var calls = calls(changing, lookup, plans);

        var during = read(calls, cluster, null, "");
        var after = read(calls, cluster, null, tag(during));
        var changes = read(calls, cluster, tag(during).replaceAll("W/|\"", ""), "");
        var again = read(calls, cluster, null, tag(after));

        assertThat(List.of(before, during, after))
                .allSatisfy(each -> assertThat(each.getStatusCode()).isEqualTo(HttpStatus.OK))
                .doesNotHaveDuplicates()
                .extracting(ClusterReadingsIT::tag)
                .doesNotHaveDuplicates();
        // the names of nodes are not part of the changes
        assertThat(changes.getBody()).isEqualTo(after.getBody());
        assertThat(again.getStatusCode()).isEqualTo(HttpStatus.NOT_MODIFIED);
        assertThat(tag(again)).isEqualTo(tag(after));
    }

    private ClusterReadingsController calls(Records records, ClusterLookup lookup, QueuePlans plans) {
        var readings = new Readings(desks, records, plans, clock);
        return new ClusterReadingsController(records, lookup, readings, new Schedules(desks, records, readings, plans));
    }

    private ResponseEntity<ScheduleBody> read(
            ClusterReadingsController calls, String cluster, @Nullable String since, String ifNoneMatch) {
        var request = new MockHttpServletRequest();
        request.addHeader("If-None-Match", ifNoneMatch);
        var reader = Account.fresh(
                new AccountName("reader"),
                Role.VIEWER,
                Account.STANDARD_PRIORITY,
                ServiceClass.STANDARD,
                AccountLimits.NONE);
        return calls.readSchedule(
                cluster,
                null,
                in(Duration.ZERO),
                in(Duration.ofDays(1)),
                since,
                new ServletWebRequest(request),
                reader);
    }

    private static String tag(ResponseEntity<?> response) {
        return requireNonNull(response.getHeaders().getETag());
    }

    @Test
    void aScheduleOfTenThousandRunsTakesAtMost300Kilobytes() throws Exception {
        var cluster = new ClusterId(newCluster(1_000_000));
        var random = new Random(7);
        long noon = clock.instant().getEpochSecond();
        try (var clients = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 10_000; i++) {
                var booked = someRun(random, noon);
                clients.execute(() -> desks.decide(cluster, booked));
            }
        }
        var path = "/api/v1/clusters/%s/schedule?from=%s&to=%s"
                .formatted(cluster, in(Duration.ZERO), in(Duration.ofDays(40)));

        var plain = bytes(path, "identity");
        var zipped = bytes(path, "br, gzip");

        assertThat(JsonMapper.shared().readTree(plain.body()).get("placements")).hasSize(10_000);
        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(zipped.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(zipped.headers().firstValue("Vary"))
                .hasValueSatisfying(vary -> assertThat(vary).containsIgnoringCase("Accept-Encoding"));
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
                .isEqualTo(plain.body());
        assertThat(zipped.body()).hasSizeLessThanOrEqualTo(300_000);
    }

    /** Returns a run that one of forty accounts requested in the last 30 days and that lies in the next 30 days, in whole minutes. */
    private static Reserve someRun(Random random, long noon) {
        long asked = noon * 1000 - random.nextLong(Duration.ofDays(30).toMillis());
        var id = new UUID(asked << 16 | 7 << 12 | random.nextInt(1 << 12), 1L << 63 | random.nextLong() >>> 2);
        var owner = new AccountName("user%02d".formatted(random.nextInt(40)));
        var project = List.of("climate", "qcd", "genome").get(random.nextInt(3));
        long ready = noon + 60 * random.nextLong(30 * 24 * 60);
        return new Reserve(
                new ReservationId(id),
                new Origin(owner, ServiceClass.STANDARD, ClientLabels.NONE.with("project", Optional.of(project))),
                RequestedTerms.of(
                        OptionalLong.of(ready),
                        OptionalLong.empty(),
                        60 * (1 + random.nextLong(8 * 60)),
                        1 << random.nextInt(8)),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private HttpResponse<byte[]> bytes(String path, String encodings) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                    admin.request(path).header("Accept-Encoding", encodings).build(), BodyHandlers.ofByteArray());
        }
    }

    @Test
    void onlyLargeResponsesAreCompressedAndOnlyIfTheClientAcceptsIt() throws Exception {
        for (int i = 0; i < 10; i++) {
            newCluster(8);
        }
        for (var refusal : List.of("gzip;q=0", "br", "*;q=0.5, gzip;q=0")) {
            assertThat(bytes("/api/v1/clusters", refusal).headers().firstValue("Content-Encoding"))
                    .as(refusal)
                    .isEmpty();
        }
        assertThat(bytes("/api/v1/clusters", "deflate, GZIP;q=0.5").headers().firstValue("Content-Encoding"))
                .contains("gzip");
        assertThat(bytes("/api/v1/me", "gzip").headers().firstValue("Content-Encoding"))
                .isEmpty();
        assertThat(bytes("/", "gzip").statusCode()).isEqualTo(200);
        assertThat(bytes("/page/plan.js", "gzip").headers().firstValue("Content-Encoding"))
                .contains("gzip");
        // a strong tag promises exactly these bytes
        assertThat(bytes("/openapi", "gzip").headers().firstValue("Content-Encoding"))
                .isEmpty();
    }

    private static String tag(Api.Reply reply) {
        return reply.etag().replaceAll("W/|\"", "");
    }
}
