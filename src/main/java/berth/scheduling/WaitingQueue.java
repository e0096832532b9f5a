package berth.scheduling;

import berth.cluster.ReplanOrder;
import berth.reservation.Reservation;
import berth.sla.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The waiting queue in its order, with what it takes to pass over those that stay, in flat arrays: an object for each would
 * have to be fetched from all over the memory. Filled once, and not changed any more after that.
 */
final class WaitingQueue {

    private int size;
    private Reservation[] who;

    /** Each one's rank, ascending. */
    private long[] ranks;

    /** From when on what has not begun may run. */
    private long[] ready;

    /** How many seconds its owner wants its start to lie ahead at least. */
    private long[] ahead;

    private long[] starts;
    private long[] ends;
    private long[] fixesAt;

    /** Who may not be split. */
    private final BitSet whole;

    /** What has not begun of whom lies in the largest shape: nothing ends sooner from the same start. */
    private final BitSet inLargestShape;

    WaitingQueue(int most) {
        who = new Reservation[most];
        ranks = new long[most];
        ready = new long[most];
        ahead = new long[most];
        starts = new long[most];
        ends = new long[most];
        fixesAt = new long[most];
        whole = new BitSet(most);
        inLargestShape = new BitSet(most);
    }

    /** A ranking that is the same for every newcomer. */
    interface Ranking {
        long of(Reservation waiting);
    }

    static Ranking steady(ReplanOrder order) {
        return one -> order.rank(one.id(), one.terms(), one.status().createdAt(), one.id(), 0);
    }

    /** Of equal ranks whoever was accepted first comes first. */
    static Comparator<Reservation> order(Ranking ranking) {
        return Comparator.<Reservation>comparingLong(ranking::of).thenComparing(FIRST_ACCEPTED);
    }

    private static final Comparator<Reservation> FIRST_ACCEPTED = Comparator.<Reservation>comparingLong(
                    one -> one.status().createdAt())
            .thenComparing(one -> one.id().value());

    /** Those that are movable, from the beginning. O(n log n). */
    static WaitingQueue of(Iterable<Reservation> all, Ranking ranking, long now) {
        var movable = new ArrayList<Reservation>();
        for (var reservation : all) {
            if (reservation.isMovable(now)) {
                movable.add(reservation);
            }
        }
        movable.sort(order(ranking));
        var queue = new WaitingQueue(movable.size());
        movable.forEach(reservation -> queue.append(reservation, ranking.of(reservation)));
        return queue;
    }

    /** Who is who after some are gone and others have come, and what has become final is left out. O(n). */
    record Merged(WaitingQueue queue, BitSet settled) {}

    /**
     * The queue as it is now.
     *
     * @param settled who of these is settled
     * @param gone who has gone since, of these or of those that have come: as often as it has
     * @param come who has come since, as often as it has
     */
    Merged merged(BitSet settled, Iterable<Reservation> gone, Iterable<Reservation> come, Ranking ranking, long now) {
        var changes = new IdentityHashMap<Reservation, Integer>();
        gone.forEach(one -> changes.merge(one, -1, Integer::sum));
        come.forEach(one -> changes.merge(one, 1, Integer::sum));
        var left = new BitSet(size);
        var newcomers = new ArrayList<Reservation>();
        changes.forEach((one, change) -> {
            int at = find(one, ranking.of(one));
            if (at >= 0 && change < 0) {
                left.set(at);
            } else if (at < 0 && change > 0 && one.isMovable(now)) {
                newcomers.add(one);
            }
        });
        newcomers.sort(order(ranking));
        return merged(settled, left, newcomers, ranking, now);
    }

    private Merged merged(BitSet settled, BitSet gone, List<Reservation> come, Ranking ranking, long now) {
        var queue = new WaitingQueue(size + come.size());
        var known = new BitSet(size + come.size());
        int next = 0;
        for (int at = 0; at < size; at++) {
            if (gone.get(at) || fixesAt[at] <= now) {
                continue;
            }
            while (next < come.size() && isBefore(come.get(next), ranking.of(come.get(next)), at)) {
                queue.append(come.get(next), ranking.of(come.get(next)));
                next++;
            }
            known.set(queue.size, settled.get(at));
            queue.append(this, at);
        }
        for (; next < come.size(); next++) {
            queue.append(come.get(next), ranking.of(come.get(next)));
        }
        return new Merged(queue, known);
    }

