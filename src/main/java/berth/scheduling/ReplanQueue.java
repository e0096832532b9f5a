package berth.scheduling;

import berth.reservation.Reservation;
import berth.sla.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The waiting queue in order, with the data needed to skip reservations that stay. It uses flat arrays, because following references to
 * objects all over memory would be slow. Filled once and then immutable.
 */
public final class ReplanQueue {

    private int size;
    private Reservation[] who;

    /** The ranks, ascending. */
    private long[] ranks;

    /** The turns, ascending among equal ranks. */
    private long[] turns;

    /** The earliest start of the parts that have not begun. */
    private long[] ready;

    /** How far ahead, in seconds, the owner wants the start to remain. */
    private long[] ahead;

    private long[] starts;
    private long[] ends;
    private long[] fixesAt;

    /** Runs that cannot be split. */
    private final BitSet whole;

    /** Runs whose remaining parts are in the largest shape, so that no shape ends sooner from the same start. */
    private final BitSet inLargestShape;

    public ReplanQueue(int most) {
        who = new Reservation[most];
        ranks = new long[most];
        turns = new long[most];
        ready = new long[most];
        ahead = new long[most];
        starts = new long[most];
        ends = new long[most];
        fixesAt = new long[most];
        whole = new BitSet(most);
        inLargestShape = new BitSet(most);
    }

    /** Builds the queue of all movable reservations. O(n log n). */
    public static ReplanQueue of(Iterable<Reservation> all, Ranking ranking, long now) {
        var movable = new ArrayList<Reservation>();
        for (var reservation : all) {
            if (reservation.isMovable(now)) {
                movable.add(reservation);
            }
        }
        movable.sort(ranking.order());
        var queue = new ReplanQueue(movable.size());
        movable.forEach(reservation -> queue.append(reservation, ranking));
        return queue;
    }

    /** The queue after removals and additions, without reservations that have become final. O(n). */
    public record Merged(ReplanQueue queue, BitSet settled) {}

    /**
     * Returns the present queue.
     *
     * @param settled the settled members
     * @param gone the reservations removed since then, original or added; once for each removal
     * @param come the reservations added since then, once for each addition
     */
    Merged merged(BitSet settled, Iterable<Reservation> gone, Iterable<Reservation> come, Ranking ranking, long now) {
        var changes = new IdentityHashMap<Reservation, Integer>();
        gone.forEach(one -> changes.merge(one, -1, Integer::sum));
        come.forEach(one -> changes.merge(one, 1, Integer::sum));
        var left = new BitSet(size);
        var newcomers = new ArrayList<Reservation>();
        changes.forEach((one, change) -> {
            int at = find(one, ranking.rank(one));
            if (at >= 0 && change < 0) {
                left.set(at);
            } else if (at < 0 && change > 0 && one.isMovable(now)) {
                newcomers.add(one);
            }
        });
        newcomers.sort(ranking.order());
        return merged(settled, left, newcomers, ranking, now);
    }

    private Merged merged(BitSet settled, BitSet gone, List<Reservation> come, Ranking ranking, long now) {
        var queue = new ReplanQueue(size + come.size());
        var known = new BitSet(size + come.size());
        int next = 0;
        for (int at = 0; at < size; at++) {
            if (gone.get(at) || fixesAt[at] <= now) {
                continue;
            }
            while (next < come.size() && isBefore(come.get(next), ranking, at)) {
                queue.append(come.get(next), ranking);
                next++;
            }
            known.set(queue.size, settled.get(at));
            queue.append(this, at);
        }
        for (; next < come.size(); next++) {
            queue.append(come.get(next), ranking);
        }
        return new Merged(queue, known);
    }

    private boolean isBefore(Reservation one, Ranking ranking, int at) {
        int first = compare(ranking.rank(one), ranking.turn(one), at);
        return first < 0 || first == 0 && Ranking.FIRST_ACCEPTED.compare(one, who[at]) < 0;
    }

    private int compare(long rank, long turn, int at) {
        return rank == ranks[at] ? Long.compare(turn, turns[at]) : Long.compare(rank, ranks[at]);
    }

    private int find(Reservation one, long rank) {
        for (int at = countBelow(rank, Long.MIN_VALUE); at < size && ranks[at] == rank; at++) {
            if (who[at] == one) {
                return at;
            }
        }
        return -1;
    }

