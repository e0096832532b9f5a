package berth.scheduling.commands;

import berth.availability.Step;
import berth.pricing.Signal;
import berth.reservation.Reservation;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Moves;
import berth.scheduling.Place;
import berth.scheduling.ReplanQueue;
import berth.scheduling.Stretches;
import berth.time.Slot;
import berth.time.Window;
import java.util.List;
import java.util.Optional;

/**
 * Moves waiting reservations forward into time that has become free earlier than planned: by a cancellation, an early end, an expired hold,
 * a renegotiation, or PEs that are back. Paper 003, section 3.3, mentions these scheduling events and leaves them for later. If the cluster
 * {@linkplain berth.cluster.Replanning#pullForward asks for it}, its waiting queue is then replanned in the cluster's order, each
 * reservation by the paper's Algorithm 1 alongside all others in their present places.
 *
 * <p>Differs from the paper: only reservations for which something has become free between their earliest start and their end are
 * considered, and each moves only if it then ends sooner. No reservation is delayed for another, and the queue is never taken apart as a
 * whole. None moves into hours for which the cluster's signal has a higher mean factor: searches begin only at starts from which a run as
 * long as the present one has at most the same mean factor and may use what has become free. Must be decided after all other commands of an
 * instant and before {@link StartJobs}; never refused.
 *
 * <p>O(n log n) for n live reservations, plus the bounded work of {@link LoneMoves}, after which the others stay where they are.
 *
 * @param before the schedule before that instant
 */
public record PullForward(ClusterSchedule before) implements Command {

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var cluster = schedule.cluster();
        var signal = cluster.tariff().signal();
        if (schedule == before || !cluster.policy().replanning().pullForward()) {
            return Decision.Accepted.unchanged(schedule);
        }
        var freed = freed(before, schedule, now);
        if (freed.isEmpty()) {
            return Decision.Accepted.unchanged(schedule);
        }
        var moves = new LoneMoves(schedule, now);
        for (var next = moves.queue(_ -> true).iterator(); next.hasNext() && moves.mayGoOn(); ) {
            var waiting = next.next();
            sooner(waiting, signal, freed, moves).ifPresent(place -> {
                ReplanQueue.toCome(waiting)
                        .forEach(part ->
                                freed.add(part.slot().start(), part.slot().end()));
                moves.add(waiting, Moves.to(place, waiting, schedule, MoveReason.PULLED_FORWARD, now));
            });
        }
        return moves.decision();
    }

    /** Returns a place in which the run ends at least a second sooner, in hours that are not dearer. */
    private static Optional<Place> sooner(Reservation waiting, Signal signal, Stretches freed, LoneMoves moves) {
        var parts = ReplanQueue.toCome(waiting);
        long end = parts.getLast().slot().end();
        long earliest = moves.earliest(waiting);
        if (earliest >= end - 1 || !freed.overlap(earliest, end)) {
            return Optional.empty();
        }
        var run = new Slot(parts.getFirst().slot().start(), end);
        long most = signal.sum(run);
        var stretches =
                moves.stretches(new Slot(earliest, end - 1), run.duration()).iterator();
        long after = earliest - 1;
        for (int searches = 0; stretches.hasNext() && searches < LoneMoves.MAX_SEARCHES_EACH; ) {
            var stretch = stretches.next();
            var from = stretch.firstWithin(most);
            boolean mayGain = from.isPresent()
                    && from.getAsLong() > after
                    && freed.overlap(from.getAsLong(), stretch.starts().end() + run.duration());
            if (mayGain) {
                searches++;
                var place = moves.place(waiting, new Window(from.getAsLong(), end - 1));
                if (place.isEmpty() || signal.compareMeans(place.get().parts(), parts) <= 0) {
                    return place;
                }
                // a search from any start up to this place would find it again
                after = place.get().start();
            }
        }
        return Optional.empty();
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
