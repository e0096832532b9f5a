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

/** Makes the calls, on the given clusters. Thread-safe. */
final class LoadClient implements AutoCloseable {
    /** The largest possible size of a cluster, so that no reservation is rejected. */
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

    /** Connections that are not in use. */
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

    /**
     * @param api address of the service, including {@code /api/v1}
     * @param clusters ids of the clusters, at least one
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
     * Creates the clusters that do not exist, large enough that no reservation is rejected.
     *
     * @throws UnusableOption if the token does not allow reading or creating a cluster
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
                        "The service refuses the token (%d) for cluster %s. With --token, --token-file or BERTH_TOKEN, give the token of an account that may reserve and, if --cluster does not exist, may create it."
                                .formatted(found, cluster));
            }
            if (found != 200 && found != 201) {
                throw new UnusableOption(
                        "The service answers %d for cluster %s. Check that --url is the address of a Berth and --cluster is a valid id."
                                .formatted(found, cluster));
            }
        }
    }

    /** Probes for 32 PEs for two hours. */
    CallResult probe() {
        return answer(probe);
    }

    /** Reserves one PE for a minute, with a new idempotency key. */
    CallResult reserve() {
        Instant ready = Instant.now().plus(ahead).truncatedTo(ChronoUnit.SECONDS);
        Map<String, Object> terms = Map.of("readyTime", ready.toString(), "duration", "PT1M", "pes", 1);
        Map<String, Object> body = clusters.size() == 1
                ? Map.of("cluster", clusters.getFirst(), "terms", terms)
                : Map.of("clusters", clusters, "terms", terms);
        return answer(post(reservations, body, "Idempotency-Key: " + keys + keysUsed.incrementAndGet() + "\r\n"));
    }

    /** Closes the connections that are not in use. */
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

    private CallResult answer(byte[] request) {
        try {
            return new CallResult.Status(status(request));
        } catch (SocketTimeoutException e) {
            return new CallResult.None("nothing within %d s".formatted(PATIENCE.toSeconds()));
        } catch (ConnectException e) {
            return new CallResult.None("no connection");
        } catch (ProtocolException e) {
            return new CallResult.None(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new CallResult.None("connection broken");
        }
    }

    /**
     * Sends a request and returns the status of the response. A service may close an idle connection; a request sent over it at that
     * moment is sent once more.
     */
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
