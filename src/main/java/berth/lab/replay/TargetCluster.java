package berth.lab.replay;

import berth.terminal.HttpResult;
import berth.terminal.Patience;
import berth.terminal.ServiceClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** The cluster on which the log is replayed. It must have as many PEs as the log's machine, and is created if it does not exist. */
final class TargetCluster {
    private final ServiceClient service;
    private final Patience patience;
    private final String id;
    private final int pes;

    TargetCluster(ServiceClient service, Patience patience, String id, int pes) {
        this.service = service;
        this.patience = patience;
        this.id = id;
        this.pes = pes;
    }

    /**
     * Checks the cluster and creates it if it does not exist.
     *
     * @throws ReplayException if the cluster has another size or cannot be created, or if the service does not answer
     */
    void prepare() {
        String path =
                "/clusters/" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        HttpResult.Response found = send(timeout -> service.get(path, timeout));
        if (found.status() == 404) {
            String key = UUID.randomUUID().toString();
            Map<String, Object> cluster = Map.of("id", id, "pes", pes);
            HttpResult.Response made = send(timeout -> service.post("/clusters", key, cluster, timeout));
            if (made.status() == 200 || made.status() == 201) {
                return;
            }
            // another client may have created it in the meantime
            found = made.status() == 409 ? send(timeout -> service.get(path, timeout)) : made;
        }
        check(found);
    }

    private void check(HttpResult.Response found) {
        int actual = found.body().path("pes").asInt(0);
        if (found.status() != 200 || actual < 1) {
            throw ReplayException.badInput(
                    "The service answers %s for cluster %s. Check that --url is the address of a Berth and --cluster is a valid id."
                            .formatted(found.message(), id));
        }
        if (actual != pes) {
            throw ReplayException.badInput(
                    "Cluster %s has %d PEs, but the machine of the log has %d. Choose another cluster with --cluster; if it does not exist, it is created."
                            .formatted(id, actual, pes));
        }
    }

    private HttpResult.Response send(Function<Duration, HttpResult> request) {
        HttpResult last = patience.send(request).last();
        return switch (last) {
            case HttpResult.Response response -> accepted(response);
            case HttpResult.NoResponse none ->
                throw ReplayException.wentAway(away(none.cause() + ": " + none.detail()));
        };
    }

    private static HttpResult.Response accepted(HttpResult.Response response) {
        if (RequestVerdict.isDenial(response)) {
            throw ReplayException.badInput(denied(response.message()));
        }
        if (!response.isFinal()) {
            throw ReplayException.wentAway(away(response.message()));
        }
        return response;
    }

    private static String away(String reason) {
        return "The service does not answer (%s); no reservation was asked for. Check that it is running and that --url is correct."
                .formatted(reason);
    }

    /** Returns the message for a rejected token. */
    static String denied(String message) {
        return "The service refuses the token (%s). With --token, --token-file or BERTH_TOKEN, give the token of an account that may reserve and, if --cluster does not exist, may create it."
                .formatted(message);
    }
}
