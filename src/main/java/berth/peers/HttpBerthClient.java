package berth.peers;

import berth.runtime.OnFirstUse;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls other Berths over HTTP. It follows no redirects and reads at most {@value #MAX_BYTES} bytes, because the other end is not trusted.
 */
public final class HttpBerthClient implements BerthClient, AutoCloseable {

    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final OnFirstUse<HttpClient> http = new OnFirstUse<>(() -> HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build());

    private final ExecutorService lookups = Executors.newVirtualThreadPerTaskExecutor();
    private final PeerNetworks networks;

    public HttpBerthClient(PeerNetworks networks) {
        this.networks = networks;
    }

    @Override
    public Reply get(URI berth, String token, String path) {
        return send(
                request(berth, path).header("Authorization", "Bearer " + token).GET());
    }

    @Override
    public Reply getOpenly(URI berth) {
        return send(request(berth, "").GET());
    }

    @Override
    public Reply post(
            URI berth, String token, String path, Optional<JsonNode> body, OptionalInt version, Optional<String> key) {
        var request = request(berth, path).header("Authorization", "Bearer " + token);
        key.ifPresent(value -> request.header("Idempotency-Key", value));
        version.ifPresent(value -> request.header("If-Match", "\"%d\"".formatted(value)));
        body.ifPresent(_ -> request.header("Content-Type", "application/json"));
        return send(request.POST(
                body.map(value -> BodyPublishers.ofString(value.toString())).orElseGet(BodyPublishers::noBody)));
    }

    private static HttpRequest.Builder request(URI berth, String path) {
        return HttpRequest.newBuilder(URI.create(berth + "/api/v1" + path))
                .timeout(PATIENCE)
                .header("Accept", "application/json, application/problem+json");
    }

    private Reply send(HttpRequest.Builder builder) {
        var request = builder.build();
        // the platform caches names, so the client uses the addresses that were just checked
        var answer = CompletableFuture.supplyAsync(() -> objection(request.uri().getHost()), lookups)
                .thenCompose(objection -> objection
                        .<CompletableFuture<Reply>>map(why -> CompletableFuture.completedFuture(new Reply.Silent(why)))
                        .orElseGet(() -> http.get()
                                .sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES))
                                .thenApply(heard -> new Reply.Heard(heard.statusCode(), json(heard.body())))));
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            return new Reply.Silent("it does not answer in time");
        } catch (ExecutionException e) {
            return new Reply.Silent(
                    e.getCause() instanceof IOException
                            ? "it cannot be reached, or ends the connection"
                            : "the call failed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Silent("this service is shutting down");
        }
    }

    private Optional<String> objection(String host) {
        try {
            return networks.objection(host);
        } catch (UnknownHostException e) {
            return Optional.of("the name of its host cannot be resolved");
        }
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException e) {
            return JSON.missingNode();
        }
    }

    @Override
    public void close() {
        http.made().ifPresent(HttpClient::shutdownNow);
        lookups.shutdownNow();
    }
}
