package berth.peers;

import berth.cluster.Cluster;
import berth.cluster.Unit;
import berth.reservation.ClusterId;
import java.net.URI;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of another Berth that this Berth can use.
 *
 * @param id the name of the cluster here
 * @param url the URL of the other Berth, http or https, without {@code /api/v1}
 * @param token the token for the other Berth, never shown; empty if it cannot be decrypted any more
 * @param cluster the name of the cluster there
 * @param card the cluster's properties when last asked, in the form of {@code GET /clusters/{id}}
 * @param checkedAt when it was last asked, in seconds since the epoch
 * @param version rises with each change here, and goes on if the name is used again after the cluster was removed
 */
public record Peer(ClusterId id, URI url, String token, ClusterId cluster, JsonNode card, long checkedAt, int version) {

    /** Returns the same peer with a new card. */
    Peer answering(JsonNode now, long at) {
        return new Peer(id, url, token, cluster, now, at, version);
    }

    /** Returns the same peer with another version number. */
    public Peer inVersion(int number) {
        return new Peer(id, url, token, cluster, card, checkedAt, number);
    }

    /** Returns the cluster's word for one PE. */
    public Unit unit() {
        return new Unit(card.path("unit").asString(Cluster.PE));
    }

    /** Hides the token, which is secret even in logs. */
    @Override
    public String toString() {
        return "%s (%s of %s)".formatted(id, cluster, url);
    }
}
