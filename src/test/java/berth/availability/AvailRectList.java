package berth.availability;

import berth.time.Slot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The slot-based structure of paper 004, section 4, as the paper describes it: {@code availRectList}, a linked list of records (a time and
 * the PEs that are busy from that time on), and {@code timeSet}, the sorted set of their times.
 *
 * <p>A search copies the list into an array once and examines the records around each candidate start, as the paper suggests. It follows
 * the paper literally: it finds the rectangle of every feasible start, even under first fit.
 */
final class AvailRectList implements PeOracle {

    private record BusyRecord(long time, BitSet pes) {}

    private final int pes;
    private final LinkedList<BusyRecord> availRectList = new LinkedList<>();
    private final TreeSet<Long> timeSet = new TreeSet<>();

    AvailRectList(int pes) {
        this.pes = pes;
    }

    /** Implements section 4.1, algorithm 1. */
    @Override
    public void addAllocation(Allocation allocation) {
        var taken = BitSet.valueOf(allocation.pes().words());
        insert(allocation.slot().start());
        insert(allocation.slot().end());
        recordsWithin(allocation.slot()).forEach(busy -> busy.or(taken));
        clean(allocation.slot());
    }

    /** Implements section 4.2, algorithm 2. */
    @Override
    public void deleteAllocation(Allocation allocation) {
        var released = BitSet.valueOf(allocation.pes().words());
        insert(allocation.slot().start());
        insert(allocation.slot().end());
        recordsWithin(allocation.slot()).forEach(busy -> busy.andNot(released));
        clean(allocation.slot());
    }

    /** Inserts a record at {@code time} that is equal to the previous record, unless there is one at that time. */
    private void insert(long time) {
        if (!timeSet.add(time)) {
            return;
        }
        var before = new BitSet();
        var records = availRectList.listIterator();
        while (records.hasNext()) {
            var record = records.next();
            if (record.time() > time) {
                records.previous();
                break;
            }
            before = record.pes();
        }
        records.add(new BusyRecord(time, (BitSet) before.clone()));
    }

    private List<BitSet> recordsWithin(Slot slot) {
        var within = new ArrayList<BitSet>();
        for (var record : availRectList) {
            if (record.time() >= slot.end()) {
                break;
            }
            if (record.time() >= slot.start()) {
                within.add(record.pes());
            }
        }
        return within;
    }

    /** Removes the records at both ends of a slot that are equal to the record before them. */
    private void clean(Slot slot) {
        var before = new BitSet();
        for (var records = availRectList.listIterator(); records.hasNext(); ) {
            var record = records.next();
            boolean atAnEnd = record.time() == slot.start() || record.time() == slot.end();
            if (atAnEnd && record.pes().equals(before)) {
                records.remove();
                timeSet.remove(record.time());
            } else if (record.time() > slot.end()) {
                return;
            }
            before = record.pes();
        }
    }

    /** Implements section 4.3, algorithm 3. */
    @Override
    public Optional<Allocation> findAllocation(Demand demand, int among, PlacementPolicy policy) {
        var availRect = new PriorityQueue<>(policy.preference(demand));
        availRect.addAll(rectangles(demand, among));
        return Optional.ofNullable(availRect.poll()).map(chosen -> {
            var slot = Slot.of(chosen.start(), demand.duration());
            var free = free(new ArrayList<>(availRectList), slot, among);
            var lowest = new BitSet();
            for (int pe = free.nextSetBit(0); lowest.cardinality() < demand.pes(); pe = free.nextSetBit(pe + 1)) {
                lowest.set(pe);
            }
            return new Allocation(slot, PeSet.ofWords(lowest.toLongArray()));
        });
    }

    @Override
    public List<Rectangle> rectangles(Demand demand, int among) {
        var records = new ArrayList<>(availRectList);
        var rectangles = new ArrayList<Rectangle>();
        for (long start : candidates(demand)) {
            var slot = Slot.of(start, demand.duration());
            var free = free(records, slot, among);
            if (free.cardinality() >= demand.pes()) {
                rectangles.add(rectangle(records, slot, free, demand.present()));
            }
        }
        return rectangles;
    }

    private TreeSet<Long> candidates(Demand demand) {
        var candidates = new TreeSet<Long>();
        if (demand.window().isLongEnoughFor(demand.duration())) {
            long ready = demand.window().readyTime();
            long latest = demand.latestStart();
            candidates.add(ready);
            candidates.add(latest);
            candidates.addAll(timeSet.subSet(ready, true, latest, true));
            timeSet.subSet(ready + demand.duration(), true, demand.window().deadline(), true)
                    .forEach(time -> candidates.add(time - demand.duration()));
        }
        return candidates;
    }

    private BitSet free(List<BusyRecord> records, Slot slot, int among) {
        var free = new BitSet(among);
        free.set(0, among);
        for (int i = Math.max(0, floor(records, slot.start())); i < records.size(); i++) {
            if (records.get(i).time() >= slot.end()) {
                break;
            }
            if (i + 1 == records.size() || records.get(i + 1).time() > slot.start()) {
                free.andNot(records.get(i).pes());
            }
        }
        return free;
    }

    private static Rectangle rectangle(List<BusyRecord> records, Slot slot, BitSet free, long present) {
        int before = floor(records, slot.start());
        while (before >= 0 && !records.get(before).pes().intersects(free)) {
            before--;
        }
        long from = present;
        if (before >= 0) {
            from = Math.max(present, records.get(before + 1).time());
        }
        int after = Math.max(0, floor(records, slot.start()));
        while (after < records.size()
                && (records.get(after).time() < slot.end()
                        || !records.get(after).pes().intersects(free))) {
            after++;
        }
        long to = after < records.size() ? records.get(after).time() : Long.MAX_VALUE;
        return new Rectangle(slot.start(), free.cardinality(), from, to);
    }

    /** Returns the index of the last record at or before {@code time}; -1 if there is none. */
    private static int floor(List<BusyRecord> records, long time) {
        int low = 0;
        int high = records.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (records.get(middle).time() <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    @Override
    public PeSet freeThroughout(Slot slot) {
        return PeSet.ofWords(free(new ArrayList<>(availRectList), slot, pes).toLongArray());
    }

    /** Not part of the paper. */
    @Override
    public long[] fitStarts(Demand demand, int among) {
        return candidates(demand).stream()
                .filter(start -> fits(start, demand, among))
                .filter(start -> start == demand.window().readyTime() || !fits(start - 1, demand, among))
                .mapToLong(Long::longValue)
                .toArray();
    }

    private boolean fits(long start, Demand demand, int among) {
        return freeThroughout(Slot.of(start, demand.duration()))
                        .and(PeSet.range(0, among))
                        .size()
                >= demand.pes();
    }

    /** Returns the busy PEs by the time from which they are busy. */
    Map<Long, PeSet> records() {
        var records = new TreeMap<Long, PeSet>();
        availRectList.forEach(
                record -> records.put(record.time(), PeSet.ofWords(record.pes().toLongArray())));
        return records;
    }
}
