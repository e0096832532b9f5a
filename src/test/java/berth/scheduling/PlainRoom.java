package berth.scheduling;

import berth.availability.Demand;
import berth.availability.PeSet;
import berth.availability.PlacementPolicy;
import berth.availability.Rectangle;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.reservation.Losses;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The oracle for {@link FreePes}: how many and which PEs are free in every single second; it finds places by trying all. Mutable. */
public final class PlainRoom {

    private final Cluster cluster;
    private final int[] free;
    /** How many of the taken PEs jobs have. */
    private final int[] jobs;
    /** With early binding: the free PEs, lowest number in the first bit. */
    private final long[] freeIds;

    /**
     * Creates an empty room.
     *
     * @param end nothing begins or ends from then on, nor before 0
     */
    public PlainRoom(Cluster cluster, long end) {
        this.cluster = cluster;
        free = new int[Math.toIntExact(end) + 1];
        jobs = new int[free.length];
        freeIds = new long[free.length];
        Arrays.fill(free, cluster.pes());
        Arrays.fill(freeIds, bits(PeSet.range(0, cluster.pes())));
    }

    public static long bits(PeSet pes) {
        return IntStream.range(0, pes.length())
                .filter(pes::contains)
                .mapToLong(pe -> 1L << pe)
                .sum();
    }

    public static PeSet pes(long bits) {
        return PeSet.of(IntStream.range(0, Long.SIZE)
                .filter(pe -> (bits >>> pe & 1) == 1)
                .toArray());
    }

    private static long lowest(long bits, int count) {
        long lowest = 0;
        for (int pe = 0; Long.bitCount(lowest) < count; pe++) {
            lowest |= bits & 1L << pe;
        }
        return lowest;
    }

    private boolean isEarly() {
        return cluster.binding() == Binding.EARLY;
    }

    public void take(Slot slot, int pes, Optional<PeSet> peIds) {
        for (long second = slot.start(); second < Math.min(slot.end(), free.length); second++) {
            free[(int) second] -= pes;
            freeIds[(int) second] &= isEarly() ? ~bits(peIds.orElseThrow()) : -1;
        }
    }

    /** Takes what a run has: all of its PEs but those that it lacks, since it last lost any or got others. */
    public void take(Slot slot, int pes, Optional<PeSet> peIds, Losses losses) {
        for (long second = Math.max(slot.start(), losses.since()); second < slot.end(); second++) {
            long now = second;
            var lack = losses.lacks().stream()
                    .filter(part -> part.slot().contains(now))
                    .findAny();
            var ids = isEarly()
                    ? peIds.map(all -> all.minus(lack.flatMap(Part::peIds).orElse(PeSet.NONE)))
                    : peIds;
            take(Slot.of(second, 1), pes - lack.map(Part::pes).orElse(0), ids);
        }
    }

    /** Gives a run PEs that outages claim from {@code start} on. */
    public void spare(Collection<Outage> outages, long start, int pes, PeSet peIds) {
        for (long second = start; second < free.length; second++) {
            long lost = bits(peIds) & named(outages, second);
            free[(int) second] +=
                    isEarly() ? Long.bitCount(lost) : Math.min(pes, outOfService(outages, second, cluster.pes()));
            freeIds[(int) second] |= isEarly() ? lost : 0;
        }
    }

    /**
     * Returns what a run lacks in each second of a slot; equal seconds are one part. The run must not be in the room. Without {@code peIds}
     * only the number of its PEs counts.
     *
     * @param held the PEs that others hold now
     */
    public List<Part> lacking(Slot slot, int pes, Optional<PeSet> peIds, long held, Collection<Outage> outages) {
        var lacks = new ArrayList<Part>();
        for (long second = slot.start(); second < slot.end(); second++) {
            var lack = lacking(second, pes, peIds.map(PlainRoom::bits), held, outages);
            var last = lacks.isEmpty() ? null : lacks.getLast();
            if (lack.isPresent()
                    && last != null
                    && last.equals(lack.get().during(last.slot()))
                    && last.slot().end() == second) {
                lacks.set(lacks.size() - 1, last.during(new Slot(last.slot().start(), second + 1)));
            } else {
                lack.ifPresent(lacks::add);
            }
        }
        return lacks;
    }

    private Optional<Part> lacking(long second, int pes, Optional<Long> ids, long held, Collection<Outage> outages) {
        var slot = Slot.of(second, 1);
        if (ids.isEmpty()) {
            int lacks = pes - fewest(slot);
            return lacks <= 0 ? Optional.empty() : Optional.of(new Part(slot, lacks, Optional.empty(), 1));
        }
        long own = ids.get();
        long gone = own & (isEarly() ? ~ids(slot, cluster.pes()) : held | named(outages, second));
        int lacks = isEarly() ? Long.bitCount(gone) : Math.max(Long.bitCount(gone), pes - fewest(slot));
        for (int pe = Long.SIZE - 1; Long.bitCount(gone) < lacks; pe--) {
            gone |= own & 1L << pe;
        }
        return lacks <= 0 ? Optional.empty() : Optional.of(new Part(slot, lacks, Optional.of(pes(gone)), 1));
    }

    /** Takes PEs for a job or a kept place, first those outside the reservable share. */
    public void takeForJob(Slot slot, int pes, Optional<PeSet> peIds) {
        take(slot, pes, peIds);
        for (long second = slot.start(); second < Math.min(slot.end(), jobs.length); second++) {
            jobs[(int) second] += pes;
        }
    }

