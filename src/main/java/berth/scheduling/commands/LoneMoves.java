package berth.scheduling.commands;

import berth.availability.PlacementPolicy;
import berth.pricing.Signal;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.FreePes;
import berth.scheduling.Place;
import berth.scheduling.Ranking;
import berth.scheduling.ReplanQueue;
import berth.scheduling.places.ShapeSearch;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Moves of waiting reservations to their own advantage, one after the other, each alone to free PEs. All of them together take at most as
 * many moves as the cluster allows one request, {@value #MAX_SEARCHES} searches for places, and {@value #MAX_MEANS} mean factors of the
 * signal. Each takes at most {@value #MAX_SEARCHES_EACH} searches, which count several times for several shapes and steps, and {@value
 * #MAX_MEANS_EACH} mean factors.
 */
final class LoneMoves {

    private static final int MAX_SEARCHES = 2_000;
    private static final int MAX_MEANS = 200_000;

    static final int MAX_SEARCHES_EACH = 8;
    private static final int MAX_MEANS_EACH = 400;

    /** Stands for the id of a newcomer, which a shuffled queue needs for its draw. */
    private static final ReservationId NOBODY = new ReservationId(new UUID(0, 0));

    private final ClusterSchedule schedule;
    private final long now;
    private final List<ReservationEvent> moves = new ArrayList<>();
    private FreePes free;
    private int searchesLeft = MAX_SEARCHES;
    private int meansLeft = MAX_MEANS;

    LoneMoves(ClusterSchedule schedule, long now) {
        this.schedule = schedule;
        this.now = now;
        this.free = schedule.free();
    }

    /** Returns the movable reservations for which a condition holds, in the cluster's order. O(n log n) for n live reservations. */
    List<Reservation> queue(Predicate<Reservation> condition) {
        return schedule.reservations().stream()
                .filter(reservation -> reservation.isMovable(now) && condition.test(reservation))
                .sorted(Ranking.of(schedule.cluster(), NOBODY, now).order())
                .toList();
    }

    /** Whether another reservation may move. */
    boolean mayGoOn() {
        int most = schedule.cluster().policy().replanning().maxMoves().orElse(Integer.MAX_VALUE);
        return moves.size() < most && searchesLeft > 0 && meansLeft > 0;
    }

    /** Returns the earliest start to which a reservation may move. */
    long earliest(Reservation waiting) {
        return ReplanQueue.earliest(waiting, schedule.cluster().policy().notice(), now);
    }

    /** Returns the first stretches of the starts in a slot, for a run of that duration. */
    List<Signal.Stretch> stretches(Slot starts, long duration) {
        var stretches = schedule.cluster().tariff().signal().stretches(starts, duration, MAX_MEANS_EACH);
        meansLeft -= stretches.size();
        return stretches;
    }

    /** Searches for another place of a reservation in a window. */
    Optional<Place> place(Reservation waiting, Window window) {
        searchesLeft -= waiting.terms().weight();
        var cluster = schedule.cluster();
        var without = free.giveBack(ReplanQueue.toCome(waiting));
        return new ShapeSearch(without, PlacementPolicy.FIRST_FIT, cluster.reservablePes(), now)
                .again(waiting, window, cluster.policy().replanning().reshaping());
    }

    /** Adds a move of a reservation to a place that was found. */
    void add(Reservation waiting, ReservationEvent move) {
        free = free.giveBack(ReplanQueue.toCome(waiting)).take(ReplanQueue.toCome(move.reservation()));
        moves.add(move);
    }

    Decision.Accepted decision() {
        return moves.isEmpty()
                ? Decision.Accepted.unchanged(schedule)
                : new Decision.Accepted(List.copyOf(moves), schedule.moving(moves));
    }
}
