package berth.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service as seen by a client with one token. */
public final class Api {

    private static final HttpClient http = HttpClient.newHttpClient();
    private static final JsonMapper mapper = JsonMapper.shared();

    private final String base;
    private final Optional<String> token;

    public Api(int port, Optional<String> token) {
        this.base = "http://localhost:" + port;
        this.token = token;
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
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            var text = response.body();
            return new Reply(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.headers().firstValue("ETag").orElse(""),
                    text.startsWith("{") ? mapper.readTree(text) : mapper.missingNode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Gets a path that no well-behaved client would send. */
    Reply getRaw(String path, String... headers) {
        try (var socket = new Socket("localhost", URI.create(base).getPort())) {
            var authorization =
                    token.map("Authorization: Bearer %s\r\n"::formatted).orElse("");
            var others = Stream.of(headers).map("%s\r\n"::formatted).collect(Collectors.joining());
            var request = "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s%s\r\n"
                    .formatted(path, authorization, others);
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
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }
}
