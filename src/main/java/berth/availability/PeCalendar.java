package berth.availability;

import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which of a cluster's PEs are busy in every second: the slot-based structure of paper 004, section 4, as a persistent
 * value. {@link #addAllocation} and {@link #deleteAllocation} answer another calendar.
 *
 * <p>Searches look at PEs numbered below some bound only, {@code among}; a cluster that keeps a share of its PEs from
 * being reserved keeps the highest-numbered.
 */
public final class PeCalendar {

    private final int pes;
    /** From each time on, until the next, these are busy; before the first, none. No record repeats the one before it. */
    private final TreeMap<Long, PeSet> records;

    private PeCalendar(int pes, TreeMap<Long, PeSet> records) {
        this.pes = pes;
        this.records = records;
    }

    /**
     * The calendar of {@code pes} PEs, all free for ever.
     *
     * @throws IllegalArgumentException if {@code pes} is below 1
     */
    public static PeCalendar of(int pes) {
        if (pes < 1) {
            throw new IllegalArgumentException("The number of PEs (%d) must be positive.".formatted(pes));
        }
        return new PeCalendar(pes, new TreeMap<>());
    }

    /** The PEs there are, busy or free; at least 1. */
    public int pes() {
        return pes;
    }

    /**
     * This calendar with some PEs busy throughout a slot ({@code addAllocation} of paper 004, section 4.1).
     *
     * @throws IllegalStateException if there are no such PEs, or any is busy in any second of the slot
     */
    public PeCalendar addAllocation(Allocation allocation) {
        var slot = allocation.slot();
        if (allocation.pes().length() > pes || !freeThroughout(slot).containsAll(allocation.pes())) {
            throw new IllegalStateException("Of the PEs %s some are not free throughout %s: only %s are."
                    .formatted(allocation.pes(), slot, freeThroughout(slot)));
        }
        var next = split(slot);
        next.subMap(slot.start(), slot.end()).replaceAll((_, busy) -> busy.or(allocation.pes()));
        return cleaned(next);
    }

    /**
     * This calendar with some PEs free throughout a slot ({@code deleteAllocation} of paper 004, section 4.2).
     *
     * @throws IllegalStateException if any of them is free in any second of the slot
     */
    public PeCalendar deleteAllocation(Allocation allocation) {
        var slot = allocation.slot();
        var next = split(slot);
        next.subMap(slot.start(), slot.end()).replaceAll((time, busy) -> {
            if (!busy.containsAll(allocation.pes())) {
                throw new IllegalStateException(
                        "Of the PEs %s some are free at %d already.".formatted(allocation.pes(), time));
            }
            return busy.minus(allocation.pes());
        });
        return cleaned(next);
    }

    private TreeMap<Long, PeSet> split(Slot slot) {
        var next = new TreeMap<>(records);
        next.put(slot.start(), busyAt(slot.start()));
        next.put(slot.end(), busyAt(slot.end()));
        return next;
    }

    private PeCalendar cleaned(TreeMap<Long, PeSet> next) {
        var cleaned = new TreeMap<Long, PeSet>();
        var before = PeSet.NONE;
        for (var record : next.entrySet()) {
            if (!record.getValue().equals(before)) {
                cleaned.put(record.getKey(), record.getValue());
            }
            before = record.getValue();
        }
        return new PeCalendar(pes, cleaned);
    }

    private PeSet busyAt(long second) {
        var record = records.floorEntry(second);
        return record == null ? PeSet.NONE : record.getValue();
    }

    /** The PEs that are free in every second of a slot. */
    public PeSet freeThroughout(Slot slot) {
        var busy = busyAt(slot.start());
        for (var record : records.subMap(slot.start(), slot.end()).values()) {
            busy = busy.or(record);
        }
        return PeSet.range(0, pes).minus(busy);
    }

    /**
     * Where a run goes under a policy, and the PEs it gets: the lowest-numbered of those free throughout ({@code
     * findAllocation} of paper 004, section 4.3). Empty if it fits nowhere.
     */
    public Optional<Allocation> findAllocation(Demand demand, int among, PlacementPolicy policy) {
        return rectangles(demand, among).stream().min(policy.preference()).map(chosen -> {
            var slot = Slot.of(chosen.start(), demand.duration());
            return new Allocation(slot, freeAmong(slot, among).lowest(demand.pes()));
        });
    }

    /**
     * The feasible starts among the candidates of paper 004, section 4.3, ascending, each with its maximum availability
     * rectangle: the ready time, the latest start, and in between every time of a record, and every such time less the
     * duration.
     */
    public List<Rectangle> rectangles(Demand demand, int among) {
        var rectangles = new ArrayList<Rectangle>();
        for (long start : candidates(demand)) {
            var slot = Slot.of(start, demand.duration());
            var free = freeAmong(slot, among);
            if (free.size() >= demand.pes()) {
                rectangles.add(rectangle(slot, free, demand.present()));
            }
        }
        return rectangles;
    }

    /**
     * The first start of each unbroken row of feasible starts, ascending, as {@link CapacityProfile#fitStarts} answers
     * them.
     *
     * @param limit the most starts to answer, 0 or more
     */
    public long[] fitStarts(Demand demand, int among, int limit) {
        var starts = new ArrayList<Long>();
        for (long start : candidates(demand)) {
            boolean fits = fits(start, demand, among);
            if (fits && (start == demand.window().readyTime() || !fits(start - 1, demand, among))) {
                starts.add(start);
            }
        }
        return starts.stream().mapToLong(Long::longValue).limit(limit).toArray();
    }

    private boolean fits(long start, Demand demand, int among) {
        return freeAmong(Slot.of(start, demand.duration()), among).size() >= demand.pes();
    }

    private PeSet freeAmong(Slot slot, int among) {
        return freeThroughout(slot).and(PeSet.range(0, among));
    }

    private TreeSet<Long> candidates(Demand demand) {
        long ready = demand.window().readyTime();
        long latest = demand.latestStart();
        var candidates = new TreeSet<Long>();
        if (latest < ready) {
            return candidates;
        }
        candidates.add(ready);
        candidates.add(latest);
        candidates.addAll(records.subMap(ready, true, latest, true).keySet());
        records.subMap(ready, true, demand.window().deadline(), true)
                .keySet()
                .forEach(time -> candidates.add(Math.max(ready, time - demand.duration())));
        return candidates;
    }

    private Rectangle rectangle(Slot slot, PeSet free, long present) {
        long from = slot.start();
        for (var before = records.floorEntry(from); from > present; before = records.lowerEntry(from)) {
            if (before != null && before.getValue().intersects(free)) {
                break;
            }
            from = before == null ? present : Math.max(present, before.getKey());
        }
        long to = records.tailMap(slot.end()).entrySet().stream()
                .filter(record -> record.getValue().intersects(free))
                .mapToLong(record -> record.getKey())
                .findFirst()
                .orElse(Long.MAX_VALUE);
        return new Rectangle(slot.start(), free.size(), from, to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PeCalendar that && pes == that.pes && records.equals(that.records);
    }

    @Override
    public int hashCode() {
        return 31 * records.hashCode() + pes;
    }

    @Override
    public String toString() {
        return "PeCalendar[%d PEs, %d records]".formatted(pes, records.size());
    }
}
