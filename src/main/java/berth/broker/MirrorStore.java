package berth.broker;

import berth.desk.KeyUse;
import berth.desk.Records.Filter;
import berth.desk.Records.Whose;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import java.util.List;
import java.util.Optional;

/** Where it is kept what is reserved at other Berths. What is answered is durable. */
public interface MirrorStore {

    /**
     * Records one that is new, with the question that it answers and the key that asked for it.
     *
     * @throws RuntimeException if there is a reservation of this Berth of that id
     */
    void create(Mirror mirror, Question answered, Optional<KeyUse> key);

    /** Records how it is. */
    void update(Mirror mirror);

    /**
     * Forgets one that never came to be, and the key that asked for it. That of a client who has heard that its request is collected stands
     * for the request, whatever comes of it.
     *
     * @param own the key under which a collected request is decided
     */
    void remove(ReservationId id, String own);

    Optional<Mirror> find(ReservationId id);

    /** Those that pass the filter, newest first. */
    List<Mirror> list(Filter filter, Optional<ReservationId> olderThan, int limit);

    /** The first of those that pass the filter, the last to start first. */
    List<Mirror> latest(Filter filter, int limit);

    /**
     * A number that is another one once what is known of theirs has changed.
     *
     * @param whose of an account, or filed under a project
     * @param from seconds since the epoch: of those that end after it
     */
    long digest(Whose whose, long from);

    /** Those that another Berth is still to be told something of, oldest first. */
    List<Mirror> owing();

    /** Whether any on this cluster is live, or owes something, or may be held there. */
    boolean isInUse(ClusterId cluster);
}
