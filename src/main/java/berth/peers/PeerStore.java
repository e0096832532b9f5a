package berth.peers;

import berth.reservation.ClusterId;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

/** Stores the clusters of other Berths durably. */
public interface PeerStore {

    /** Returns the unique id of this installation, created with its database. */
    UUID instance();

    /** Returns all peers. */
    List<Peer> all();

    /** Records a new or changed peer. */
    void put(Peer peer);

    /** Removes a peer and records its version. */
    void remove(ClusterId id);

    /** Returns the last version of a removed peer; empty if none had this id. */
    OptionalInt lastVersion(ClusterId id);
}
