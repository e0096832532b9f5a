package berth.scheduling.commands;

import berth.availability.PlacementPolicy;
import berth.pricing.Signal;
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
import berth.scheduling.places.ShapeSearch;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Moves waiting reservations into cheaper hours if their owners {@linkplain berth.sla.Follow#CHEAPEST ask for it}, once the cluster's signal
 * has changed or something has become free. Each moves alone to free PEs, within its terms and its agreed shift, into hours with a lower
 * mean factor, and only if its price falls by at least a twentieth. So owner and provider both gain, and nobody else is concerned. Like
 * being pulled forward, such a move does not count. Must be decided after {@link PullForward}; never refused.
 *
 * <p>O(n log n) for n live reservations once there is something to follow, plus at most {@value #MAX_SEARCHES} searches for places, {@value
 * #MAX_STARTS} for each reservation: those of the lowest mean factors among the next {@value #MAX_CHANGES} changes of the signal. The
 * others stay where they are.
 *
 * @param before the schedule before that instant
 */
public record FollowPrices(ClusterSchedule before) implements Command {

    private static final int MAX_SEARCHES = 2_000;
    private static final int MAX_STARTS = 8;
    private static final int MAX_CHANGES = 200;

    /** The share of its price that a moved reservation keeps at most. */
    private static final BigDecimal MOST_LEFT = new BigDecimal("0.95");

    private static final ReservationId NOBODY = new ReservationId(new UUID(0, 0));

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
        var followers = schedule.reservations().stream()
                .filter(waiting -> waiting.terms().mobility().follow().isPresent()
                        && waiting.isMovable(now)
                        && (isNew || freed.overlap(now, ReplanQueue.deadline(waiting))))
                .sorted(Ranking.of(schedule.cluster(), NOBODY, now).order())
                .toList();
        var moves = moves(schedule, followers, signal, now);
        return moves.isEmpty()
                ? Decision.Accepted.unchanged(schedule)
                : new Decision.Accepted(List.copyOf(moves), schedule.moving(moves));
    }

    private static List<ReservationEvent> moves(
            ClusterSchedule schedule, List<Reservation> followers, Signal signal, long now) {
        int most = schedule.cluster().policy().replanning().maxMoves().orElse(Integer.MAX_VALUE);
        var moves = new ArrayList<ReservationEvent>();
        int left = MAX_SEARCHES;
        var free = schedule.free();
        for (Iterator<Reservation> next = followers.iterator(); next.hasNext() && moves.size() < most && left > 0; ) {
            var waiting = next.next();
            var without = free.giveBack(ReplanQueue.toCome(waiting));
            var starts = starts(schedule, waiting, signal, now);
            left -= starts.size() * waiting.terms().weight();
            var cheapest = starts.stream()
                    .flatMap(start -> place(without, schedule, waiting, start, now).stream())
                    .filter(place -> signal.compareMeans(place.parts(), ReplanQueue.toCome(waiting)) < 0)
                    .map(place -> Moves.to(place, waiting, schedule, MoveReason.CHEAPER, now))
                    .min(Comparator.comparing(move -> move.reservation().price().amount()))
                    .filter(move -> isGain(waiting, move.reservation()));
            if (cheapest.isPresent()) {
                free = without.take(ReplanQueue.toCome(cheapest.get().reservation()));
                moves.add(cheapest.get());
            }
        }
        return moves;
    }

    private static boolean isGain(Reservation before, Reservation after) {
        var most = before.price().amount().multiply(MOST_LEFT);
        return after.price().amount().compareTo(most) <= 0;
    }

    /** Returns the starts from which to search for a place: of a run as it is now, those with the lowest mean factors, below the present one. */
    private static List<Long> starts(ClusterSchedule schedule, Reservation waiting, Signal signal, long now) {
        var parts = ReplanQueue.toCome(waiting);
        long duration = parts.getLast().slot().end() - parts.getFirst().slot().start();
        long earliest =
                ReplanQueue.earliest(waiting, schedule.cluster().policy().notice(), now);
        long latest = ReplanQueue.deadline(waiting) - duration;
        if (latest < earliest) {
            return List.of();
        }
        var changes = signal.changes(new Slot(earliest, latest + duration)).limit(MAX_CHANGES);
        return LongStream.concat(
                        LongStream.of(earliest), changes.flatMap(change -> LongStream.of(change - duration, change)))
                .filter(start -> earliest <= start && start <= latest)
                .distinct()
                .boxed()
                .filter(start -> signal.compareMeans(run(start, duration), parts) < 0)
                .sorted((one, other) -> signal.compareMeans(run(one, duration), run(other, duration)))
                .limit(MAX_STARTS)
                .toList();
    }

    private static List<Part> run(long start, long duration) {
        return List.of(Part.whole(Slot.of(start, duration), 1));
    }

    private static Optional<Place> place(
            FreePes free, ClusterSchedule schedule, Reservation waiting, long start, long now) {
        var cluster = schedule.cluster();
        return new ShapeSearch(free, PlacementPolicy.FIRST_FIT, cluster.reservablePes(), now)
                .again(
                        waiting,
                        new Window(start, ReplanQueue.deadline(waiting)),
                        cluster.policy().replanning().reshaping());
    }
}
