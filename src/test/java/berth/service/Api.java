package berth.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as seen by a client with one token, or by a page with one session. */
public final class Api {

    private static final HttpClient http = HttpClient.newHttpClient();
    private static final JsonMapper mapper = JsonMapper.shared();

    private final String base;
    private final Map<String, String> headers;

    public Api(int port, Optional<String> token) {
        this(
                port,
                token.map(value -> Map.of("Authorization", "Bearer " + value)).orElse(Map.of()));
    }

    /** @param headers sent with each call */
    Api(int port, Map<String, String> headers) {
        this.base = "http://localhost:" + port;
        this.headers = headers;
    }

    /** A page that has signed in with a token. */
    public static Api page(int port, String token) {
        return new Api(port, Map.of("Cookie", cookie(port, token).replaceAll(";.*", ""), Sessions.HEADER, "true"));
    }

    /** Signs in, and returns the cookie with its attributes. */
    static String cookie(int port, String token) {
        return cookie(
                new Api(port, Optional.of(token)).request("/api/v1/session").POST(BodyPublishers.noBody()));
    }

    /** Returns the cookie, with its attributes, that a response sets. */
    static String cookie(HttpRequest.Builder request) {
        var response = answer(request);
        return response.headers().firstValue("Set-Cookie").orElseThrow(() -> new AssertionError(response.body()));
    }

    private static HttpResponse<String> answer(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A response. {@code body} is a missing node if there was none, and {@code etag} is empty then. */
    public record Reply(int status, String contentType, String etag, JsonNode body) {

        public String text(String path) {
            return body.at("/" + path.replace('.', '/')).asString();
        }

        /** Returns the version that the entity tag names. */
        public int version() {
            return Integer.parseInt(etag.substring(1, etag.indexOf('-')));
        }
    }

    public Reply get(String path) {
        return send(request(path).GET());
    }

    public Reply post(String path, String body, String... headers) {
        var request = request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    public Reply post(String path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    public Reply put(String path, String body) {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
    }

    public Reply patch(String path, String body, String... headers) {
        var request =
                request(path).header("Content-Type", "application/json").method("PATCH", BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    public Reply delete(String path, String... headers) {
        var request = request(path).DELETE();
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    public Reply send(HttpRequest.Builder request) {
        var response = answer(request);
        var text = response.body();
        return new Reply(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.headers().firstValue("ETag").orElse(""),
                text.startsWith("{") ? mapper.readTree(text) : mapper.missingNode());
    }

    /** Gets a path that no well-behaved client would send. */
    Reply getRaw(String path, String... headers) {
        try (var socket = new Socket("localhost", URI.create(base).getPort())) {
            var lines = Stream.concat(
                            this.headers.entrySet().stream().map(each -> each.getKey() + ": " + each.getValue()),
                            Stream.of(headers))
                    .map("%s\r\n"::formatted)
                    .collect(Collectors.joining());
            var request = "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n".formatted(path, lines);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            var head = answer.substring(0, answer.indexOf("\r\n\r\n"));
            var body = answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
            return new Reply(
                    Integer.parseInt(answer.substring(9, 12)),
                    header(head, "Content-Type"),
                    header(head, "ETag"),
                    mapper.readTree(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String header(String head, String name) {
        return head.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("");
    }

    public HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(base + path));
        headers.forEach(request::header);
        return request;
    }
}