    /** Returns how many members have a lower rank, or the same rank and a lower turn. O(log n). */
    private int countBelow(long rank, long turn) {
        int below = 0;
        int above = size;
        while (below < above) {
            int middle = (below + above) >>> 1;
            if (compare(rank, turn, middle) > 0) {
                below = middle + 1;
            } else {
                above = middle;
            }
        }
        return below;
    }

    /** Returns how many members have a lower rank, or the same rank and that turn or a lower one. */
    public int countUpTo(long rank, long turn) {
        return countBelow(rank, turn + 1);
    }

    private void append(ReplanQueue other, int at) {
        who[size] = other.who[at];
        ranks[size] = other.ranks[at];
        turns[size] = other.turns[at];
        ready[size] = other.ready[at];
        ahead[size] = other.ahead[at];
        starts[size] = other.starts[at];
        ends[size] = other.ends[at];
        fixesAt[size] = other.fixesAt[at];
        whole.set(size, other.whole.get(at));
        inLargestShape.set(size, other.inLargestShape.get(at));
        size++;
    }

    private void append(Reservation one, Ranking ranking) {
        ranks[size] = ranking.rank(one);
        turns[size] = ranking.turn(one);
        put(size, one);
        size++;
    }

    private void put(int at, Reservation one) {
        var parts = ReplanQueue.toCome(one);
        who[at] = one;
        ready[at] = ReplanQueue.ready(one);
        ahead[at] = one.terms().fixing().before().orElse(0);
        starts[at] = parts.getFirst().slot().start();
        ends[at] = parts.getLast().slot().end();
        fixesAt[at] = one.placement().fixesAt();
        whole.set(at, one.terms().mostParts() == 1);
        inLargestShape.set(at, parts.getFirst().pes() == one.terms().pes());
    }

    /** Returns the queue after some members have moved, which must not change their turns. */
    public ReplanQueue moved(List<Reservation> moved, List<Integer> where) {
        var next = new ReplanQueue(0);
        next.size = size;
        next.who = Arrays.copyOf(who, size);
        next.ranks = Arrays.copyOf(ranks, size);
        next.turns = Arrays.copyOf(turns, size);
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

    public int size() {
        return size;
    }

    public Reservation get(int at) {
        return who[at];
    }

    /** Returns the earliest start of a member, given that no reservation moves to a start less than {@code notice} seconds ahead. */
    public long earliest(int at, long notice, long now) {
        return Math.max(now + Math.max(notice, ahead[at]), ready[at]);
    }

    public long start(int at) {
        return starts[at];
    }

    public long end(int at) {
        return ends[at];
    }

    public boolean isInLargestShape(int at) {
        return inLargestShape.get(at);
    }

    public boolean isWhole(int at) {
        return whole.get(at);
    }

    /**
     * Returns the earliest start of the remaining parts of a reservation that the provider moves.
     *
     * @param notice how far ahead the start must lie at least, in seconds; the owner's own notice applies if it is longer
     */
    public static long earliest(Reservation waiting, long notice, long now) {
        long ahead = Math.max(notice, waiting.terms().fixing().before().orElse(0));
        return Math.max(now + ahead, ready(waiting));
    }

    /** Returns when a reservation that the provider moves must end at the latest. */
    public static long deadline(Reservation waiting) {
        return waiting.mayLieIn().deadline();
    }

    /** Returns the latest start of a reservation that the provider moves, in its largest shape. */
    public static long latestStart(Reservation waiting) {
        return deadline(waiting) - waiting.terms().runTime();
    }

    /** Returns the earliest start of the remaining parts of a reservation, regardless of the notice. */
    static long ready(Reservation waiting) {
        int begun = waiting.placement().begun();
        long ready = waiting.mayLieIn().readyTime();
        return begun == 0
                ? ready
                : Math.max(ready, waiting.parts().get(begun - 1).slot().end());
    }

    /** Returns the parts of a reservation that can still move. */
    public static List<Part> toCome(Reservation waiting) {
        int begun = waiting.placement().begun();
        return begun == 0
                ? waiting.parts()
                : waiting.parts().subList(begun, waiting.parts().size());
    }
}
