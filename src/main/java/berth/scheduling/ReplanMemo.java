package berth.scheduling;

import berth.reservation.Reservation;
import berth.scheduling.Event.ReservationEvent;
import berth.time.Slot;
import java.util.BitSet;
import java.util.List;
import org.pcollections.ConsPStack;
import org.pcollections.PStack;

/**
 * The results of replanning a waiting queue that are kept to make the next attempt faster: the members of the queue, and which of them are known
 * to be <em>settled</em>. A settled reservation would get its present place if it were replanned around the immovable reservations and
 * those before it in the queue. With first fit it stays settled as long as no PEs become free between its earliest start and its end,
 * because neither taken PEs nor passing time makes an earlier start possible. Additions, removals and freed PEs are noted here until the
 * queue is needed.
 *
 * <p>A reservation that is not known to be settled is replanned, which takes time but does not change the result. The members of the queue
 * can always be computed from the schedule in O(n log n). Immutable.
 */
public final class ReplanMemo {

    /** Nothing is known. */
    static final ReplanMemo NONE = new ReplanMemo(
            Long.MIN_VALUE,
            new ReplanQueue(0),
            new BitSet(),
            ConsPStack.empty(),
            ConsPStack.empty(),
            ConsPStack.empty());

    /** The most notes; beyond them computing the queue is cheaper. */
    private static final int MAX_NOTES = 4096;

    /** The time for which the members of the queue are known. */
    private final long since;

    private final ReplanQueue queue;
    private final BitSet settled;
    private final PStack<Reservation> gone;
    private final PStack<Reservation> come;
    private final PStack<Slot> freed;

    private ReplanMemo(
            long since,
            ReplanQueue queue,
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

    /** Returns the memo of a queue at {@code now}, with the settled members. The arguments must not change any more. */
    public static ReplanMemo of(ReplanQueue queue, BitSet settled, long now) {
        return new ReplanMemo(now, queue, settled, ConsPStack.empty(), ConsPStack.empty(), ConsPStack.empty());
    }

    private ReplanMemo noting(PStack<Reservation> left, PStack<Reservation> arrived, PStack<Slot> free) {
        boolean isTooMuch = left.size() + arrived.size() + free.size() > MAX_NOTES;
        return this == NONE || isTooMuch ? NONE : new ReplanMemo(since, queue, settled, left, arrived, free);
    }

    /** Returns the memo after PEs become free. */
    public ReplanMemo freeing(Slot slot) {
        return noting(gone, come, freed.plus(slot));
    }

    /** Returns the memo after a reservation was added. */
    public ReplanMemo with(Reservation reservation) {
        return mayWait(reservation) ? noting(gone, come.plus(reservation), freed) : this;
    }

    /** Returns the memo after a reservation was removed and its PEs became free. */
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

    /** Whether the reservation may be in the queue. Once it cannot move, it stays so unless it changes. */
    private static boolean mayWait(Reservation reservation) {
        return reservation.isMovable(reservation.status().updatedAt());
    }

    /** Returns the memo after a reservation has changed. */
    public ReplanMemo after(Reservation before, Reservation after) {
        boolean freesNothing = after.state().isLive() && takesTheSame(before, after) && !isOfLowerRank(before, after)
                || before.slot().end() <= after.status().updatedAt();
        var rest = freesNothing ? noting(left(before), come, freed) : without(before);
        return after.state().isLive() ? rest.with(after) : rest;
    }

    /** Returns the memo after moves of one decision. */
    public ReplanMemo afterMoves(ClusterSchedule schedule, List<ReservationEvent> moves) {
        var known = this;
        for (var move : moves) {
            var after = move.reservation();
            known = known.after(schedule.find(after.id()).orElseThrow(), after);
        }
        return known;
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

    /** Whether the change makes room for others: the reservation has entered the queue, or may have moved back in it. */
    private static boolean isOfLowerRank(Reservation before, Reservation after) {
        long now = after.status().updatedAt();
        boolean wasQueued = before.isMovable(now) && before.terms().equals(after.terms());
        return after.isMovable(now) && !wasQueued;
    }

    /** Returns the present queue and its settled members. */
    public ReplanQueue.Merged now(ClusterSchedule schedule, Ranking ranking, long now) {
        if (this == NONE || now < since) {
            return new ReplanQueue.Merged(ReplanQueue.of(schedule.reservations(), ranking, now), new BitSet());
        }
        var present = queue.merged(settled, gone, come, ranking, now);
        if (!freed.isEmpty()) {
            unsettle(present, schedule.cluster().policy().notice(), now);
        }
        return present;
    }

    private void unsettle(ReplanQueue.Merged present, long notice, long now) {
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