    /** Takes what outages claim together: each PE that any names, and beside these as many as the others claim, if there are so many. */
    public void take(Collection<Outage> outages) {
        for (int second = 0; second < free.length; second++) {
            long named = named(outages, second);
            free[second] -= outOfService(outages, second, cluster.pes());
            freeIds[second] &= isEarly() ? ~named : -1;
        }
    }

    /** Returns how many PEs of a cluster of that size are out of service. */
    public static int outOfService(Collection<Outage> outages, long second, int pes) {
        int unnamed = outages.stream()
                .filter(outage ->
                        outage.slot().contains(second) && outage.peIds().isEmpty())
                .mapToInt(Outage::pes)
                .sum();
        return Math.min(pes, Long.bitCount(named(outages, second) & bits(PeSet.range(0, pes))) + unnamed);
    }

    public static long named(Collection<Outage> outages, long second) {
        return outages.stream()
                .filter(outage -> outage.slot().contains(second))
                .flatMap(outage -> outage.peIds().stream())
                .mapToLong(PlainRoom::bits)
                .reduce(0, (one, other) -> one | other);
    }

    /** Returns the free PEs in each second; negative if more are taken than there are. */
    public int[] free(Slot all) {
        return Arrays.copyOfRange(free, (int) all.start(), (int) all.end());
    }

    private int at(long second) {
        return (int) Math.min(second, free.length - 1);
    }

    public int fewest(Slot slot) {
        return fewest(slot, cluster.pes());
    }

    private int fewest(Slot slot, int among) {
        return LongStream.range(slot.start(), slot.end())
                .mapToInt(second -> free(second, among))
                .min()
                .orElseThrow();
    }

    /** Returns how many PEs are free; jobs count only beyond the PEs outside the reservable share. */
    private int free(long second, int among) {
        return free[at(second)] + Math.min(cluster.pes() - among, jobs[at(second)]);
    }

    /** Returns the PEs below {@code among} that are free throughout. */
    public long ids(Slot slot, int among) {
        return LongStream.range(slot.start(), slot.end())
                .map(second -> freeIds[at(second)])
                .reduce(bits(PeSet.range(0, among)), (one, other) -> one & other);
    }

    public boolean isFree(Slot slot, int pes, int among) {
        return isEarly() ? Long.bitCount(ids(slot, among)) >= pes : fewest(slot, among) >= pes + cluster.pes() - among;
    }

    /** Whether the PEs of a place are free, inside the reservable share or not. */
    public boolean has(PlainPlace place, int pes) {
        return isEarly()
                ? (bits(place.peIds().orElseThrow()) & ~ids(place.slot(), cluster.pes())) == 0
                : fewest(place.slot()) >= pes;
    }

    /** Returns the PEs that a run there gets with early binding. */
    public Optional<PeSet> bound(Slot slot, int pes, int among) {
        return isEarly() ? Optional.of(pes(lowest(ids(slot, among), pes))) : Optional.empty();
    }

    /** Returns these PEs and the lowest-numbered others, {@code pes} in total; empty if there are too few. */
    public Optional<PeSet> bound(Slot slot, PeSet some, int pes, int among) {
        long own = bits(some);
        long others = ids(slot, among) & ~own;
        int missing = pes - some.size();
        return missing > Long.bitCount(others)
                ? Optional.empty()
                : Optional.of(pes(missing > 0 ? own | lowest(others, missing) : lowest(own, pes)));
    }

    /** Returns the policy's choice among the starts from {@code ready} to {@code latest}. */
    public OptionalLong choose(long ready, long latest, long duration, int pes, int among, long present) {
        var policy = cluster.policy().placement();
        if (policy == PlacementPolicy.FIRST_FIT) {
            return LongStream.rangeClosed(ready, latest)
                    .filter(start -> isFree(Slot.of(start, duration), pes, among))
                    .findFirst();
        }
        return candidates(ready, latest, duration, among).stream()
                .map(start -> Slot.of(start, duration))
                .filter(slot -> isFree(slot, pes, among))
                .map(slot -> rectangle(slot, among, present))
                .sorted(policy.preference(new Demand(new Window(ready, latest + duration), duration, pes, present)))
                .mapToLong(Rectangle::start)
                .findFirst();
    }

    private List<Long> candidates(long ready, long latest, long duration, int among) {
        var starts = new ArrayList<Long>();
        for (long start = ready; start <= latest; start++) {
            if (start == ready || start == latest || changesAt(start, among) || changesAt(start + duration, among)) {
                starts.add(start);
            }
        }
        return starts;
    }

    private boolean changesAt(long second, int among) {
        return isEarly()
                ? freeIds[at(second)] != freeIds[at(second - 1)]
                : free(second, among) != free(second - 1, among);
    }

    private Rectangle rectangle(Slot slot, int among, long present) {
        long ids = ids(slot, among);
        int fewest = fewest(slot, among);
        long from = slot.start();
        while (from > present && holds(from - 1, ids, fewest, among)) {
            from--;
        }
        long to = slot.end();
        while (to < free.length && holds(to, ids, fewest, among)) {
            to++;
        }
        int pes = isEarly() ? Long.bitCount(ids) : fewest - (cluster.pes() - among);
        return new Rectangle(slot.start(), pes, from, to == free.length ? Long.MAX_VALUE : to);
    }

    private boolean holds(long second, long ids, int fewest, int among) {
        return isEarly() ? (freeIds[at(second)] & ids) == ids : free(second, among) >= fewest;
    }
}
