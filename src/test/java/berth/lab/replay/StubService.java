package berth.lab.replay;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A stub of the reservation calls of the API, with an infinitely large machine: each request is placed at its ready time unless the test
 * sets another answer. The stub keeps all requests.
 */
final class StubService implements AutoCloseable {
    static final String TOKEN = "secret";
    private static final JsonMapper JSON = JsonMapper.shared();

    /** A reservation request as received. */
    record Posted(String key, String raw, JsonNode body) {
        String name() {
            return body.path("name").asString("");
        }

        Instant readyTime() {
            return Instant.parse(body.path("terms").path("readyTime").asString(""));
        }

        Instant deadline() {
            return Instant.parse(body.path("terms").path("deadline").asString(""));
        }

        Duration duration() {
            return Duration.parse(body.path("terms").path("duration").asString(""));
        }

        int pes() {
            return body.path("terms").path("pes").asInt(0);
        }
    }

    /** An answer of the stub; a status of 0 closes the connection instead. */
    record Answer(int status, String body) {
        static Answer problem(int status, String code) {
            return new Answer(
                    status, "{\"title\":\"No\",\"code\":\"%s\",\"detail\":\"because of %s\"}".formatted(code, code));
        }

        static Answer silence() {
            return new Answer(0, "");
        }
    }

    final List<Posted> posted = new CopyOnWriteArrayList<>();
    final Map<String, Integer> clusters = new ConcurrentHashMap<>();
    final AtomicInteger mostInFlight = new AtomicInteger();
    /** Returns the answer to a request; empty to accept the request. */
    volatile Function<Posted, Optional<Answer>> answers = request -> Optional.empty();

    private final HttpServer server;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Map<String, Answer> byKey = new ConcurrentHashMap<>();

    StubService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/api/v1/clusters", exchange -> answer(exchange, this::clusters));
        server.createContext("/api/v1/reservations", exchange -> answer(exchange, this::reservations));
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Returns the answer to an accepted request, as the API defines it. */
    static Answer accept(Posted request, Instant start) {
        return new Answer(201, """
                {"id":"%s","state":"CONFIRMED","placement":{"start":"%s","end":"%s","pes":%d,"peIds":null,"parts":[]}}""".formatted(
                        UUID.nameUUIDFromBytes(request.key().getBytes(StandardCharsets.UTF_8)),
                        start,
                        start.plus(request.duration()),
                        request.pes()));
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private Answer clusters(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("POST")) {
            JsonNode cluster = JSON.readTree(exchange.getRequestBody().readAllBytes());
            clusters.put(cluster.path("id").asString(""), cluster.path("pes").asInt(0));
            return new Answer(201, cluster.toString());
        }
        String path = exchange.getRequestURI().getPath();
        String id = path.substring(path.lastIndexOf('/') + 1);
        Integer pes = clusters.get(id);
        return pes == null
                ? Answer.problem(404, "not-found")
                : new Answer(200, "{\"id\":\"%s\",\"pes\":%d}".formatted(id, pes));
    }

    private Answer reservations(HttpExchange exchange) throws IOException {
        String raw = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        Posted request = new Posted(key, raw, JSON.readTree(raw));
        posted.add(request);
        Optional<Answer> other = answers.apply(request);
        return other.orElseGet(() -> byKey.computeIfAbsent(key, first -> accept(request, request.readyTime())));
    }

    private interface Handler {
        Answer handle(HttpExchange exchange) throws IOException;
    }

    private void answer(HttpExchange exchange, Handler handler) throws IOException {
        mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        try (exchange) {
            boolean isKnown =
                    ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            Answer answer = isKnown ? handler.handle(exchange) : Answer.problem(401, "unauthorized");
            if (answer.status() == 0) {
                return;
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", answer.status() < 400 ? "application/json" : "application/problem+json");
            inFlight.decrementAndGet();
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        } catch (RuntimeException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
