package berth.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** A proxy between two services that can act at the moment of a call. */
final class CuttingProxy implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** An action for one call. */
    private record Cut(String end, boolean isPassedOn, Runnable action) {}

    private final HttpServer server;
    private final String behind;
    private final AtomicReference<Optional<Cut>> cut = new AtomicReference<>(Optional.empty());

    CuttingProxy(String behind) throws IOException {
        this.behind = behind;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::pass);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Runs the action at the next call with that path ending, which is neither passed on nor answered. */
    void before(String end, Runnable action) {
        cut.set(Optional.of(new Cut(end, false, action)));
    }

    /** Passes on the next call with that path ending, then runs the action, and does not answer. */
    void after(String end, Runnable action) {
        cut.set(Optional.of(new Cut(end, true, action)));
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            var next = cut.get();
            boolean isMeant = next.filter(
                            one -> exchange.getRequestURI().getPath().endsWith(one.end))
                    .isPresent();
            if (isMeant && cut.compareAndSet(next, Optional.empty())) {
                var meant = next.orElseThrow();
                if (meant.isPassedOn) {
                    forward(exchange);
                }
                meant.action.run();
                return;
            }
            var response = forward(exchange);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(
                    response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(behind + exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        for (var header : List.of("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Accept")) {
            Optional.ofNullable(exchange.getRequestHeaders().getFirst(header))
                    .ifPresent(value -> request.header(header, value));
        }
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
