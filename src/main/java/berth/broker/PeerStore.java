package berth.broker;

import berth.reservation.ClusterId;
import java.util.List;
import java.util.UUID;

/** Where it is kept which clusters of other Berths are candidates. What is answered is durable. */
public interface PeerStore {

    /** The one and only name of this installation, made when its database was. */
    UUID instance();

    /** All of them, newest first. */
    List<Peer> all();

    /** Records one, new or changed. */
    void put(Peer peer);

    void remove(ClusterId id);
}
