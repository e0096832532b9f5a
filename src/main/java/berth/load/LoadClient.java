package berth.load;

import berth.terminal.UnusableOption;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.json.JsonMapper;

/** Makes the calls, on the clusters that were named. Thread-safe. */
final class LoadClient implements AutoCloseable {
    /** As many as a cluster may have, so that nothing is refused. */
    private static final int PES = 10_000_000;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final String api;
    private final String authorization;
    private final List<String> clusters;
    private final Duration ahead;
    private final byte[] probe;
    private final URI reservations;
    private final String keys = UUID.randomUUID() + "-";
    private final AtomicLong keysUsed = new AtomicLong();

    /** Connections that nobody uses at the moment. */
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

    /**
     * @param api the address of the service, {@code /api/v1} included
     * @param clusters at least one
     * @param ahead how far ahead runs are reserved
     */
    LoadClient(String api, String token, List<String> clusters, Duration ahead) {
        this.api = api;
        this.authorization = "Authorization: Bearer " + token + "\r\n";
        this.clusters = List.copyOf(clusters);
        this.ahead = ahead;
        this.probe = post("/probes", Map.of("clusters", clusters, "terms", Map.of("duration", "PT2H", "pes", 32)));
        this.reservations = URI.create(api + "/reservations");
    }

    /**
     * Registers the clusters that there are not, large enough that nothing is refused.
     *
     * @throws UnusableOption if one cannot be looked at or registered with this token
     * @throws IOException if the service does not answer
     */
    void prepare() throws IOException {
        for (String cluster : clusters) {
            String path = "/clusters/"
                    + URLEncoder.encode(cluster, StandardCharsets.UTF_8).replace("+", "%20");
            int found = status(Connection.request("GET", URI.create(api + path), authorization, ""));
            if (found == 404) {
                found = status(post("/clusters", Map.of("id", cluster, "pes", PES)));
            }
            if (found == 401 || found == 403) {
                throw new UnusableOption(
                        "The service refuses the token (%d) for cluster %s. Give one of an account that may reserve, and register clusters where --cluster does not exist yet, by --token, --token-file or BERTH_TOKEN."
                                .formatted(found, cluster));
            }
            if (found != 200 && found != 201) {
                throw new UnusableOption(
                        "The service answers %d for cluster %s. Maybe --url is not the address of a Berth, or --cluster no possible id."
                                .formatted(found, cluster));
            }
        }
    }

    /** Asks what would fit: 32 PEs for two hours. */
    Answer probe() {
        return answer(probe);
    }

    /** Reserves one PE for a minute under a key of its own. */
    Answer reserve() {
        Instant ready = Instant.now().plus(ahead).truncatedTo(ChronoUnit.SECONDS);
        Map<String, Object> terms = Map.of("readyTime", ready.toString(), "duration", "PT1M", "pes", 1);
        Map<String, Object> body = clusters.size() == 1
                ? Map.of("cluster", clusters.getFirst(), "terms", terms)
                : Map.of("clusters", clusters, "terms", terms);
        return answer(post(reservations, body, "Idempotency-Key: " + keys + keysUsed.incrementAndGet() + "\r\n"));
    }

    /** Closes the connections that nobody uses. */
    @Override
    public void close() throws IOException {
        for (Connection each = idle.poll(); each != null; each = idle.poll()) {
            each.close();
        }
    }

    private byte[] post(String path, Map<String, Object> body) {
        return post(URI.create(api + path), body, "");
    }

    private byte[] post(URI address, Map<String, Object> body, String more) {
        String headers = authorization + more + "Content-Type: application/json\r\n";
        return Connection.request("POST", address, headers, JSON.writeValueAsString(body));
    }

    private Answer answer(byte[] request) {
        try {
            return new Answer.Status(status(request));
        } catch (SocketTimeoutException e) {
            return new Answer.None("nothing within %d s".formatted(PATIENCE.toSeconds()));
        } catch (ConnectException e) {
            return new Answer.None("no connection");
        } catch (ProtocolException e) {
            return new Answer.None(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new Answer.None("connection broken");
        }
    }

    /** A service may close a connection that is not used; what was sent over it just then is sent again, once. */
    private int status(byte[] request) throws IOException {
        Connection kept = idle.poll();
        if (kept == null) {
            return send(request, Connection.open(reservations, PATIENCE));
        }
        try {
            return send(request, kept);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return send(request, Connection.open(reservations, PATIENCE));
        }
    }

    private int send(byte[] request, Connection connection) throws IOException {
        try {
            return connection.send(request);
        } finally {
            if (connection.isUsable()) {
                idle.push(connection);
            } else {
                connection.close();
            }
        }
    }
}
