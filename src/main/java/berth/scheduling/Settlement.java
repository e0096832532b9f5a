package berth.scheduling;

import berth.reservation.Reservation;
import berth.time.Slot;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.pcollections.ConsPStack;
import org.pcollections.PStack;

/**
 * Who of a waiting queue is known to be <em>settled</em>: to get the place that it has if it is placed anew around what
 * does not move and those before it in the queue. Where runs get their first fit that stays so as long as no PEs become
 * free between its earliest start and its end: what is taken beside it makes no earlier start possible, and time that
 * passes only rules starts out. What became free is noted here until somebody wants to know who is settled still.
 *
 * <p>A mere memory: whoever is not known to be settled is placed anew, which takes time and changes nothing. A value.
 */
final class Settlement {

    /** Nothing is known. */
    static final Settlement NONE = new Settlement(List.of(), new BitSet(), ConsPStack.empty());

    /** It does not pay to note more. */
    private static final int MOST_FREED = 4096;

    private final List<Reservation> queue;
    private final BitSet settled;
    private final PStack<Slot> freed;

    private Settlement(List<Reservation> queue, BitSet settled, PStack<Slot> freed) {
        this.queue = queue;
        this.settled = settled;
        this.freed = freed;
    }

    /** These are settled of a queue in its order; neither is changed any more. */
    static Settlement of(List<Reservation> queue, BitSet settled) {
        return new Settlement(queue, settled, ConsPStack.empty());
    }

    /** With PEs that become free. */
    Settlement freeing(Slot slot) {
        if (settled.isEmpty()) {
            return this;
        }
        return freed.size() < MOST_FREED ? new Settlement(queue, settled, freed.plus(slot)) : NONE;
    }

    /** With the PEs that a reservation had free. */
    Settlement without(Reservation reservation) {
        var rest = this;
        for (var part : reservation.parts()) {
            rest = rest.freeing(part.slot());
        }
        return rest;
    }

    /** After a change of a reservation. */
    Settlement after(Reservation before, Reservation after) {
        return after.state().isLive() && takesTheSame(before, after) && !isOfLowerRank(before, after)
                        || before.slot().end() <= after.status().updatedAt()
                ? this
                : without(before);
    }

    private static boolean takesTheSame(Reservation before, Reservation after) {
        var had = before.parts();
        var has = after.parts();
        if (had.size() != has.size()) {
            return false;
        }
        for (int part = 0; part < had.size(); part++) {
            boolean isSame = had.get(part).slot().equals(has.get(part).slot())
                    && had.get(part).pes() == has.get(part).pes()
                    && (had.get(part).peIds().isEmpty()
                            || had.get(part).peIds().equals(has.get(part).peIds()));
            if (!isSame) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is no longer in the way of some for whom it was: it has come into the queue, or may have gone back in it. */
    private static boolean isOfLowerRank(Reservation before, Reservation after) {
        long now = after.status().updatedAt();
        boolean wasQueued = before.isMovable(now) && before.terms().equals(after.terms());
        return after.isMovable(now) && !wasQueued;
    }

    /**
     * Who of a queue is settled.
     *
     * @param present the queue as it is now, each as it is in the schedule
     * @param earliest the earliest start of each
     * @param ends where each ends
     */
    BitSet settled(List<Reservation> present, long[] earliest, long[] ends, Comparator<Reservation> order) {
        var known = new BitSet(present.size());
        if (settled.isEmpty()) {
            return known;
        }
        var touched = new Stretches();
        freed.forEach(slot -> touched.add(slot.start(), slot.end()));
        int old = 0;
        for (int at = 0; at < present.size(); at++) {
            var waiting = present.get(at);
            while (old < queue.size() && queue.get(old) != waiting && order.compare(queue.get(old), waiting) < 0) {
                old++;
            }
            if (old < queue.size() && queue.get(old) == waiting) {
                known.set(at, settled.get(old) && !touched.overlap(earliest[at], ends[at]));
                old++;
            }
        }
        return known;
    }
}
