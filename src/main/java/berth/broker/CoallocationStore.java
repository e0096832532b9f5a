package berth.broker;

import berth.desk.KeyUse;
import berth.reservation.ReservationId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Where co-allocations are kept. What is answered is durable. */
public interface CoallocationStore {

    /** Records one that is new, and the key that asked for it. */
    void create(Coallocation coallocation, Optional<KeyUse> key);

    /** Records how far one has come. */
    void update(Coallocation coallocation);

    Optional<Coallocation> find(UUID id);

    /** Those about which something is still to be done, oldest first. */
    List<Coallocation> unsettled();

    /** Those that are watched and of which a part has failed. Looks at each that is watched: linear in their parts. */
    List<Coallocation> broken();

    /** Those that are watched and have live parts at other Berths: these. */
    List<ReservationId> watchedElsewhere();

    /** No longer watches those that have no live part. */
    void forgetEnded();
}
