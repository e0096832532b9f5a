package berth.peers.store;

import static berth.store.Seconds.instant;

import berth.database.Seal;
import berth.peers.Peer;
import berth.reservation.ClusterId;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import tools.jackson.databind.JsonNode;

/** The row of another Berth's cluster. */
@Entity
@Table(name = "peer")
@NullUnmarked
final class PeerRow {

    @Id
    String id;

    String url;
    String sealedToken;
    String cluster;

    @Convert(converter = JsonConverter.class)
    JsonNode card;

    Instant checkedAt;
    int version;

    static PeerRow of(Peer peer, Seal seal) {
        var row = new PeerRow();
        row.id = peer.id().value();
        row.url = peer.url().toString();
        row.sealedToken = seal.seal(peer.token());
        row.cluster = peer.cluster().value();
        row.card = peer.card();
        row.checkedAt = instant(peer.checkedAt());
        row.version = peer.version();
        return row;
    }

    /** Returns the peer; its token is empty if it was encrypted with another key. */
    Peer toPeer(Seal seal) {
        return new Peer(
                new ClusterId(id),
                URI.create(url),
                seal.open(sealedToken).orElse(""),
                new ClusterId(cluster),
                card,
                checkedAt.getEpochSecond(),
                version);
    }
}
