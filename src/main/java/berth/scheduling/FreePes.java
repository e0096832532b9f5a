package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.time.Slot;
import java.util.Optional;

/**
 * The PEs of a cluster that are free over time, and where runs find room among them. A persistent value.
 *
 * <p>Searches take a bound, {@code among}: so many of the PEs may be taken at one time, the others stay free.
 */
sealed interface FreePes permits CountedPes, NumberedPes {

    /** The PEs of a cluster that nobody has reserved. */
    static FreePes of(Cluster cluster) {
        return switch (cluster.binding()) {
            case LATE -> CountedPes.of(cluster.pes());
            case EARLY -> NumberedPes.of(cluster.pes());
        };
    }

    /** How many are free, over time. */
    CapacityProfile profile();

    /**
     * With {@code pes} PEs fewer free throughout {@code slot}.
     *
     * @param peIds which, as far as that is settled
     * @throws IllegalStateException if there are not as many, or not these
     */
    FreePes take(Slot slot, int pes, Optional<PeSet> peIds);

    /**
     * With {@code pes} PEs more free throughout {@code slot}: what {@link #take} took.
     *
     * @throws IllegalStateException if any of it is free already
     */
    FreePes giveBack(Slot slot, int pes, Optional<PeSet> peIds);

    /** Whether what a reservation has is free, be it of the share that is to stay free; it is not in the schedule. */
    boolean hasRoomFor(Reservation reservation);

    /** The place at exactly that slot, if there is room. */
    Optional<Place> at(Slot slot, int pes, int among);

    /** The place that the policy chooses, if there is one. */
    Optional<Place> place(Demand demand, int among, PlacementPolicy policy);

    /** The first start of each unbroken row of feasible starts, ascending; {@code limit} of them at the most. */
    long[] fitStarts(Demand demand, int among, int limit);

    /**
     * The place at {@code slot} of a reservation that starts there already, if there is room. What it has it keeps, even of
     * the share that is to stay free; what it needs beyond that must be free.
     *
     * @param had which is not in the schedule
     */
    Optional<Place> kept(Reservation had, Slot slot, int pes, int among);

    /** A reservation whose run starts, on the PEs it gets for it. */
    Reservation started(Reservation waiting);
}
