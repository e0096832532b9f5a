package berth.feeds;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import berth.Meanwhile;
import berth.accounts.Accounts;
import berth.booking.ReservationList;
import berth.booking.Reservations;
import berth.booking.web.ClusterLookup;
import berth.booking.web.Rights;
import berth.engine.Records;
import berth.http.ICalendar.Entry;
import berth.http.ICalendar.Status;
import berth.service.Api;
import berth.service.ReadBack;
import berth.service.ServiceSuite;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;

/** Tests feeds as calendar programs read them, without a token. */
class FeedsIT extends ServiceSuite {

    private static final HttpClient http = HttpClient.newHttpClient();

    private final String name = newName();

    @SuppressWarnings("NullAway.Init")
    private Api owner;

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @BeforeEach
    void book() {
        owner = new Api(port, Optional.of(tokenOf(name, "CLIENT")));
        cluster = newCluster(8);
    }

    private static String feeds(String account) {
        return "/api/v1/accounts/" + account + "/feeds";
    }

    /** Makes a feed and returns its path. */
    private String feed(String body) {
        var made = owner.post(feeds(name), body);
        assertThat(made.status()).isEqualTo(201);
        return made.text("path");
    }

    private HttpResponse<byte[]> read(String path, String... headers) throws Exception {
        return call("GET", path, headers);
    }

