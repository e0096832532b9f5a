package berth.peers;

import berth.engine.KeyUse;
import berth.engine.Records.Whose;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import java.util.List;
import java.util.Optional;

/** Stores the mirrors of reservations at other Berths durably. */
public interface MirrorStore {

    /**
     * Records a new mirror, the question that it answers, and the key of the request.
     *
     * @throws RuntimeException if a reservation of this Berth has that id
     */
    void create(Mirror mirror, Question answered, Optional<KeyUse> key);

    /** Records the present state. */
    void update(Mirror mirror);

    /**
     * Removes a mirror of a reservation that never came about, and the key of its request. The key of a client whose request was collected
     * stays, because it refers to the request.
     *
     * @param own the key under which a collected request is decided
     */
    void remove(ReservationId id, String own);

    Optional<Mirror> find(ReservationId id);

    /**
     * Returns a number that changes with the selected mirrors.
     *
     * @param whose selects an owner or a project
     * @param from selects mirrors that end after this time, in seconds since the epoch
     */
    long digest(Whose whose, long from);

    /** Returns the mirrors of which something must still be sent to another Berth, oldest first. */
    List<Mirror> owing();

    /** Whether a mirror on this cluster is live or has something owed, or something unknown may be held there. */
    boolean isInUse(ClusterId cluster);
}
