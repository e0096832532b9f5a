package berth.scheduling;

import berth.availability.Allocation;
import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeCalendar;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.reservation.Reservation;
import berth.time.Slot;
import java.util.Optional;

/**
 * PEs that a run has for itself throughout its slot, each by its number: it gets the lowest-numbered that are free all
 * that time. Those that are to stay free are the highest-numbered.
 *
 * @param calendar which are free; {@code profile} counts them
 */
record NumberedPes(CapacityProfile profile, PeCalendar calendar) implements FreePes {

    static NumberedPes of(int pes) {
        return new NumberedPes(CapacityProfile.of(pes), PeCalendar.of(pes));
    }

    @Override
    public NumberedPes take(Slot slot, int pes, Optional<PeSet> peIds) {
        return new NumberedPes(profile.take(slot, pes), calendar.addAllocation(allocation(slot, peIds)));
    }

    @Override
    public NumberedPes giveBack(Slot slot, int pes, Optional<PeSet> peIds) {
        return new NumberedPes(profile.giveBack(slot, pes), calendar.deleteAllocation(allocation(slot, peIds)));
    }

    private static Allocation allocation(Slot slot, Optional<PeSet> peIds) {
        return new Allocation(
                slot,
                peIds.orElseThrow(() -> new IllegalStateException(
                        "No PEs are named over %s, although they are bound early.".formatted(slot))));
    }

    @Override
    public boolean hasRoomFor(Reservation reservation) {
        return calendar.freeThroughout(reservation.slot()).containsAll(own(reservation));
    }

    @Override
    public Optional<Place> at(Slot slot, int pes, int among) {
        return on(slot, PeSet.NONE, pes, among);
    }

    /** The place on some PEs and as many others as it takes. */
    private Optional<Place> on(Slot slot, PeSet some, int pes, int among) {
        int missing = pes - some.size();
        var others = missing == 0 ? PeSet.NONE : free(slot, among).minus(some);
        return others.size() < missing
                ? Optional.empty()
                : Optional.of(new Place(slot, Optional.of(some.or(others.lowest(missing)))));
    }

    private PeSet free(Slot slot, int among) {
        return calendar.freeThroughout(slot).and(PeSet.range(0, among));
    }

    @Override
    public Optional<Place> place(Demand demand, int among, PlacementPolicy policy) {
        return calendar.findAllocation(demand, among, policy)
                .map(found -> new Place(found.slot(), Optional.of(found.pes())));
    }

    @Override
    public long[] fitStarts(Demand demand, int among, int limit) {
        return calendar.fitStarts(demand, among, limit);
    }

    @Override
    public Optional<Place> kept(Reservation had, Slot slot, int pes, int among) {
        var own = own(had);
        var kept = pes < own.size() ? own.lowest(pes) : own;
        long until = had.slot().end();
        boolean hasRoom =
                slot.end() <= until || free(new Slot(until, slot.end()), among).containsAll(kept);
        return hasRoom ? on(slot, kept, pes, among) : Optional.empty();
    }

    @Override
    public Reservation started(Reservation waiting) {
        return waiting;
    }

    private static PeSet own(Reservation reservation) {
        return reservation.placement().peIds().orElseThrow();
    }
}
