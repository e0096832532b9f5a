package berth.lab.experiment.advisor;

import berth.terminal.HttpResult;
import berth.terminal.Patience;
import berth.terminal.ServiceClient;
import berth.terminal.UnusableOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads the records of a cluster from a running service, one page after the other. It changes nothing there. */
record RecordReader(ServiceClient service, String id) {
    /** The most reservations that are read: the newest. */
    static final int MAX_RESERVATIONS = 100_000;

    private static final Patience PATIENCE = new Patience(3, Duration.ofMinutes(1));

    /**
     * Reads the cluster and its reservations.
     *
     * @throws UnusableOption if the service does not respond, rejects the token or has no such cluster, or if its responses are not those
     *     of a Berth
     */
    ClusterRecords read() {
        requireAdministrator();
        HttpResult.Response found = get("/clusters/" + id);
        if (found.status() == 404) {
            throw new UnusableOption(
                    "--cluster is %s, but the service has no such cluster. Give the id of one of its clusters, as in GET /api/v1/clusters."
                            .formatted(id));
        }
        JsonNode cluster = body(found);
        if (cluster.has("peer")) {
            throw new UnusableOption(
                    "--cluster is %s, which another Berth runs. Give the address of that Berth with --url, and the id that the cluster has there."
                            .formatted(id));
        }
        List<JsonNode> listed = reservations();
        try {
            return ClusterRecords.of(cluster, listed);
        } catch (IllegalArgumentException | DateTimeException | JacksonException e) {
            throw new UnusableOption(
                    "The service's records of cluster %s cannot be read (%s). Use the berth-lab.jar of the service's version."
                            .formatted(id, e.getMessage()));
        }
    }

    /** Checks the role, because another account sees only its own reservations. */
    private void requireAdministrator() {
        JsonNode account = body(get("/me"));
        if (!account.path("role").asString("").equals("ADMIN")) {
            throw new UnusableOption(
                    "The token is that of %s, which has the role %s and does not see all reservations. Give the token of an administrator with --token-file."
                            .formatted(
                                    account.path("name").asString("?"),
                                    account.path("role").asString("?")));
        }
    }

    private List<JsonNode> reservations() {
        List<JsonNode> listed = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = body(get("/reservations?limit=500&cluster=" + id + after));
            page.path("items").forEach(listed::add);
            String next = page.path("next").asString("");
            after = next.isEmpty() ? "" : "&after=" + next;
        } while (!after.isEmpty() && listed.size() < MAX_RESERVATIONS);
        return listed.subList(0, Math.min(listed.size(), MAX_RESERVATIONS));
    }

    private HttpResult.Response get(String path) {
        return switch (PATIENCE.send(timeout -> service.get(path, timeout)).last()) {
            case HttpResult.Response response when response.isFinal() -> response;
            case HttpResult.Response response -> throw away(response.message());
            case HttpResult.NoResponse none -> throw away(none.cause() + ": " + none.detail());
        };
    }

    private static JsonNode body(HttpResult.Response response) {
        if (response.status() == 401 || response.status() == 403) {
            throw new UnusableOption(
                    "The service rejects the token (%s). Give the token of an administrator with --token-file, --token or BERTH_TOKEN."
                            .formatted(response.message()));
        }
        if (response.status() != 200 || !response.body().isObject()) {
            throw new UnusableOption("The service returns %s. Check that --url is the address of a Berth."
                    .formatted(response.message()));
        }
        return response.body();
    }

    private static UnusableOption away(String reason) {
        return new UnusableOption(
                "The service does not respond (%s). Check that it runs and that --url is its address, with http or https as it expects. For https, Java must trust its certificate; see -Djavax.net.ssl.trustStore."
                        .formatted(reason));
    }
}
