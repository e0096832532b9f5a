package berth.availability;

import berth.time.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A grid with a cell for each PE in each second, the simplest oracle. It covers {@code seconds} seconds from {@code origin} on; outside
 * them all PEs are free.
 */
final class PeGrid implements PeOracle {

    private final int pes;
    private final long origin;
    private final PeSet[] busy;

    PeGrid(int pes, long origin, int seconds) {
        this.pes = pes;
        this.origin = origin;
        this.busy = new PeSet[seconds];
        Arrays.fill(busy, PeSet.NONE);
    }

    @Override
    public void addAllocation(Allocation allocation) {
        for (long t = allocation.slot().start(); t < allocation.slot().end(); t++) {
            busy[(int) (t - origin)] = busy[(int) (t - origin)].or(allocation.pes());
        }
    }

    @Override
    public void deleteAllocation(Allocation allocation) {
        for (long t = allocation.slot().start(); t < allocation.slot().end(); t++) {
            busy[(int) (t - origin)] = busy[(int) (t - origin)].minus(allocation.pes());
        }
    }

    private PeSet busyAt(long second) {
        long index = second - origin;
        return index < 0 || index >= busy.length ? PeSet.NONE : busy[(int) index];
    }

    @Override
    public PeSet freeThroughout(Slot slot) {
        var free = new BitSet();
        for (int pe = 0; pe < pes; pe++) {
            boolean isFree = true;
            for (long t = slot.start(); t < slot.end(); t++) {
                isFree &= !busyAt(t).contains(pe);
            }
            free.set(pe, isFree);
        }
        return PeSet.ofWords(free.toLongArray());
    }

    @Override
    public Optional<Allocation> findAllocation(Demand demand, int among, PlacementPolicy policy) {
        return rectangles(demand, among).stream()
                .sorted(policy.preference(demand))
                .findFirst()
                .map(chosen -> {
                    var lowest = new ArrayList<Integer>();
                    for (int pe = 0; lowest.size() < demand.pes(); pe++) {
                        if (free(chosen.start(), demand, among).contains(pe)) {
                            lowest.add(pe);
                        }
                    }
                    var slot = Slot.of(chosen.start(), demand.duration());
                    return new Allocation(
                            slot,
                            PeSet.of(lowest.stream().mapToInt(Integer::intValue).toArray()));
                });
    }

    private PeSet free(long start, Demand demand, int among) {
        return freeThroughout(Slot.of(start, demand.duration())).and(PeSet.range(0, among));
    }

    @Override
    public List<Rectangle> rectangles(Demand demand, int among) {
        var rectangles = new ArrayList<Rectangle>();
        for (long start : candidates(demand)) {
            var free = free(start, demand, among);
            if (free.size() >= demand.pes()) {
                long from = start;
                while (from > demand.present() && !busyAt(from - 1).intersects(free)) {
                    from--;
                }
                long to = start + demand.duration();
                while (to - origin < busy.length && !busyAt(to).intersects(free)) {
                    to++;
                }
                boolean endless = to - origin >= busy.length;
                rectangles.add(new Rectangle(start, free.size(), from, endless ? Long.MAX_VALUE : to));
            }
        }
        return rectangles;
    }

    private TreeSet<Long> candidates(Demand demand) {
        long ready = demand.window().readyTime();
        var candidates = new TreeSet<Long>();
        for (long t = ready; t - ready + demand.duration() <= demand.window().length(); t++) {
            boolean isLatest = t + demand.duration() == demand.window().deadline();
            if (t == ready || isLatest || changesAt(t) || changesAt(t + demand.duration())) {
                candidates.add(t);
            }
        }
        return candidates;
    }

    private boolean changesAt(long second) {
        var before = second == Long.MIN_VALUE ? PeSet.NONE : busyAt(second - 1);
        return !busyAt(second).equals(before);
    }

    @Override
    public long[] fitStarts(Demand demand, int among) {
        var starts = new ArrayList<Long>();
        boolean fitBefore = false;
        long ready = demand.window().readyTime();
        for (long t = ready; t - ready + demand.duration() <= demand.window().length(); t++) {
            boolean fits = free(t, demand, among).size() >= demand.pes();
            if (fits && !fitBefore) {
                starts.add(t);
            }
            fitBefore = fits;
        }
        return starts.stream().mapToLong(Long::longValue).toArray();
    }
}
