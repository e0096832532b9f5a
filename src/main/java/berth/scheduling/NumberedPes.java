package berth.scheduling;

import berth.availability.Allocation;
import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeCalendar;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * PEs that a run has exclusively throughout its slot, by number: it gets the lowest-numbered PEs that are free all the time. The PEs
 * outside the reservable share are the highest-numbered. If requests and allocations consist of whole nodes, so do the results, see {@link
 * berth.cluster.Nodes}.
 *
 * @param calendar the free PEs; {@code profile} counts them
 */
record NumberedPes(CapacityProfile profile, PeCalendar calendar) implements FreePes {

    static NumberedPes of(int pes) {
        return new NumberedPes(CapacityProfile.of(pes), PeCalendar.of(pes));
    }

    /** The PEs of jobs count as taken like those of reservations, whether they lie inside the reservable share or not. */
    @Override
    public NumberedPes sharing(Collection<Part> jobs, int spared) {
        return this;
    }

    @Override
    public NumberedPes take(Part part, boolean isHeld) {
        return new NumberedPes(profile.take(part.slot(), part.pes()), calendar.addAllocation(allocation(part)));
    }

    @Override
    public NumberedPes giveBack(Part part, boolean isHeld) {
        return new NumberedPes(profile.giveBack(part.slot(), part.pes()), calendar.deleteAllocation(allocation(part)));
    }

    @Override
    public NumberedPes outOfService(PeSet named) {
        return this;
    }

    @Override
    public LongStream changes(Slot slot) {
        return calendar.changes(slot);
    }

    private static Allocation allocation(Part part) {
        return new Allocation(part.slot(), own(part));
    }

    @Override
    public boolean hasRoomFor(Part part, boolean isHeld) {
        return calendar.freeThroughout(part.slot()).containsAll(own(part));
    }

    @Override
    public Optional<Part> at(Slot slot, int pes, int among) {
        return on(slot, PeSet.NONE, pes, among);
    }

    /** Returns the given PEs in that slot plus as many others as needed. */
    private Optional<Part> on(Slot slot, PeSet some, int pes, int among) {
        int missing = pes - some.size();
        var others = missing == 0 ? PeSet.NONE : free(slot, among).minus(some);
        return others.size() < missing
                ? Optional.empty()
                : Optional.of(Part.whole(slot, pes).on(some.or(others.lowest(missing))));
    }

    private PeSet free(Slot slot, int among) {
        return calendar.freeThroughout(slot).and(PeSet.range(0, among));
    }

    @Override
    public Optional<Part> find(Demand demand, int among, PlacementPolicy policy) {
        return calendar.findAllocation(demand, among, policy)
                .map(found -> Part.whole(found.slot(), demand.pes()).on(found.pes()));
    }

    @Override
    public long[] fitStarts(Demand demand, int among, int limit) {
        return calendar.fitStarts(demand, among, limit);
    }

    @Override
    public Optional<Part> kept(Part had, Slot slot, int pes, int among) {
        var own = own(had);
        var kept = pes < own.size() ? own.lowest(pes) : own;
        long until = had.slot().end();
        boolean hasRoom =
                slot.end() <= until || free(new Slot(until, slot.end()), among).containsAll(kept);
        return hasRoom ? on(slot, kept, pes, among).map(part -> part.of(had.steps())) : Optional.empty();
    }

    @Override
    public Optional<Part> lacking(Part part, Slot stretch, PeSet out) {
        var gone = own(part).minus(calendar.freeThroughout(stretch));
        return gone.isEmpty()
                ? Optional.empty()
                : Optional.of(new Part(stretch, gone.size(), Optional.of(gone), part.steps()));
    }

    @Override
    public PeSet started(Part waiting) {
        return own(waiting);
    }

    private static PeSet own(Part part) {
        return part.peIds()
                .orElseThrow(() -> new IllegalStateException(
                        "The part over %s names no PEs, although its cluster binds them early."
                                .formatted(part.slot())));
    }
}
