package berth.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.engine.Records;
import berth.service.Api;
import berth.service.Scrape;
import berth.service.ServiceSuite;
import berth.sla.AccountName;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.json.JsonMapper;

@Timeout(180)
class EventStreamsIT extends ServiceSuite {

    @Autowired
    @SuppressWarnings("NullAway.Init")
    Records records;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    JsonMapper mapper;

    /** Twice this number of events fill the network buffers and the queue of a listener. */
    private static final int RUNS = 2_500;

    private final HttpClient http = HttpClient.newHttpClient();

    /** One block of a stream. */
    private record Told(String id, String event, String data) {}

    /** A stream that is being read. */
    private record Stream(int status, HttpHeaders headers, BufferedReader lines) implements AutoCloseable {

        /** Returns the next block with an event; at first, the block with the initial position. */
        Told next() throws IOException {
            var id = "";
            var event = "";
            var data = "";
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && !id.isEmpty()) {
                    return new Told(id, event, data);
                }
                var value = line.substring(line.indexOf(':') + 1).strip();
                switch (line.substring(0, Math.max(0, line.indexOf(':')))) {
                    case "id" -> id = value;
                    case "event" -> event = value;
                    case "data" -> data = value;
                    default -> {
                        // a retry interval, or a comment
                    }
                }
            }
            return new Told("", "end", "");
        }

        List<Told> next(int number) throws IOException {
            var all = new ArrayList<Told>();
            while (all.size() < number) {
                all.add(next());
            }
            return all;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private Stream open(String token, String path, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:%d%s".formatted(port, path)))
                .header("Authorization", "Bearer " + token);
        if (headers.length > 0) {
            request.headers(headers);
        }
        var response = http.send(request.build(), BodyHandlers.ofInputStream());
        return new Stream(response.statusCode(), response.headers(), lines(response.body()));
    }

    private static BufferedReader lines(InputStream in) {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** Browsers' event sources send an empty id if they have received none. */
    @Test
    void anEmptyLastEventIdBeginsNow() throws Exception {
        var cluster = newCluster(8);
        var token = tokenOf(newName(), "CLIENT");
        var owner = new Api(port, Optional.of(token));
        try (var stream = open(token, "/api/v1/events/stream?_=17&lastEventId=", "Last-Event-ID", "")) {
            assertThat(stream.status).isEqualTo(200);
            stream.next();
            var later = reserveAt(owner, cluster);
            assertThat(stream.next().data()).contains(later);
        }
    }

    @Test
    void theProblemNamesTheHeaderOfAWrongLastEventId() throws Exception {
        var token = tokenOf(newName(), "CLIENT");
        try (var stream = open(token, "/api/v1/events/stream", "Last-Event-ID", "17")) {
            assertThat(stream.status).isEqualTo(400);
            assertThat(stream.lines.readLine()).contains("\"field\":\"Last-Event-ID\"");
        }
    }

    private String reserveAt(Api owner, String cluster) {
        return owner.post("/api/v1/reservations", """
                {"terms":{"duration":"PT1H","pes":1},"cluster":"%s"}""".formatted(cluster)).text("id");
    }

    @Test
    void aStreamContinuesAfterAnErrorOfTheDatabase() throws Exception {
        var cluster = newCluster(8);
        var reads = new AtomicInteger();
        var failing = (Records) Proxy.newProxyInstance(
                Records.class.getClassLoader(), new Class<?>[] {Records.class}, (_, method, arguments) -> {
                    if (method.getName().equals("events") && reads.incrementAndGet() < 3) {
                        throw new OutOfMemoryError("as the test wants it");
                    }
                    return method.invoke(records, arguments);
                });
        var streams = new EventStreams(failing, desks, mapper, 1, 1, new SimpleMeterRegistry());
        streams.start();
        try (var listener = streams.listen(
                new AccountName("alice"), news -> news.cluster().value().equals(cluster))) {
            reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}");

            var news = listener.next(Duration.ofMinutes(1));
            assertThat(news).isNotNull().extracting(EventStreams.News::type).isEqualTo("confirmed");
            assertThat(reads).hasValueGreaterThan(2);
        } finally {
            streams.stop();
        }
    }

    @Test
    void aReaderThatReconnectsGetsEachEventExactlyOnce() throws Exception {
        var cluster = newCluster(8);
        var token = tokenOf(newName(), "CLIENT");
        var owner = new Api(port, Optional.of(token));
        var ids = new ArrayList<String>();
        var heard = new ArrayList<Told>();
        String last;
        try (var stream = open(token, "/api/v1/events/stream")) {
            assertThat(stream.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
            last = stream.next().id();
            ids.add(reserve(owner, cluster, "{\"duration\":\"PT1H\",\"pes\":1}").text("id"));
            // both streams start together
            heard.addAll(stream.next(2));
            last = heard.getLast().id();
        }
        // no stream is open
        reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}");
        ids.add(reserve(owner, cluster, "{\"duration\":\"PT1H\",\"pes\":1}").text("id"));
        try (var stream = open(token, "/api/v1/events/stream", "Last-Event-ID", last)) {
            assertThat(stream.next().id()).isEqualTo(last);
            ids.add(reserve(owner, cluster, "{\"duration\":\"PT1H\",\"pes\":1}").text("id"));
            heard.addAll(stream.next(4));
        }
        var listed = owner.get("/api/v1/events").body().get("items");
        assertThat(heard)
                .extracting(Told::data)
                .containsExactlyElementsOf(
                        listed.valueStream().map(Object::toString).toList());
        assertThat(heard).extracting(Told::event).startsWith("confirmed", "started");
        assertThat(listed.valueStream()
                        .map(event -> event.path("reservation").asString())
                        .distinct())
                .containsExactlyElementsOf(ids);
    }

    @Test
    void aReservationIsFollowedByTheCursorsOfItsList() throws Exception {
        var cluster = newCluster(8);
        var id = reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}").text("id");
        var path = "/api/v1/reservations/%s/events".formatted(id);
        await().until(() -> admin.get(path).body().get("items").size() > 1);
        var first = admin.get(path + "?limit=1");
        try (var stream = open(ADMIN_TOKEN, path + "/stream?after=" + first.text("next"))) {
            assertThat(stream.status()).isEqualTo(200);
            stream.next();
            assertThat(stream.next().event()).isEqualTo("started");
            reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}");
            admin.post("/api/v1/reservations/%s/cancel".formatted(id));
            assertThat(stream.next().event()).isIn("cancelled", "completed");
        }
    }

    @Test
    void aScreenReceivesOnlyWhereSomethingHasHappened() throws Exception {
        var cluster = newCluster(8);
        try (var stream = open(tokenOf(newName(), "SCREEN"), "/api/v1/events/stream")) {
            stream.next();
            reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}");
            var message = stream.next();
            while (!message.data().contains(cluster)) {
                message = stream.next(); // of other tests
            }
            assertThat(message.event()).isEqualTo("changed");
            assertThat(message.data()).isEqualTo("{\"cluster\":\"%s\"}".formatted(cluster));
        }
    }

    @Test
    void aStreamEndsWhenItsAccountChanges() throws Exception {
        var name = newName();
        try (var stream = open(tokenOf(name, "VIEWER"), "/api/v1/events/stream")) {
            stream.next();
            admin.post("/api/v1/accounts/%s/token".formatted(name));
            var heard = stream.next();
            // skip the events of other tests
            while (!heard.event().equals("end")) {
                heard = stream.next();
            }
        }
    }

    @Test
    void anAccountHasABoundedNumberOfStreams() throws Exception {
        var token = tokenOf(newName(), "VIEWER");
        var open = new ArrayList<Stream>();
        for (int i = 0; i < 100; i++) {
            open.add(open(token, "/api/v1/events/stream"));
        }
        try (var refused = open(token, "/api/v1/events/stream")) {
            assertThat(open).allSatisfy(stream -> assertThat(stream.status()).isEqualTo(200));
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.lines.readLine()).contains("100 open streams");
        }
        for (var stream : open) {
            stream.close();
        }
    }

    @Test
    @Tag("full")
    void berthDisconnectsASlowReaderWhichReadsTheRestLater() throws Exception {
        var cluster = newCluster(RUNS);
        var token = tokenOf(newName(), "CLIENT");
        var owner = new Api(port, Optional.of(token));
        var ready = clock.instant().plus(Duration.ofHours(1));
        try (var clients = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < RUNS; i++) {
                clients.execute(() -> reserve(owner, cluster, """
                        {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(ready)));
            }
        }
        double before = cutOff();
        var begin = all(owner).getLast();
        var heard = new ArrayList<String>();
        var last = "";
        try (var stream = slowly(token, "");
                var fast = open(token, "/api/v1/events/stream")) {
            assertThat(stream.next().event()).isEmpty();
            fast.next();
            pass(Duration.ofHours(1));
            pass(Duration.ofHours(1));
            // the fast reader has received everything, so everything has been sent to the slow one as well
            fast.next(2 * RUNS);
            assertThat(cutOff()).isGreaterThan(before);
            for (var told = stream.next(); !told.id().isEmpty(); told = stream.next()) {
                heard.add(told.data());
                last = told.id();
            }
        }
        int missing = 2 * RUNS - heard.size();
        assertThat(missing).isPositive();
        try (var stream = open(token, "/api/v1/events/stream", "Last-Event-ID", last)) {
            assertThat(stream.next().id()).isEqualTo(last);
            stream.next(missing).forEach(told -> heard.add(told.data()));
        }

        var listed = all(owner);
        assertThat(listed).hasSize(3 * RUNS);
        assertThat(heard).isEqualTo(listed.subList(listed.indexOf(begin) + 1, listed.size()));

        // one that falls behind while it receives earlier events is disconnected for the same reason
        double then = cutOff();
        var earliest = owner.get("/api/v1/events?limit=1").text("next");
        try (var _ = slowly(token, "?after=" + earliest)) {
            await().untilAsserted(() -> assertThat(cutOff()).isEqualTo(then + 1));
        }
    }

    /** Returns the events of a client's reservations from the list of events. */
    private static List<String> all(Api owner) {
        var all = new ArrayList<String>();
        var page = owner.get("/api/v1/events?limit=500").body();
        while (!page.get("items").isEmpty()) {
            page.get("items").forEach(event -> all.add(event.toString()));
            page = owner.get(
                            "/api/v1/events?limit=500&after=" + page.get("next").asString())
                    .body();
        }
        return all;
    }

    private double cutOff() throws IOException, InterruptedException {
        return Scrape.of(admin).value("berth_streams_cut_off_listeners_total", Map.of());
    }

    /** Opens a stream for a slow reader: with small buffers, and without reading yet. */
    private Stream slowly(String token, String query) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(new InetSocketAddress("localhost", port));
        // HTTP/1.0 avoids chunks
        socket.getOutputStream().write("""
                GET /api/v1/events/stream%s HTTP/1.0\r
                Authorization: Bearer %s\r
                \r
                """.formatted(query, token).getBytes(StandardCharsets.UTF_8));
        var lines = lines(socket.getInputStream());
        int status = Integer.parseInt(lines.readLine().split(" ")[1]);
        while (!lines.readLine().isEmpty()) {
            // skip the headers
        }
        return new Stream(status, HttpHeaders.of(Map.of(), (_, _) -> true), lines);
    }

    @Test
    @Tag("full")
    void anIdleStreamSendsAComment() throws Exception {
        var token = tokenOf(newName(), "CLIENT");
        long begin = System.nanoTime();
        try (var stream = open(token, "/api/v1/events/stream")) {
            stream.next();
            assertThat(stream.lines.readLine()).isEqualTo(":");
            assertThat(stream.lines.readLine()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofSeconds(15), Duration.ofSeconds(25));
        }
    }

    @Test
    void wrongCursorsAndTheReservationsOfOthersAreRefused() throws Exception {
        var cluster = newCluster(8);
        var id = reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}").text("id");
        var client = tokenOf(newName(), "CLIENT");
        try (var wrong = open(client, "/api/v1/events/stream?after=nonsense");
                var others = open(client, "/api/v1/reservations/%s/events/stream".formatted(id))) {
            assertThat(wrong.status()).isEqualTo(400);
            assertThat(others.status()).isEqualTo(404);
        }
    }

    @Test
    void aStreamSendsAnEventSoon() throws Exception {
        var cluster = newCluster(8);
        try (var stream = open(ADMIN_TOKEN, "/api/v1/events/stream")) {
            stream.next();
            admin.patch("/api/v1/clusters/" + cluster, "{\"labels\":{\"a\":\"b\"}}");
            var heard = stream.next();
            // skip the events of other tests
            while (!heard.data().contains(cluster)) {
                heard = stream.next();
            }
            assertThat(heard.event()).isEqualTo("cluster-changed");
        }
    }
}