    private HttpResponse<byte[]> call(String method, String path, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private ReadBack calendar(String path) throws Exception {
        var answer = read(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(ReadBack.byIcal4j(answer.body())).isEqualTo(ReadBack.byBiweekly(answer.body()));
        return ReadBack.byBiweekly(answer.body());
    }

    private Entry entry(String path, String id) throws Exception {
        return calendar(path).entry(id).orElseThrow();
    }

    private static String tag(HttpResponse<?> answer) {
        return answer.headers().firstValue("ETag").orElseThrow();
    }

    /** Reserves eight PEs for an hour, from the start of the next day. */
    private String reserve(Api api, String further) {
        var reserved = api.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}%s}""".formatted(cluster, at(24), at(48), further));
        assertThat(reserved.status()).as(reserved.body().toString()).isEqualTo(201);
        return reserved.text("id");
    }

    @Test
    void aFeedShowsReservationsUntilItIsRevoked() throws Exception {
        var made = owner.post(feeds(name), "{}");
        var path = made.text("path");
        var empty = calendar(path);
        var id = reserve(owner, ",\"name\":\"Wärme, 2; 🚢\",\"project\":\"climate\"");
        var answer = read(path);
        var entry = entry(path, id);

        assertThat(made.body().propertyNames()).containsExactly("id", "cluster", "project", "createdAt", "path");
        assertThat(empty).isEqualTo(new ReadBack("Berth: " + name, Optional.empty(), List.of()));
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/calendar;charset=UTF-8");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("private, no-cache");
        assertThat(answer.headers().firstValue("Content-Disposition").orElseThrow())
                .contains("berth.ics");
        assertThat(entry)
                .returns(id + "@reservation.berth", Entry::uid)
                .returns(Status.TENTATIVE, Entry::status)
                .returns("Wärme, 2; 🚢 · 8 PEs on %s · climate".formatted(cluster), Entry::summary)
                .returns(Optional.of(URL + "/#/reservation?id=" + id), Entry::url)
                .returns(
                        Instant.parse(at(24)).getEpochSecond(),
                        each -> each.slot().start())
                .returns(
                        Instant.parse(at(25)).getEpochSecond(),
                        each -> each.slot().end());
        assertThat(entry.description()).contains("Window: " + at(24) + " to " + at(48));

        var listed = owner.get(feeds(name));
        assertThat(listed.body().at("/items/0/id").asString()).isEqualTo(made.text("id"));
        assertThat(listed.body().toString()).doesNotContain("feed_");
        assertThat(admin.get("/api/v1/accounts/" + name).body().toString()).doesNotContain("feed_");

        assertThat(owner.delete(feeds(name) + "/" + made.text("id")).status()).isEqualTo(204);
        assertThat(owner.delete(feeds(name) + "/" + made.text("id")).status()).isEqualTo(404);
        assertThat(read(path).statusCode()).isEqualTo(404);
        assertThat(read(path, "If-None-Match", tag(answer)).statusCode()).isEqualTo(404);
    }

    @Test
    void aMoveOrCancellationUpdatesTheEntry() throws Exception {
        var path = feed("{}");
        var id = reserve(owner, "");
        var first = entry(path, id);
        // this moves the first reservation to another place
        var other = admin.post("/api/v1/reservations", """
                {"cluster":"%s","start":"%s","terms":{"duration":"PT1H","pes":8}}""".formatted(cluster, at(24)));
        assertThat(other.status()).isEqualTo(201);

        var moved = entry(path, id);
        assertThat(moved.uid()).isEqualTo(first.uid());
        assertThat(moved.sequence()).isGreaterThan(first.sequence());
        assertThat(moved.slot().start()).isEqualTo(Instant.parse(at(25)).getEpochSecond());

        owner.post("/api/v1/reservations/" + id + "/cancel");
        var cancelled = entry(path, id);
        assertThat(cancelled.status()).isEqualTo(Status.CANCELLED);
        assertThat(cancelled.sequence()).isGreaterThan(moved.sequence());

        pass(Duration.ofDays(30));
        assertThat(calendar(path).entry(id)).contains(cancelled);
        pass(Duration.ofDays(3));
        assertThat(calendar(path).entry(id)).isEmpty();
    }

    @Test
    void anUnchangedFeedIsNotSentAgain() throws Exception {
        var path = feed("{}");
        var id = reserve(owner, "");
        var first = read(path);
        var again = read(path, "If-None-Match", "\"x\", " + tag(first));

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(tag(again)).isEqualTo(tag(first)).startsWith("W/\"");
        assertThat(again.headers().firstValue("Cache-Control")).contains("private, no-cache");
        assertThat(tag(read(path))).isEqualTo(tag(first));
        assertThat(tag(call("HEAD", path))).isEqualTo(tag(first));
        assertThat(read(path, "If-None-Match", "W/\"0-9\"").statusCode()).isEqualTo(200);

        // the feed does not contain other accounts' reservations or other clusters' events
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","start":"%s","terms":{"duration":"PT1H","pes":8}}""".formatted(newCluster(8), at(30)));
        assertThat(read(path, "If-None-Match", tag(first)).statusCode()).isEqualTo(304);
        // a quarter of an hour before the start the place becomes final, without an event
        pass(Duration.ofHours(24).minusMinutes(15).minusSeconds(1));
        var before = read(path);
        assertThat(read(path, "If-None-Match", tag(before)).statusCode()).isEqualTo(304);
        assertThat(entry(path, id).status()).isEqualTo(Status.TENTATIVE);
        pass(Duration.ofSeconds(1));
        var fixed = read(path, "If-None-Match", tag(before));
        assertThat(fixed.statusCode()).isEqualTo(200);
        assertThat(ReadBack.byBiweekly(fixed.body()).entry(id).orElseThrow().status())
                .isEqualTo(Status.CONFIRMED);
        // two changes within one second
        var cut = reserve(owner, "");
        var second = read(path);
        owner.post("/api/v1/reservations/" + cut + "/cancel");
        assertThat(read(path, "If-None-Match", tag(second)).statusCode()).isEqualTo(200);
    }

    @Test
    void aFeedShowsOnlyReservationsOfItsAccount() throws Exception {
        var everything = feed("{}");
        var here = feed("{\"cluster\":\"%s\"}".formatted(cluster));
        var elsewhere = feed("{\"cluster\":\"demo\"}");
        var climate = feed("{\"project\":\"climate\"}");
        var filed = reserve(owner, ",\"project\":\"climate\"");
        var plain = reserve(owner, "");
        var others = reserve(client(), ",\"name\":\"not-yours\",\"project\":\"climate\"");
        var admins = reserve(admin, ",\"project\":\"climate\"");

        for (var path : List.of(everything, here, elsewhere, climate)) {
            var calendar = new String(read(path).body(), StandardCharsets.UTF_8);
            assertThat(calendar).doesNotContain(others).doesNotContain(admins).doesNotContain("not-yours");
        }
        assertThat(calendar(everything).entries()).hasSize(2);
        assertThat(calendar(here))
                .isEqualTo(new ReadBack(
                        "Berth: %s · %s".formatted(name, cluster),
                        Optional.empty(),
                        calendar(everything).entries()));
        assertThat(calendar(elsewhere).entries()).isEmpty();
        assertThat(calendar(climate).entry(filed)).isPresent();
        assertThat(calendar(climate).entry(plain)).isEmpty();
        // the last to start comes first
        assertThat(calendar(everything).entries())
                .isSortedAccordingTo(
                        (a, b) -> Long.compare(b.slot().start(), a.slot().start()));
        // an administrator's feed works the same way
        var own = admin.post(feeds("admin"), "{}");
        assertThat(calendar(own.text("path")).entry(others)).isEmpty();
        assertThat(calendar(own.text("path")).entry(admins)).isPresent();
        admin.delete(feeds("admin") + "/" + own.text("id"));
    }

    @Test
    void onlyTheAccountAndAdministratorsManageItsFeeds() {
        var other = newName();
        var stranger = new Api(port, Optional.of(tokenOf(other, "CLIENT")));
        var viewer = newName();
        tokenOf(viewer, "VIEWER");
        var made = admin.post(feeds(name), "{}");

        assertThat(made.status()).isEqualTo(201);
        var strange = stranger.post(feeds(name), "{}");
        assertThat(strange.status()).isEqualTo(404);
        assertThat(strange.body())
                .isEqualTo(stranger.post(feeds("no-such-account"), "{}").body());
        assertThat(stranger.get(feeds(name)).status()).isEqualTo(404);
        assertThat(stranger.delete(feeds(name) + "/" + made.text("id")).status())
                .isEqualTo(404);
        assertThat(owner.get(feeds(name)).body().get("items")).hasSize(1);
        var nothing = admin.post(feeds(viewer), "{}");
        assertThat(nothing.text("code")).isEqualTo("wrong-state");
        assertThat(nothing.text("detail")).contains("VIEWER");

        for (int i = 1; i < 10; i++) {
            feed("{}");
        }
        var eleventh = owner.post(feeds(name), "{}");
        assertThat(eleventh.text("code")).isEqualTo("limit-exceeded");
        assertThat(owner.delete(feeds(name) + "/" + made.text("id")).status()).isEqualTo(204);
        feed("{}");
    }

    @Test
    void wrongFieldsAreNamedWithTheirValues() {
        var refused = owner.post(feeds(name), "{\"cluster\":\"no-such\",\"project\":\" \"}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body().get("errors").toString())
                .contains("\"field\":\"cluster\",\"value\":\"no-such\"")
                .contains("\"field\":\"project\",\"value\":\" \"");
        assertThat(owner.get(feeds(name)).body().get("items")).isEmpty();
    }

    @Test
    void aFeedClosesIfItsAccountLosesItsRights() throws Exception {
        var path = feed("{}");
        reserve(owner, "");

        admin.patch("/api/v1/accounts/" + name, "{\"role\":\"VIEWER\"}");
        assertThat(read(path).statusCode()).isEqualTo(404);
        admin.patch("/api/v1/accounts/" + name, "{\"role\":\"CLIENT\"}");
        assertThat(read(path).statusCode()).isEqualTo(200);
        admin.delete("/api/v1/accounts/" + name);
        assertThat(read(path).statusCode()).isEqualTo(404);
    }

    @Test
    void aTokenOpensNoFeedAndASecretOpensNoCall() throws Exception {
        var token = tokenOf(newName(), "CLIENT");
        var path = feed("{}");
        var secret = path.substring(path.lastIndexOf('/') + 1, path.length() - ".ics".length());
        var guessed = new Api(port, Optional.empty()).get("/api/v1/feeds/guessed.ics");

        assertThat(secret).startsWith("feed_").hasSize(48);
        assertThat(read("/api/v1/feeds/" + token + ".ics").statusCode()).isEqualTo(404);
        assertThat(new Api(port, Optional.of(secret))
                        .get("/api/v1/reservations")
                        .status())
                .isEqualTo(401);
        assertThat(guessed.status()).isEqualTo(404);
        assertThat(guessed.contentType()).isEqualTo("application/problem+json");
        assertThat(guessed.body().toString()).doesNotContain("guessed");
        // the call ignores a token
        assertThat(read(path, "Authorization", "Bearer of_yesterday").statusCode())
                .isEqualTo(200);
        assertThat(call("POST", path).statusCode()).isEqualTo(405);
        assertThat(read(path, "Accept", "application/json").statusCode()).isEqualTo(406);
        assertThat(read(path, "Accept", "application/json").body())
                .asString(StandardCharsets.UTF_8)
                .contains("This call returns text/calendar. Send Accept: text/calendar");
    }

    /** Calendar programs add parameters, for example to get past caches of others. */
    @Test
    void aFeedIgnoresQueryParameters() throws Exception {
        assertThat(read(feed("{}") + "?nocache=1").statusCode()).isEqualTo(200);
        assertThat(admin.get("/api/v1/clusters/demo/outages.ics?nocache=1").status())
                .isEqualTo(200);
    }

    /** Logging is set to the level at which Spring logs every step of a request. */
    @Test
    void noSecretIsInALogInAProblemOrInMetrics() throws Exception {
        var path = feed("{}");
        var secret = path.substring(path.lastIndexOf('/') + 1, path.length() - ".ics".length());
        var lines = new ListAppender<ILoggingEvent>();
        var loggers =
                List.of("org.springframework.web", "org.springframework.security", "org.springframework.http", "berth");
        lines.start();
        loggers.forEach(each -> {
            var logger = (Logger) LoggerFactory.getLogger(each);
            logger.setLevel(Level.TRACE);
            logger.addAppender(lines);
        });
        var answers = new StringBuilder();
        try {
            for (var asked : List.of(
                    path,
                    path.replace("feed_", "%66eed_"),
                    path + "/",
                    path + "x",
                    path.replace("feeds", "feed"),
                    path.replace("/api/v1", ""),
                    path.replace("/feeds", "//feeds"),
                    path.replace(".ics", ""),
                    path + "?x=1")) {
                answers.append(new String(read(asked).body(), StandardCharsets.UTF_8));
            }
            answers.append(admin.get("/nothing" + path).body());
        } finally {
            loggers.forEach(each -> {
                var logger = (Logger) LoggerFactory.getLogger(each);
                logger.detachAppender(lines);
                logger.setLevel(each.equals("berth") ? Level.INFO : null);
            });
        }

        var known = secret.substring("feed_".length());
        assertThat(answers.toString())
                .contains("BEGIN:VCALENDAR")
                .contains("not-found")
                .doesNotContain(known);
        assertThat(List.copyOf(lines.list)).hasSizeGreaterThan(50);
        assertThat(List.copyOf(lines.list).stream()
                        .map(ILoggingEvent::getFormattedMessage)
                        .filter(line -> line.contains(known)))
                .isEmpty();
        assertThat(metrics()).contains("/api/v1/feeds/{secret}.ics").doesNotContain(known);
    }

    private String metrics() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/prometheus"))
                .header("Authorization", "Bearer " + ADMIN_TOKEN);
        return http.send(request.build(), BodyHandlers.ofString()).body();
    }

    @Test
    void theOperatorChoosesWhoReadsTheFeedOfOutages() throws Exception {
        admin.post("/api/v1/clusters", "{\"id\":\"%s\",\"pes\":8}".formatted(OPEN_OUTAGES));
        var open = "/api/v1/clusters/" + OPEN_OUTAGES + "/outages.ics";
        var closed = "/api/v1/clusters/" + cluster + "/outages.ics";
        var body = """
                {"pes":2,"from":"%s","to":"%s","reason":"rack 3: fan; power"}""".formatted(at(5), at(9));
        var id = admin.post("/api/v1/clusters/" + OPEN_OUTAGES + "/outages", body)
                .text("id");
        admin.post("/api/v1/clusters/" + cluster + "/outages", body);

        assertThat(read(closed).statusCode()).isEqualTo(401);
        assertThat(owner.get(closed).status()).isEqualTo(403);
        assertThat(admin.get(closed).contentType()).isEqualTo("text/calendar;charset=UTF-8");
        assertThat(new Api(port, Optional.of(tokenOfAgent(newName(), cluster)))
                        .get(closed)
                        .status())
                .isEqualTo(200);
        assertThat(read("/api/v1/clusters/nobodys/outages.ics").statusCode()).isEqualTo(404);
        assertThat(read("/api/v1/clusters/" + OPEN_OUTAGES + "/outages").statusCode())
                .isEqualTo(401);
        assertThat(read(open, "Authorization", "Bearer of_yesterday").statusCode())
                .isEqualTo(200);

        var entry = entry(open, id);
        assertThat(calendar(open).name()).isEqualTo("Outages of " + OPEN_OUTAGES);
        assertThat(entry.summary()).isEqualTo(OPEN_OUTAGES + ": 2 PEs out of service");
        assertThat(entry.description()).contains("rack 3: fan; power");
        assertThat(entry.slot().end()).isEqualTo(Instant.parse(at(9)).getEpochSecond());
        assertThat(entry.revisedAt()).isLessThanOrEqualTo(Instant.now().getEpochSecond());
        var tag = tag(read(open));
        assertThat(read(open, "If-None-Match", tag).statusCode()).isEqualTo(304);
        pass(Duration.ofHours(6));
        admin.delete("/api/v1/clusters/" + OPEN_OUTAGES + "/outages/" + id);
        assertThat(read(open, "If-None-Match", tag).statusCode()).isEqualTo(200);
        assertThat(entry(open, id).slot().end()).isEqualTo(clock.instant().getEpochSecond());
        assertThat(entry(open, id).sequence()).isEqualTo(1);
    }

    @Test
    void aTagStandsForOneFeedEvenIfItChangesWhileBerthReadsIt(
            @Autowired Rights rights, @Autowired Reservations reservations, @Autowired ReservationList list) {
        var hash = Accounts.hash(feed("{}").replaceAll(".*/|[.]ics", ""));
        var changing = Meanwhile.before("latest", ReservationList.class, list, () -> reserve(owner, ""));
        var quiet = new FeedCalendarController(rights, reservations, list, clock, URL);
        var calls = new FeedCalendarController(rights, reservations, changing, clock, URL);

        assertATagStandsForOneCalendar(
                request -> quiet.readFeed(hash, request), request -> calls.readFeed(hash, request));
    }

    @Test
    void aTagStandsForOneListOfOutagesEvenIfItChangesWhileBerthReadsIt(
            @Autowired Records records, @Autowired ClusterLookup lookup) {
        var outage = "{\"from\":\"%s\",\"to\":\"%s\",\"pes\":1}".formatted(at(24), at(25));
        var changing = Meanwhile.before(
                "latestOutages",
                Records.class,
                records,
                () -> admin.post("/api/v1/clusters/%s/outages".formatted(cluster), outage));
        var quiet = new OutageCalendarController(records, lookup, clock);
        var calls = new OutageCalendarController(changing, lookup, clock);

        assertATagStandsForOneCalendar(
                request -> quiet.readOutages(cluster, request), request -> calls.readOutages(cluster, request));
    }

    private interface Calendar {
        ResponseEntity<byte[]> read(MockHttpServletRequest request);
    }

    /** Reads a calendar, and the same calendar while it changes. */
    private static void assertATagStandsForOneCalendar(Calendar quiet, Calendar changing) {
        var before = quiet.read(new MockHttpServletRequest());
        var during = changing.read(new MockHttpServletRequest());
        var after = changing.read(unless(during));
        var again = changing.read(unless(after));

        assertThat(during.getBody()).isNotEqualTo(before.getBody());
        assertThat(during.getHeaders().getETag())
                .isNotEqualTo(before.getHeaders().getETag());
        assertThat(after.getStatusCode()).isEqualTo(HttpStatus.OK);
        assertThat(again.getStatusCode()).isEqualTo(HttpStatus.NOT_MODIFIED);
        assertThat(again.getHeaders().getETag()).isEqualTo(after.getHeaders().getETag());
    }

    private static MockHttpServletRequest unless(ResponseEntity<?> known) {
        var request = new MockHttpServletRequest();
        request.addHeader("If-None-Match", requireNonNull(known.getHeaders().getETag()));
        return request;
    }
}
