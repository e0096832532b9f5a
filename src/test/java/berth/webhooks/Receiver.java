package berth.webhooks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of webhooks that can misbehave. */
public final class Receiver implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer server;
    private final List<Message> messages = new CopyOnWriteArrayList<>();
    private volatile Conduct conduct = (_, _) -> 204;

    /** A message as it arrived. */
    public record Message(String id, long timestamp, String signature, String contentType, String text) {

        public JsonNode body() {
            return JSON.readTree(text);
        }

        public String type() {
            return body().path("type").asString();
        }

        /** Returns the cluster and the number of the event in the message. */
        public String event() {
            return "%s %d".formatted(data().path("cluster").asString(), sequence());
        }

        public long sequence() {
            return data().path("sequence").asLong();
        }

        public String reservation() {
            return data().path("reservation").asString();
        }

        private JsonNode data() {
            return body().path("data");
        }
    }

    /** The behaviour of the receiver. */
    public interface Conduct {

        /**
         * Handles a message, the first of which has the number 1.
         *
         * @return the status of the answer; 0 to close the connection without an answer
         */
        int answer(int number, HttpExchange exchange) throws IOException, InterruptedException;
    }

    public Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::take);
        server.start();
    }

    public Receiver behaving(Conduct other) {
        conduct = other;
        return this;
    }

    private void take(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        var message = new Message(
                headers.getFirst("webhook-id"),
                Long.parseLong(headers.getFirst("webhook-timestamp")),
                headers.getFirst("webhook-signature"),
                headers.getFirst("Content-Type"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        int number;
        synchronized (messages) {
            messages.add(message);
            number = messages.size();
        }
        try (exchange) {
            int status = conduct.answer(number, exchange);
            if (status > 0) {
                exchange.sendResponseHeaders(status, -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public String url() {
        return "http://127.0.0.1:%d/hook".formatted(server.getAddress().getPort());
    }

    /** Returns all messages that arrived, including repetitions. */
    public List<Message> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
