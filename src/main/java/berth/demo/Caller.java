package berth.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the service as the accounts of the demo do: over HTTP. */
final class Caller implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String api;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Creates a caller of the service on this machine. */
    Caller(int port) {
        this.api = "http://127.0.0.1:%d/api/v1/".formatted(port);
    }

    /** A response. */
    record Reply(int status, JsonNode body) {

        boolean isDone() {
            return status < 300;
        }
    }

    Reply get(String token, String path) throws IOException, InterruptedException {
        return send(token, path, "GET", BodyPublishers.noBody());
    }

    Reply post(String token, String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send(token, path, "POST", json(body));
    }

    Reply put(String token, String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send(token, path, "PUT", json(body));
    }

    Reply patch(String token, String path, Map<String, ?> body) throws IOException, InterruptedException {
        return send(token, path, "PATCH", json(body));
    }

    private static HttpRequest.BodyPublisher json(Map<String, ?> body) {
        return BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
    }

    private Reply send(String token, String path, String method, HttpRequest.BodyPublisher body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(api + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, body)
                .build();
        var response = http.send(request, BodyHandlers.ofByteArray());
        return new Reply(response.statusCode(), JSON.readTree(response.body()));
    }

    /** Aborts calls in progress. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
