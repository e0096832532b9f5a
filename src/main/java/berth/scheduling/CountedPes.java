package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.reservation.Reservation;
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
    public CountedPes take(Slot slot, int pes, Optional<PeSet> peIds) {
        if (peIds.filter(held::intersects).isPresent()) {
            throw new IllegalStateException("Of the PEs %s some are held already: %s.".formatted(peIds.get(), held));
        }
        return new CountedPes(profile.take(slot, pes), peIds.map(held::or).orElse(held));
    }

    @Override
    public CountedPes giveBack(Slot slot, int pes, Optional<PeSet> peIds) {
        return new CountedPes(
                profile.giveBack(slot, pes), peIds.map(held::minus).orElse(held));
    }

    @Override
    public boolean hasRoomFor(Reservation reservation) {
        return profile.fewestFree(reservation.slot()) >= reservation.terms().pes()
                && reservation.placement().peIds().filter(held::intersects).isEmpty();
    }

    @Override
    public Optional<Place> at(Slot slot, int pes, int among) {
        return isFree(slot, pes, among) ? Optional.of(Place.of(slot)) : Optional.empty();
    }

    private boolean isFree(Slot slot, int pes, int among) {
        return profile.fewestFree(slot) >= pes + spared(among);
    }

    /** The PEs that stay free count as wanted. */
    private int spared(int among) {
        return profile.capacity() - among;
    }

    @Override
    public Optional<Place> place(Demand demand, int among, PlacementPolicy policy) {
        var start = profile.place(demand, among, policy);
        return start.isPresent()
                ? Optional.of(Place.of(Slot.of(start.getAsLong(), demand.duration())))
                : Optional.empty();
    }

    @Override
    public long[] fitStarts(Demand demand, int among, int limit) {
        return profile.fitStarts(demand.window(), demand.duration(), demand.pes() + spared(among), limit);
    }

    @Override
    public Optional<Place> kept(Reservation had, Slot slot, int pes, int among) {
        long until = had.slot().end();
        boolean hasRoom = pes > had.terms().pes()
                ? isFree(slot, pes, among)
                : slot.end() <= until || isFree(new Slot(until, slot.end()), pes, among);
        return hasRoom ? Optional.of(new Place(slot, had.placement().peIds())) : Optional.empty();
    }

    @Override
    public Reservation started(Reservation waiting) {
        var nobodys = PeSet.range(0, profile.capacity()).minus(held);
        return waiting.on(nobodys.lowest(waiting.terms().pes()));
    }
}
