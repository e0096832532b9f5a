package berth.scheduling.commands;

import berth.pricing.Signal;
import berth.reservation.Reservation;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Moves;
import berth.scheduling.ReplanQueue;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Moves waiting reservations into cheaper hours if their owners {@linkplain berth.sla.Follow#CHEAPEST ask for it}, once the cluster's signal
 * has changed or something has become free. Each moves alone to free PEs, within its terms and its agreed shift, into hours with a lower
 * mean factor, and only if its price falls by at least a twentieth. So owner and provider both gain, and nobody else is concerned. Like
 * being pulled forward, such a move does not count. Must be decided after {@link PullForward}; never refused.
 *
 * <p>O(n log n) for n live reservations once there is something to follow, plus the bounded work of {@link LoneMoves}, after which the others
 * stay where they are. The searches for a reservation begin at the starts with the lowest mean factors.
 *
 * @param before the schedule before that instant
 */
public record FollowPrices(ClusterSchedule before) implements Command {

    /** The share of its price that a moved reservation keeps at most. */
    private static final BigDecimal MOST_LEFT = new BigDecimal("0.95");

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var signal = schedule.cluster().tariff().signal();
        if (schedule == before || signal.isNone()) {
            return Decision.Accepted.unchanged(schedule);
        }
        boolean isNew = !signal.equals(before.cluster().tariff().signal());
        var freed = PullForward.freed(before, schedule, now);
        if (!isNew && freed.isEmpty()) {
            return Decision.Accepted.unchanged(schedule);
        }
        var moves = new LoneMoves(schedule, now);
        var followers =
                moves.queue(waiting -> waiting.terms().mobility().follow().isPresent()
                        && (isNew || freed.overlap(now, ReplanQueue.deadline(waiting))));
        for (var next = followers.iterator(); next.hasNext() && moves.mayGoOn(); ) {
            var waiting = next.next();
            var parts = ReplanQueue.toCome(waiting);
            long deadline = ReplanQueue.deadline(waiting);
            cheapestRuns(waiting, moves)
                    .filter(run -> signal.compareMeans(List.of(Part.whole(run, 1)), parts) < 0)
                    .flatMap(run -> moves.place(waiting, new Window(run.start(), deadline)).stream())
                    .filter(place -> signal.compareMeans(place.parts(), parts) < 0)
                    .map(place -> Moves.to(place, waiting, schedule, MoveReason.CHEAPER, now))
                    .min(Comparator.comparing(move -> move.reservation().price().amount()))
                    .filter(move -> isGain(waiting, move.reservation()))
                    .ifPresent(move -> moves.add(waiting, move));
        }
        return moves.decision();
    }

    private static boolean isGain(Reservation before, Reservation after) {
        var most = before.price().amount().multiply(MOST_LEFT);
        return after.price().amount().compareTo(most) <= 0;
    }

    /** Returns slots as long as the present run, those with the lowest mean factors first. */
    private static Stream<Slot> cheapestRuns(Reservation waiting, LoneMoves moves) {
        var parts = ReplanQueue.toCome(waiting);
        long duration = parts.getLast().slot().end() - parts.getFirst().slot().start();
        long earliest = moves.earliest(waiting);
        long latest = ReplanQueue.deadline(waiting) - duration;
        return latest < earliest
                ? Stream.empty()
                : moves.stretches(new Slot(earliest, latest + 1), duration).stream()
                        .sorted(Comparator.comparingLong(Signal.Stretch::factors))
                        .limit(LoneMoves.MAX_SEARCHES_EACH)
                        .map(stretch -> Slot.of(stretch.starts().start(), duration));
    }
}
