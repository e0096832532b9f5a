package berth.terminal;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Calls the service over HTTP with JSON and the bearer token of one account. It never throws for a failure of the network or the service,
 * but returns a {@link HttpResult}. Thread-safe.
 */
public final class ServiceClient implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String api;
    private final String token;
    private final InstantSource clock;
    // a fixed version of HTTP, so that no connection begins with an attempt to upgrade
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param api address of the service, including {@code /api/v1} */
    public ServiceClient(String api, String token) {
        this(api, token, InstantSource.system());
    }

    /**
     * Creates a client that compares a clock with that of the service.
     *
     * @param api address of the service, including {@code /api/v1}
     */
    public ServiceClient(String api, String token, InstantSource clock) {
        this.api = api;
        this.token = token;
        this.clock = clock;
    }

    public HttpResult get(String path, Duration timeout) {
        return send(request(path, timeout).GET());
    }

    /**
     * Gets a path whose response may wait up to {@code wait} for something to happen.
     *
     * @param timeout how long to wait for the response after that
     */
    public HttpResult getAndWait(String path, Duration wait, Duration timeout) {
        return send(request(path, timeout.plus(wait))
                .header("Prefer", "wait=" + wait.toSeconds())
                .GET());
    }

    /** Posts {@code body}, a value that Jackson can write, with an idempotency key. */
    public HttpResult post(String path, String key, Object body, Duration timeout) {
        return send(request(path, timeout)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
    }

    /** Posts an empty body. */
    public HttpResult post(String path, Duration timeout) {
        return send(request(path, timeout).POST(BodyPublishers.noBody()));
    }

    /** Puts {@code body}, a value that Jackson can write. */
    public HttpResult put(String path, Object body, Duration timeout) {
        return send(request(path, timeout)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
    }

    /** Closes the connections and aborts requests in flight. */
    @Override
    public void close() {
        http.shutdownNow();
    }

    private HttpRequest.Builder request(String path, Duration timeout) {
        return HttpRequest.newBuilder(URI.create(api + path))
                .timeout(timeout)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json, application/problem+json");
    }

    private HttpResult send(HttpRequest.Builder request) {
        try {
            var sent = clock.instant();
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            return new HttpResult.Response(
                    response.statusCode(),
                    json(response.body()),
                    retryAfter(response),
                    clockAhead(response, sent, clock.instant()));
        } catch (HttpTimeoutException e) {
            return new HttpResult.NoResponse("timeout", String.valueOf(e.getMessage()));
        } catch (ConnectException e) {
            return new HttpResult.NoResponse("connection", "no connection to " + api);
        } catch (IOException e) {
            return new HttpResult.NoResponse("connection", e.getMessage() == null ? e.toString() : e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new HttpResult.NoResponse("interrupted", "the program is ending");
        }
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    /** Compares the clock with the {@code Date} of a response, which has whole seconds, rounded down. */
    private static Duration clockAhead(HttpResponse<?> response, Instant sent, Instant received) {
        try {
            var date = response.headers().firstValue("Date");
            if (date.isEmpty()) {
                return Duration.ZERO;
            }
            var said = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date.get(), Instant::from);
            var atLeast = Duration.between(said.plusSeconds(1), sent);
            var atMost = Duration.between(said, received);
            return atLeast.isPositive() ? atLeast : atMost.isNegative() ? atMost : Duration.ZERO;
        } catch (DateTimeParseException e) {
            return Duration.ZERO;
        }
    }

    private static Duration retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,6}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(Duration.ZERO);
    }
}
