package berth.scheduling.commands;

import berth.availability.PlacementPolicy;
import berth.availability.Step;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.FreePes;
import berth.scheduling.Moves;
import berth.scheduling.Place;
import berth.scheduling.Ranking;
import berth.scheduling.ReplanQueue;
import berth.scheduling.Stretches;
import berth.scheduling.places.ShapeSearch;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Moves waiting reservations forward into time that has become free earlier than planned: by a cancellation, an early end, an expired hold,
 * a renegotiation, or PEs that are back. Paper 003, section 3.3, mentions these scheduling events and leaves them for later. If the cluster
 * {@linkplain berth.cluster.Replanning#pullForward asks for it}, its waiting queue is then replanned in the cluster's order, each
 * reservation by the paper's Algorithm 1 alongside all others in their present places.
 *
 * <p>Differs from the paper: only reservations for which something has become free between their earliest start and their end are
 * considered, and each moves only if it then ends sooner. No reservation is delayed for another, and the queue is never taken apart as a
 * whole. None moves into hours for which the cluster's signal has a higher mean factor; it may move to a later start at which the signal
 * changes. Must be decided after all other commands of an instant and before {@link StartJobs}; never refused.
 *
 * <p>O(n log n) for n live reservations, plus a search for each that may gain. After {@value #MAX_SEARCHES} searches, or as many moves as
 * the cluster allows one request, the others stay where they are.
 *
 * @param before the schedule before that instant
 */
public record PullForward(ClusterSchedule before) implements Command {

    private static final int MAX_SEARCHES = 2_000;

    /** Stands for the id of a newcomer, which a shuffled queue needs for its draw. */
    private static final ReservationId NOBODY = new ReservationId(new UUID(0, 0));

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var rules = schedule.cluster().policy().replanning();
        if (schedule == before || !rules.pullForward()) {
            return Decision.Accepted.unchanged(schedule);
        }
        var freed = freed(before, schedule, now);
        if (freed.isEmpty()) {
            return Decision.Accepted.unchanged(schedule);
        }
        var queue = schedule.reservations().stream()
                .filter(reservation -> reservation.isMovable(now))
                .sorted(Ranking.of(schedule.cluster(), NOBODY, now).order())
                .toList();
        var moves = moves(schedule, queue, freed, now);
        return moves.isEmpty()
                ? Decision.Accepted.unchanged(schedule)
                : new Decision.Accepted(List.copyOf(moves), schedule.moving(moves));
    }

    private static List<ReservationEvent> moves(
            ClusterSchedule schedule, List<Reservation> queue, Stretches freed, long now) {
        var policy = schedule.cluster().policy();
        var rules = policy.replanning();
        var signal = schedule.cluster().tariff().signal();
        int most = rules.maxMoves().orElse(Integer.MAX_VALUE);
        var moves = new ArrayList<ReservationEvent>();
        int left = MAX_SEARCHES;
        var free = schedule.free();
        for (Iterator<Reservation> next = queue.iterator(); next.hasNext() && moves.size() < most && left > 0; ) {
            var waiting = next.next();
            var parts = ReplanQueue.toCome(waiting);
            long end = parts.getLast().slot().end();
            long earliest = ReplanQueue.earliest(waiting, policy.notice(), now);
            // a gain means ending at least a second sooner
            if (earliest >= end - 1 || !freed.overlap(earliest, end)) {
                continue;
            }
            var without = free.giveBack(parts);
            var sooner = Optional.<Place>empty();
            var starts = LongStream.concat(LongStream.of(earliest), signal.changes(new Slot(earliest, end - 1)))
                    .iterator();
            while (sooner.isEmpty() && starts.hasNext() && left > 0) {
                left -= waiting.terms().weight();
                sooner = place(without, schedule, waiting, new Window(starts.next(), end - 1), now)
                        .filter(place -> signal.compareMeans(place.parts(), parts) <= 0);
            }
            if (sooner.isPresent()) {
                free = without.take(sooner.get().parts());
                parts.forEach(part -> freed.add(part.slot().start(), part.slot().end()));
                moves.add(Moves.to(sooner.get(), waiting, schedule, MoveReason.PULLED_FORWARD, now));
            }
        }
        return moves;
    }

    private static Optional<Place> place(
            FreePes free, ClusterSchedule schedule, Reservation waiting, Window window, long now) {
        var cluster = schedule.cluster();
        return new ShapeSearch(free, PlacementPolicy.FIRST_FIT, cluster.reservablePes(), now)
                .again(waiting, window, cluster.policy().replanning().reshaping());
    }

    /** Returns when more PEs are free than before. */
    static Stretches freed(ClusterSchedule before, ClusterSchedule schedule, long now) {
        var freed = new Stretches();
        var ahead = new Slot(now, Long.MAX_VALUE);
        var had = before.profile().steps(ahead);
        var has = schedule.profile().steps(ahead);
        int one = 0;
        int other = 0;
        while (one < had.size() && other < has.size()) {
            long start = Math.max(had.get(one).start(), has.get(other).start());
            long end = Math.min(end(had, one), end(has, other));
            if (has.get(other).free() > had.get(one).free()) {
                freed.add(start, end);
            }
            if (end(had, one) == end) {
                one++;
            }
            if (end(has, other) == end) {
                other++;
            }
        }
        return freed;
    }

    private static long end(List<Step> steps, int at) {
        return at + 1 < steps.size() ? steps.get(at + 1).start() : Long.MAX_VALUE;
    }
}