    private boolean isBefore(Reservation one, long rank, int at) {
        return rank < ranks[at] || rank == ranks[at] && FIRST_ACCEPTED.compare(one, who[at]) < 0;
    }

    private int find(Reservation one, long rank) {
        for (int at = countBelow(rank); at < size && ranks[at] == rank; at++) {
            if (who[at] == one) {
                return at;
            }
        }
        return -1;
    }

    /** How many have a lower rank. O(log n). */
    private int countBelow(long rank) {
        int below = 0;
        int above = size;
        while (below < above) {
            int middle = (below + above) >>> 1;
            if (ranks[middle] < rank) {
                below = middle + 1;
            } else {
                above = middle;
            }
        }
        return below;
    }

    /** How many have that rank or a lower one. */
    int countUpTo(long rank) {
        return rank == Long.MAX_VALUE ? size : countBelow(rank + 1);
    }

    private void append(WaitingQueue other, int at) {
        who[size] = other.who[at];
        ranks[size] = other.ranks[at];
        ready[size] = other.ready[at];
        ahead[size] = other.ahead[at];
        starts[size] = other.starts[at];
        ends[size] = other.ends[at];
        fixesAt[size] = other.fixesAt[at];
        whole.set(size, other.whole.get(at));
        inLargestShape.set(size, other.inLargestShape.get(at));
        size++;
    }

    private void append(Reservation one, long rank) {
        ranks[size] = rank;
        put(size, one);
        size++;
    }

    private void put(int at, Reservation one) {
        var parts = WaitingQueue.toCome(one);
        who[at] = one;
        ready[at] = WaitingQueue.ready(one);
        ahead[at] = one.terms().fixing().before().orElse(0);
        starts[at] = parts.getFirst().slot().start();
        ends[at] = parts.getLast().slot().end();
        fixesAt[at] = one.placement().fixesAt();
        whole.set(at, one.terms().mostParts() == 1);
        inLargestShape.set(at, parts.getFirst().pes() == one.terms().pes());
    }

    /** The same where some have moved. */
    WaitingQueue moved(List<Reservation> moved, List<Integer> where) {
        var next = new WaitingQueue(0);
        next.size = size;
        next.who = Arrays.copyOf(who, size);
        next.ranks = Arrays.copyOf(ranks, size);
        next.ready = Arrays.copyOf(ready, size);
        next.ahead = Arrays.copyOf(ahead, size);
        next.starts = Arrays.copyOf(starts, size);
        next.ends = Arrays.copyOf(ends, size);
        next.fixesAt = Arrays.copyOf(fixesAt, size);
        next.whole.or(whole);
        next.inLargestShape.or(inLargestShape);
        for (int i = 0; i < moved.size(); i++) {
            next.put(where.get(i), moved.get(i));
        }
        return next;
    }

    int size() {
        return size;
    }

    Reservation get(int at) {
        return who[at];
    }

    /** The earliest start of one where the cluster moves nobody to a start less than {@code notice} seconds ahead. */
    long earliest(int at, long notice, long now) {
        return Math.max(now + Math.max(notice, ahead[at]), ready[at]);
    }

    long start(int at) {
        return starts[at];
    }

    long end(int at) {
        return ends[at];
    }

    boolean isInLargestShape(int at) {
        return inLargestShape.get(at);
    }

    boolean isWhole(int at) {
        return whole.get(at);
    }

    /**
     * The earliest start of what has not begun of a reservation that the provider moves.
     *
     * @param notice seconds that the start must lie ahead, beside those that the owner asks for
     */
    static long earliest(Reservation waiting, long notice, long now) {
        long ahead = Math.max(notice, waiting.terms().fixing().before().orElse(0));
        return Math.max(now + ahead, ready(waiting));
    }

    /** The earliest start of what has not begun of a reservation, whatever the notice. */
    static long ready(Reservation waiting) {
        int begun = waiting.placement().begun();
        long ready = waiting.terms().window().readyTime();
        return begun == 0
                ? ready
                : Math.max(ready, waiting.parts().get(begun - 1).slot().end());
    }

    /** What of a reservation may still move. */
    static List<Part> toCome(Reservation waiting) {
        int begun = waiting.placement().begun();
        return begun == 0
                ? waiting.parts()
                : waiting.parts().subList(begun, waiting.parts().size());
    }
}
