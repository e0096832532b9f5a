package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.Demand;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.availability.Step;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Collection;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * PEs that are interchangeable until a run starts and gets the lowest-numbered ones that no run or outage holds. There are always enough:
 * the PEs held by runs or named by outages are among those that are counted as taken. If the cluster has shrunk, some of those no longer
 * belong to it, which leaves even more.
 *
 * @param profile the number of free PEs
 * @param unshared the same number for searches with a bound, in which batch jobs count only beyond the PEs outside the reservable share
 * @param held the PEs of the runs that have started
 * @param out the PEs that outages name, from their beginning on
 */
record CountedPes(CapacityProfile profile, CapacityProfile unshared, PeSet held, PeSet out) implements FreePes {

    static CountedPes of(int pes) {
        return new CountedPes(CapacityProfile.of(pes), PeSet.NONE, PeSet.NONE);
    }

    private CountedPes(CapacityProfile profile, PeSet held, PeSet out) {
        this(profile, profile, held, out);
    }

    @Override
    public CountedPes sharing(Collection<Part> jobs, int spared) {
        var taken = CapacityProfile.of(profile.capacity());
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (var part : jobs) {
            taken = taken.take(part.slot(), part.pes());
            from = Math.min(from, part.slot().start());
            to = Math.max(to, part.slot().end());
        }
        if (spared == 0 || from >= to) {
            return new CountedPes(profile, held, out);
        }
        var rest = profile;
        var steps = taken.steps(new Slot(from, to));
        for (int i = 0; i < steps.size(); i++) {
            long end = i + 1 < steps.size() ? steps.get(i + 1).start() : to;
            int lent = Math.min(spared, profile.capacity() - steps.get(i).free());
            rest = lent == 0 ? rest : rest.giveBack(new Slot(steps.get(i).start(), end), lent);
        }
        return new CountedPes(profile, rest, held, out);
    }

    /** Applies the same change to both profiles. */
    private CountedPes with(UnaryOperator<CapacityProfile> change, PeSet holding) {
        var changed = change.apply(profile);
        return new CountedPes(changed, unshared == profile ? changed : change.apply(unshared), holding, out);
    }

    private CapacityProfile within(int among) {
        return among < profile.capacity() ? unshared : profile;
    }

    @Override
    public CountedPes take(Part part, boolean isHeld) {
        var ids = isHeld ? part.peIds() : Optional.<PeSet>empty();
        if (ids.filter(this::isGone).isPresent()) {
            throw new IllegalStateException(
                    "Some of the PEs %s are already held, %s, or out of service, %s.".formatted(ids.get(), held, out));
        }
        return with(
                free -> free.take(part.slot(), part.pes()), ids.map(held::or).orElse(held));
    }

    private boolean isGone(PeSet ids) {
        return ids.intersects(held) || ids.intersects(out);
    }

    @Override
    public CountedPes outOfService(PeSet named) {
        return named.equals(out) ? this : new CountedPes(profile, unshared, held, named);
    }

    @Override
    public CountedPes giveBack(Part part, boolean isHeld) {
        var ids = isHeld ? part.peIds() : Optional.<PeSet>empty();
        return with(
                free -> free.giveBack(part.slot(), part.pes()),
                ids.map(held::minus).orElse(held));
    }

    @Override
    public boolean hasRoomFor(Part part, boolean isHeld) {
        return profile.fewestFree(part.slot()) >= part.pes()
                && !(isHeld && part.peIds().filter(this::isGone).isPresent());
    }

    @Override
    public Optional<Part> at(Slot slot, int pes, int among) {
        return isFree(slot, pes, among) ? Optional.of(Part.whole(slot, pes)) : Optional.empty();
    }

    private boolean isFree(Slot slot, int pes, int among) {
        return within(among).fewestFree(slot) >= pes + spared(among);
    }

    /** Returns the number of PEs that must stay free. Searches add it to the requested PEs. */
    private int spared(int among) {
        return profile.capacity() - among;
    }

    @Override
    public Optional<Part> find(Demand demand, int among, PlacementPolicy policy) {
        var start = within(among).place(demand, among, policy);
        return start.isPresent()
                ? Optional.of(Part.whole(Slot.of(start.getAsLong(), demand.duration()), demand.pes()))
                : Optional.empty();
    }

    @Override
    public long[] fitStarts(Demand demand, int among, int limit) {
        return within(among).fitStarts(demand.window(), demand.duration(), demand.pes() + spared(among), limit);
    }

    @Override
    public LongStream changes(Slot slot) {
        return profile.steps(slot).stream().mapToLong(Step::start).filter(slot::contains);
    }

    @Override
    public Optional<Part> kept(Part had, Slot slot, int pes, int among) {
        long until = had.slot().end();
        boolean hasRoom = pes > had.pes()
                ? isFree(slot, pes, among)
                : slot.end() <= until || isFree(new Slot(until, slot.end()), pes, among);
        return hasRoom ? Optional.of(new Part(slot, pes, had.peIds(), had.steps())) : Optional.empty();
    }

    /** Of the PEs of a run, those that are out of service or that another run holds are not free, and as many of the highest-numbered. */
    @Override
    public Optional<Part> lacking(Part part, Slot stretch, PeSet named) {
        var own = part.peIds().orElse(PeSet.NONE);
        var gone = own.and(named.or(held));
        int pes = Math.max(gone.size(), part.pes() - profile.fewestFree(stretch));
        if (pes <= 0) {
            return Optional.empty();
        }
        var others = own.minus(gone);
        var ids = part.peIds().map(_ -> gone.or(others.minus(others.lowest(part.pes() - pes))));
        return Optional.of(new Part(stretch, pes, ids, part.steps()));
    }

    @Override
    public PeSet started(Part waiting) {
        // among that many numbers enough are not held; a run that lacks PEs may get numbers beyond those of the cluster
        // for them
        int enough = Math.addExact(held.size() + out.size(), waiting.pes());
        return PeSet.range(0, enough).minus(held).minus(out).lowest(waiting.pes());
    }
}
