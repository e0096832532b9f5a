package berth.booking;

import berth.engine.KeyUse;
import berth.reservation.ReservationId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores co-allocations durably. */
public interface CoallocationStore {

    /** Records a new co-allocation and the key of its request. */
    void create(Coallocation coallocation, Optional<KeyUse> key);

    /** Records the present state. */
    void update(Coallocation coallocation);

    Optional<Coallocation> find(UUID id);

    /** Returns whether a reservation is part of a co-allocation with work left, or of a watched one. */
    boolean isPart(ReservationId reservation);

    /** Returns whether any co-allocation has work left or is watched. */
    boolean isAnyOpen();

    /** Returns the co-allocations with work left, oldest first. */
    List<Coallocation> unfinished();

    /** Returns the watched co-allocations of which a part has failed. Takes time proportional to the number of watched parts. */
    List<Coallocation> broken();

    /** Returns the live parts at other Berths of watched co-allocations. */
    List<ReservationId> watchedElsewhere();

    /** Stops watching co-allocations without a live part. */
    void forgetEnded();
}
