package berth.scheduling;

import berth.reservation.Reservation;
import berth.scheduling.WaitingQueue.Ranking;
import berth.time.Slot;
import java.util.BitSet;
import org.pcollections.ConsPStack;
import org.pcollections.PStack;

/**
 * What is remembered of the replanning of a waiting queue, so that the next attempt is quicker: who was in it, and who of these is known to be <em>settled</em>: to get the place
 * that it has if it is placed anew around what does not move and those before it in the queue. Where runs get their first
 * fit that stays so as long as no PEs become free between its earliest start and its end: what is taken beside it makes no
 * earlier start possible, and time that passes only rules starts out. Who has come and gone, and what became free, is
 * noted here until somebody wants to know the queue.
 *
 * <p>Whoever is not known to be settled is placed anew, which takes time and changes nothing. Who is in the queue can always be
 * found out from the schedule, which takes O(n log n). A value.
 */
final class ReplanMemo {

    /** Nothing is known. */
    static final ReplanMemo NONE = new ReplanMemo(
            Long.MIN_VALUE,
            new WaitingQueue(0),
            new BitSet(),
            ConsPStack.empty(),
            ConsPStack.empty(),
            ConsPStack.empty());

    /** It does not pay to note more. */
    private static final int MAX_NOTES = 4096;

    /** When the queue was as it is remembered: before that others may have been in it. */
    private final long since;

    private final WaitingQueue queue;
    private final BitSet settled;
    private final PStack<Reservation> gone;
    private final PStack<Reservation> come;
    private final PStack<Slot> freed;

    private ReplanMemo(
            long since,
            WaitingQueue queue,
            BitSet settled,
            PStack<Reservation> gone,
            PStack<Reservation> come,
            PStack<Slot> freed) {
        this.since = since;
        this.queue = queue;
        this.settled = settled;
        this.gone = gone;
        this.come = come;
        this.freed = freed;
    }

    /** These are settled of a queue as it is at {@code now}; neither is changed any more. */
    static ReplanMemo of(WaitingQueue queue, BitSet settled, long now) {
        return new ReplanMemo(now, queue, settled, ConsPStack.empty(), ConsPStack.empty(), ConsPStack.empty());
    }

    private ReplanMemo noting(PStack<Reservation> left, PStack<Reservation> arrived, PStack<Slot> free) {
        boolean isTooMuch = left.size() + arrived.size() + free.size() > MAX_NOTES;
        return this == NONE || isTooMuch ? NONE : new ReplanMemo(since, queue, settled, left, arrived, free);
    }

    /** With PEs that become free. */
    ReplanMemo freeing(Slot slot) {
        return noting(gone, come, freed.plus(slot));
    }

    /** With a reservation that has come. */
    ReplanMemo with(Reservation reservation) {
        return mayWait(reservation) ? noting(gone, come.plus(reservation), freed) : this;
    }

    /** Without a reservation, whose PEs become free. */
    ReplanMemo without(Reservation reservation) {
        var free = freed;
        for (var part : reservation.parts()) {
            free = free.plus(part.slot());
        }
        return noting(left(reservation), come, free);
    }

    private PStack<Reservation> left(Reservation reservation) {
        return mayWait(reservation) ? gone.plus(reservation) : gone;
    }

    /** Once it may not be moved it never may without changing. */
    private static boolean mayWait(Reservation reservation) {
        return reservation.isMovable(reservation.status().updatedAt());
    }

    /** After a change of a reservation. */
    ReplanMemo after(Reservation before, Reservation after) {
        boolean freesNothing = after.state().isLive() && takesTheSame(before, after) && !isOfLowerRank(before, after)
                || before.slot().end() <= after.status().updatedAt();
        var rest = freesNothing ? noting(left(before), come, freed) : without(before);
        return after.state().isLive() ? rest.with(after) : rest;
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

    /** The queue as it is now, and who of it is settled. */
    WaitingQueue.Merged now(ClusterSchedule schedule, Ranking ranking, long now) {
        if (this == NONE || now < since) {
            return new WaitingQueue.Merged(WaitingQueue.of(schedule.reservations(), ranking, now), new BitSet());
        }
        var present = queue.merged(settled, gone, come, ranking, now);
        if (!freed.isEmpty()) {
            unsettle(present, schedule.cluster().policy().notice(), now);
        }
        return present;
    }

    private void unsettle(WaitingQueue.Merged present, long notice, long now) {
        var touched = new Stretches();
        freed.forEach(slot -> touched.add(slot.start(), slot.end()));
        var known = present.settled();
        for (int at = known.nextSetBit(0); at >= 0; at = known.nextSetBit(at + 1)) {
            if (touched.overlap(
                    present.queue().earliest(at, notice, now), present.queue().end(at))) {
                known.clear(at);
            }
        }
    }
}
