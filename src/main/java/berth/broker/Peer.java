package berth.broker;

import berth.reservation.ClusterId;
import java.net.URI;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of another Berth, which is a candidate here.
 *
 * @param id its name here
 * @param url of the other Berth, http or https, without {@code /api/v1}
 * @param token with which that lets us in, never shown; empty if it cannot be opened any more
 * @param cluster its name there
 * @param card what it was when it was last asked, as it answers {@code GET /clusters/{id}}
 * @param checkedAt when that was, seconds since the epoch
 * @param version how often it has been changed here
 */
public record Peer(ClusterId id, URI url, String token, ClusterId cluster, JsonNode card, long checkedAt, int version) {

    /** The same as it answers now. */
    Peer answering(JsonNode now, long at) {
        return new Peer(id, url, token, cluster, now, at, version);
    }

    /** A token is a secret, also in a log. */
    @Override
    public String toString() {
        return "%s (%s of %s)".formatted(id, cluster, url);
    }
}
