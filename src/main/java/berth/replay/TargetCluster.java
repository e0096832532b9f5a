package berth.replay;

import berth.terminal.Reply;
import berth.terminal.ServiceClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * The cluster that the log is replayed on: it must have as many PEs as the log's machine, and is registered where there
 * is none of its id.
 */
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

    /** @throws ReplayException if the cluster is another, cannot be registered or the service is not there */
    void prepare() {
        String path =
                "/clusters/" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        Reply.Heard found = ask(timeout -> service.get(path, timeout));
        if (found.status() == 404) {
            String key = UUID.randomUUID().toString();
            Map<String, Object> cluster = Map.of("id", id, "pes", pes);
            Reply.Heard made = ask(timeout -> service.post("/clusters", key, cluster, timeout));
            if (made.status() == 200 || made.status() == 201) {
                return;
            }
            // another client may have registered it meanwhile
            found = made.status() == 409 ? ask(timeout -> service.get(path, timeout)) : made;
        }
        check(found);
    }

    private void check(Reply.Heard found) {
        int actual = found.body().path("pes").asInt(0);
        if (found.status() != 200 || actual < 1) {
            throw ReplayException.badInput(
                    "The service answers %s for cluster %s. Maybe --url is not the address of a Berth, or --cluster no possible id."
                            .formatted(found.said(), id));
        }
        if (actual != pes) {
            throw ReplayException.badInput(
                    "Cluster %s has %d PEs, the machine of the log %d. Name another cluster with --cluster; one that does not exist is registered."
                            .formatted(id, actual, pes));
        }
    }

    private Reply.Heard ask(Function<Duration, Reply> question) {
        Reply last = patience.ask(question, new StopSignal()).last();
        return switch (last) {
            case Reply.Heard heard -> settled(heard);
            case Reply.Unheard unheard ->
                throw ReplayException.wentAway(away(unheard.cause() + ": " + unheard.detail()));
        };
    }

    private static Reply.Heard settled(Reply.Heard heard) {
        if (Verdict.isDenial(heard)) {
            throw ReplayException.badInput(denied(heard.said()));
        }
        if (!heard.isFinal()) {
            throw ReplayException.wentAway(away(heard.said()));
        }
        return heard;
    }

    private static String away(String reason) {
        return "The service does not answer (%s); no reservation was asked for. Maybe it is not started, or --url is wrong."
                .formatted(reason);
    }

    /** What to do about a token that was refused. */
    static String denied(String said) {
        return "The service refuses the token (%s). Give one of an account that may reserve, and register clusters where --cluster does not exist yet, by --token, --token-file or BERTH_TOKEN."
                .formatted(said);
    }
}
