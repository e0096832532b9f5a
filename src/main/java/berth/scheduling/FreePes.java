package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.cluster.Cluster;
import berth.reservation.Placement;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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
     * The same PEs, where those that are to stay free of reservations may be taken by these jobs, which are taken here already.
     *
     * @param spared how many are to stay free
     */
    FreePes sharing(Collection<Part> jobs, int spared);

    /**
     * With the PEs of that part taken throughout its slot.
     *
     * @param isHeld whether its PEs, which are settled then, are held at present
     * @throws IllegalStateException if there are not as many, or not these
     */
    FreePes take(Part part, boolean isHeld);

    /**
     * With the PEs of that part free throughout its slot: what {@link #take(Part, boolean)} took.
     *
     * @throws IllegalStateException if any of it is free already
     */
    FreePes giveBack(Part part, boolean isHeld);

    /** Whether what a part has is free, be it of the share that is to stay free; see {@link #take(Part, boolean)}. */
    boolean hasRoomFor(Part part, boolean isHeld);

    /** The PEs at exactly that slot, if there are as many. */
    Optional<Part> at(Slot slot, int pes, int among);

    /** The PEs and the slot that the policy chooses, if there are any. */
    Optional<Part> find(Demand demand, int among, PlacementPolicy policy);

    /** The first start of each unbroken row of feasible starts, ascending; {@code limit} of them at the most. */
    long[] fitStarts(Demand demand, int among, int limit);

    /**
     * The PEs at {@code slot} for a run that starts there already, if there are as many. What it has it keeps, even of
     * the share that is to stay free; what it needs beyond that must be free.
     *
     * @param had which is not taken
     */
    Optional<Part> kept(Part had, Slot slot, int pes, int among);

    /** The PEs that a part gets as it starts. */
    PeSet started(Part waiting);

    /**
     * With the PEs of these parts taken, which no run holds so far.
     *
     * @throws IllegalStateException as {@link #take(Part, boolean)}
     */
    default FreePes take(List<Part> parts) {
        FreePes rest = this;
        for (var part : parts) {
            rest = rest.take(part, false);
        }
        return rest;
    }

    /**
     * With them free: what {@link #take(List)} took.
     *
     * @throws IllegalStateException if any of it is free already
     */
    default FreePes giveBack(List<Part> parts) {
        FreePes rest = this;
        for (var part : parts) {
            rest = rest.giveBack(part, false);
        }
        return rest;
    }

    /**
     * With the PEs of the first so many parts of a placement taken, but for those that are over: the cluster may be smaller since.
     *
     * @throws IllegalStateException as {@link #take(Part, boolean)}
     */
    default FreePes take(Placement placement, int parts) {
        FreePes rest = this;
        for (int part = placement.over(); part < parts; part++) {
            rest = rest.take(placement.parts().get(part), placement.isRunning(part));
        }
        return rest;
    }

    /**
     * With them free: what {@link #take(Placement, int)} took.
     *
     * @throws IllegalStateException if any of it is free already
     */
    default FreePes giveBack(Placement placement, int parts) {
        FreePes rest = this;
        for (int part = placement.over(); part < parts; part++) {
            rest = rest.giveBack(placement.parts().get(part), placement.isRunning(part));
        }
        return rest;
    }

    /** Whether they are free. */
    default boolean hasRoomFor(Placement placement, int parts) {
        return IntStream.range(placement.over(), parts)
                .allMatch(part -> hasRoomFor(placement.parts().get(part), placement.isRunning(part)));
    }
}
