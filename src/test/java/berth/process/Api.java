package berth.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the service. Thread-safe. */
final class Api {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String base;
    private final String token;
    private final Duration patience;

    public Api(String url, String token) {
        this(url, token, PATIENCE);
    }

    /** Creates a client with that timeout for answers. */
    public Api(String url, String token, Duration patience) {
        this.base = url + "/api/v1";
        this.token = token;
        this.patience = patience;
    }

    /** An answer of the service. */
    record Answer(int status, JsonNode body) {

        /** Whether it gives the result of the request. */
        boolean isFinal() {
            return status < 500;
        }

        String id() {
            return body.path("id").asString("");
        }
    }

    /** Whether a service runs and is healthy. */
    static boolean isHealthy(String url) throws InterruptedException {
        var question = HttpRequest.newBuilder(URI.create(url + "/actuator/health"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return HTTP.send(question, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    public Answer get(String path) throws IOException {
        return send(request(path).GET());
    }

    public Answer post(String path, String body) throws IOException {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    public Answer post(String path, String body, String key) throws IOException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body)));
    }

    /** Posts a request and lets the service wait for the decision. */
    Answer postAndWait(String path, String body, String key, int seconds) throws IOException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .header("Prefer", "wait=" + seconds)
                .POST(BodyPublishers.ofString(body)));
    }

    public Answer patch(String path, String body) throws IOException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(body)));
    }

    public Answer put(String path, String body) throws IOException {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
    }

    /** Deletes a resource and returns the status. */
    public int delete(String path) throws IOException {
        return send(request(path).DELETE()).status();
    }

    /** Returns every item of a list, page after page. */
    List<JsonNode> all(String path) throws IOException {
        var items = new ArrayList<JsonNode>();
        var page = get(path + "?limit=500").body();
        while (!page.path("items").isEmpty()) {
            page.path("items").forEach(items::add);
            if (page.path("next").isNull()) {
                break;
            }
            page = get(path + "?limit=500&after=" + page.path("next").asString())
                    .body();
        }
        return items;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .timeout(patience)
                .header("Authorization", "Bearer " + token);
    }

    private static Answer send(HttpRequest.Builder request) throws IOException {
        try {
            var response = HTTP.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), JSON.readTree(response.body()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
