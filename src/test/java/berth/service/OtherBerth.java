package berth.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Imitates another Berth: returns its own version, and passes every other call on to the service under test, unless a test
 * makes it silent.
 */
public final class OtherBerth implements AutoCloseable {

    private static final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpServer server;
    private final int behind;

    /** The document of its version. */
    private volatile String card;

    /** Calls that it accepts without an answer. */
    private volatile Predicate<String> swallowed = _ -> false;

    /** Calls that it passes on, and whose answers are lost. */
    private volatile Predicate<String> unheard = _ -> false;

    /** The change of the answers that it passes on. */
    private volatile UnaryOperator<String> twist = answer -> answer;

    private OtherBerth(int behind, String card) throws IOException {
        this.behind = behind;
        this.card = card;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    /** @param behind the port of the service that does its work */
    public static OtherBerth before(int behind) throws IOException {
        return new OtherBerth(behind, """
                {"service":"berth","contract":1,"instance":"0190a000-0000-7000-8000-00000000aaaa"}""");
    }

    public static OtherBerth saying(String card) throws IOException {
        return new OtherBerth(0, card);
    }

    public String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Accepts calls such as {@code POST /api/v1/probes} from now on without passing them on or answering. */
    public void swallow(Predicate<String> calls) {
        swallowed = calls;
    }

    /** Passes such calls on from now on, but loses their answers. */
    public void loseAnswers(Predicate<String> calls) {
        unheard = calls;
    }

    /** Changes the answers that it passes on from now on. */
    public void twist(UnaryOperator<String> answers) {
        twist = answers;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        try (exchange) {
            if (swallowed.test(call)) {
                return;
            }
            if (call.equals("GET /api/v1") || behind == 0) {
                send(exchange, 200, card.getBytes(StandardCharsets.UTF_8));
            } else {
                pass(exchange, unheard.test(call));
            }
        }
    }

    private void pass(HttpExchange exchange, boolean isUnheard) throws IOException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + behind + exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        for (var header : List.of("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Accept")) {
            var value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            if (isUnheard) {
                return;
            }
            send(exchange, response.statusCode(), twist.apply(response.body()).getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
