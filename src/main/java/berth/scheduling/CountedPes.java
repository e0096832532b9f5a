package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Optional;

/**
 * PEs that are alike until a run starts, which gets the lowest-numbered that nobody holds. There always are as many: at a
 * start, the PEs that are held by runs or named by outages are among those that are counted as taken; where the cluster
 * has become smaller since, some of them are none of its PEs any more, which leaves only more.
 *
 * @param held the PEs of the runs that have started and of the outages that name theirs, which they do from their
 *     beginning on
 */
record CountedPes(CapacityProfile profile, PeSet held) implements FreePes {

    static CountedPes of(int pes) {
        return new CountedPes(CapacityProfile.of(pes), PeSet.NONE);
    }

    @Override
    public CountedPes take(Part part, boolean isHeld) {
        var ids = isHeld ? part.peIds() : Optional.<PeSet>empty();
        if (ids.filter(held::intersects).isPresent()) {
            throw new IllegalStateException("Of the PEs %s some are held already: %s.".formatted(ids.get(), held));
        }
        return new CountedPes(
                profile.take(part.slot(), part.pes()), ids.map(held::or).orElse(held));
    }

    @Override
    public CountedPes giveBack(Part part, boolean isHeld) {
        var ids = isHeld ? part.peIds() : Optional.<PeSet>empty();
        return new CountedPes(
                profile.giveBack(part.slot(), part.pes()), ids.map(held::minus).orElse(held));
    }

    @Override
    public boolean hasRoomFor(Part part, boolean isHeld) {
        return profile.fewestFree(part.slot()) >= part.pes()
                && !(isHeld && part.peIds().filter(held::intersects).isPresent());
    }

    @Override
    public Optional<Part> at(Slot slot, int pes, int among) {
        return isFree(slot, pes, among) ? Optional.of(Part.whole(slot, pes)) : Optional.empty();
    }

    private boolean isFree(Slot slot, int pes, int among) {
        return profile.fewestFree(slot) >= pes + spared(among);
    }

    /** The PEs that stay free count as wanted. */
    private int spared(int among) {
        return profile.capacity() - among;
    }

    @Override
    public Optional<Part> place(Demand demand, int among, PlacementPolicy policy) {
        var start = profile.place(demand, among, policy);
        return start.isPresent()
                ? Optional.of(Part.whole(Slot.of(start.getAsLong(), demand.duration()), demand.pes()))
                : Optional.empty();
    }

    @Override
    public long[] fitStarts(Demand demand, int among, int limit) {
        return profile.fitStarts(demand.window(), demand.duration(), demand.pes() + spared(among), limit);
    }

    @Override
    public Optional<Part> kept(Part had, Slot slot, int pes, int among) {
        long until = had.slot().end();
        boolean hasRoom = pes > had.pes()
                ? isFree(slot, pes, among)
                : slot.end() <= until || isFree(new Slot(until, slot.end()), pes, among);
        return hasRoom ? Optional.of(new Part(slot, pes, had.peIds(), had.steps())) : Optional.empty();
    }

    @Override
    public PeSet started(Part waiting) {
        var nobodys = PeSet.range(0, profile.capacity()).minus(held);
        return nobodys.lowest(waiting.pes());
    }
}
