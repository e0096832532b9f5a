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
import java.util.stream.LongStream;

/**
 * The free PEs of a cluster over time, and the search for room among them. Immutable.
 *
 * <p>Searches take a bound, {@code among}: at most that many PEs may be taken at one time, and the others stay free.
 */
public sealed interface FreePes permits CountedPes, NumberedPes {

    /** Returns the PEs of a cluster without reservations. */
    static FreePes of(Cluster cluster) {
        return switch (cluster.binding()) {
            case LATE -> CountedPes.of(cluster.pes());
            case EARLY -> NumberedPes.of(cluster.pes());
        };
    }

    /** Returns the number of free PEs over time. */
    CapacityProfile profile();

    /**
     * Returns the same PEs, where jobs may use the PEs outside the reservable share.
     *
     * @param jobs jobs that already count as taken
     * @param spared the number of PEs outside the reservable share
     */
    FreePes sharing(Collection<Part> jobs, int spared);

    /**
     * Returns this with the PEs of a part taken throughout its slot.
     *
     * @param isHeld whether a run holds the part's PEs now; they must have been chosen then
     * @throws IllegalStateException if not enough PEs, or not these PEs, are free
     */
    FreePes take(Part part, boolean isHeld);

    /**
     * Returns this with the PEs of a part free throughout its slot, the reverse of {@link #take(Part, boolean)}.
     *
     * @throws IllegalStateException if any of it is already free
     */
    FreePes giveBack(Part part, boolean isHeld);

    /** Returns this with other PEs out of service by name, beginning with the present; their number must be taken already. */
    FreePes outOfService(PeSet named);

    /** Returns the times in a slot at which the free PEs change, ascending; with early binding also if their number stays. */
    LongStream changes(Slot slot);

    /** Whether the PEs of a part are free, inside the reservable share or not; see {@link #take(Part, boolean)}. */
    boolean hasRoomFor(Part part, boolean isHeld);

    /** Returns PEs in exactly that slot, if enough are free. */
    Optional<Part> at(Slot slot, int pes, int among);

    /** Returns the slot and PEs that the policy chooses, if there are any. */
    Optional<Part> find(Demand demand, int among, PlacementPolicy policy);

    /** Returns the first start of each unbroken range of feasible starts, ascending, at most {@code limit}. */
    long[] fitStarts(Demand demand, int among, int limit);

    /**
     * Returns PEs at {@code slot} for a run that already starts there, if enough are free. The run keeps its present PEs, even outside the
     * reservable share; additional PEs must be free.
     *
     * @param had the present part, which does not count as taken
     */
    Optional<Part> kept(Part had, Slot slot, int pes, int among);

    /**
     * Returns the PEs of a part that are not free at some time in {@code stretch}.
     *
     * @param part the part, which does not count as taken
     * @param out the PEs that outages name then
     */
    Optional<Part> lacking(Part part, Slot stretch, PeSet out);

    /** Returns the PEs that a part gets when it starts. */
    PeSet started(Part waiting);

    /**
     * Returns this with the PEs of these parts taken; no run may hold them yet.
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
     * Returns this with the PEs of these parts free, the reverse of {@link #take(List)}.
     *
     * @throws IllegalStateException if any of it is already free
     */
    default FreePes giveBack(List<Part> parts) {
        FreePes rest = this;
        for (var part : parts) {
            rest = rest.giveBack(part, false);
        }
        return rest;
    }

    /**
     * Returns this with the PEs that the first {@code parts} parts of a placement have taken. Parts that are over are left out, because the
     * cluster may have shrunk since.
     *
     * @throws IllegalStateException as {@link #take(Part, boolean)}
     */
    default FreePes take(Placement placement, int parts) {
        FreePes rest = this;
        for (int part = placement.over(); part < parts; part++) {
            for (var piece : placement.has(part)) {
                rest = rest.take(piece, placement.holds(part, piece));
            }
        }
        return rest;
    }

    /**
     * Returns this with those PEs free, the reverse of {@link #take(Placement, int)}.
     *
     * @throws IllegalStateException if any of it is already free
     */
    default FreePes giveBack(Placement placement, int parts) {
        FreePes rest = this;
        for (int part = placement.over(); part < parts; part++) {
            for (var piece : placement.has(part)) {
                rest = rest.giveBack(piece, placement.holds(part, piece));
            }
        }
        return rest;
    }

    /** Whether those PEs are free. */
    default boolean hasRoomFor(Placement placement, int parts) {
        return IntStream.range(placement.over(), parts)
                .allMatch(part -> placement.has(part).stream()
                        .allMatch(piece -> hasRoomFor(piece, placement.holds(part, piece))));
    }
}
