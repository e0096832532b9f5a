package berth.scheduling.places;

import berth.reservation.Reservation;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.FreePes;
import berth.scheduling.Moves;
import berth.scheduling.Place;
import berth.scheduling.Ranking;
import berth.scheduling.ReplanQueue;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Part;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The oracle for {@link ReplanAttempt}: paper 000, Algorithm 1, as written, with every search repeated. */
public final class PlainReplanAttempt {

    private final ClusterSchedule schedule;
    private final Newcomer newcomer;
    private final long now;
    private final List<Reservation> queue;

    public PlainReplanAttempt(ClusterSchedule schedule, Newcomer newcomer, long now) {
        this.schedule = schedule;
        this.newcomer = newcomer;
        this.now = now;
        queue = schedule.reservations().stream()
                .filter(reservation -> reservation.isMovable(now))
                .sorted(byTurn().thenComparingLong(one -> one.status().createdAt())
                        .thenComparing(one -> one.id().value()))
                .toList();
    }

    private Ranking ranking() {
        return Ranking.of(schedule.cluster(), newcomer.id(), now);
    }

    private Comparator<Reservation> byTurn() {
        return Comparator.<Reservation>comparingLong(one -> ranking().rank(one))
                .thenComparingLong(one -> ranking().turn(one));
    }

    /** Returns the place of the newcomer and the moves in the order of the queue; empty if it is refused. */
    public Optional<JugglingResult.Found> admit() {
        long rank = newcomer.rank(schedule.cluster(), now);
        long turn = newcomer.turn(schedule.cluster());
        int index = (int) queue.stream()
                .filter(one -> ranking().rank(one) < rank
                        || ranking().rank(one) == rank && ranking().turn(one) <= turn)
                .count();
        while (true) {
            var free = freeBeside(index);
            if (!(newcomer.look().apply(free) instanceof Search.Found found)) {
                return Optional.empty();
            }
            free = taking(free, found.place().parts());
            var moves = new ArrayList<ReservationEvent>();
            int most = schedule.cluster().policy().replanning().maxMoves().orElse(Integer.MAX_VALUE);
            int next = index;
            for (; next < queue.size(); next++) {
                var waiting = queue.get(next);
                var place = again(waiting, free);
                boolean isMoved = place.isPresent() && !place.get().parts().equals(ReplanQueue.toCome(waiting));
                if (place.isEmpty() || isMoved && moves.size() == most) {
                    break;
                }
                free = taking(free, place.get().parts());
                if (isMoved) {
                    moves.add(Moves.to(place.get(), waiting, schedule, MoveReason.MADE_ROOM, now));
                }
            }
            if (next == queue.size()) {
                return Optional.of(new JugglingResult.Found(found, moves, Optional.empty(), JugglingResult.Effort.ONE));
            }
            index = next + 1;
        }
    }

    /** Returns the free PEs without the reservations from that index on. */
    private FreePes freeBeside(int index) {
        var free = schedule.free();
        for (var waiting : queue.subList(index, queue.size())) {
            for (var part : ReplanQueue.toCome(waiting)) {
                free = free.giveBack(part, false);
            }
        }
        return free;
    }

    private static FreePes taking(FreePes free, List<Part> parts) {
        var rest = free;
        for (var part : parts) {
            rest = rest.take(part, false);
        }
        return rest;
    }

    private Optional<Place> again(Reservation waiting, FreePes free) {
        var cluster = schedule.cluster();
        long earliest = ReplanQueue.earliest(waiting, cluster.policy().notice(), now);
        long deadline = ReplanQueue.deadline(waiting);
        var search = new ShapeSearch(free, cluster.policy().placement(), cluster.reservablePes(), now);
        var found = earliest < deadline
                ? search.again(
                        waiting,
                        new Window(earliest, deadline),
                        cluster.policy().replanning().reshaping())
                : Optional.<Place>empty();
        return found.or(
                () -> Optional.of(new Place(ReplanQueue.toCome(waiting))).filter(place -> mayKeep(free, place)));
    }

    private boolean mayKeep(FreePes free, Place place) {
        var before = schedule.free();
        for (var part : place.parts()) {
            before = before.giveBack(part, false);
        }
        return hasRoomFor(free, place) && (isInShare(free, place) || !isInShare(before, place));
    }

    private boolean isInShare(FreePes free, Place place) {
        int most = schedule.cluster().reservablePes();
        return place.parts().stream()
                .allMatch(part -> free.at(part.slot(), part.pes(), most).isPresent());
    }

    private static boolean hasRoomFor(FreePes free, Place place) {
        return place.parts().stream().allMatch(part -> free.hasRoomFor(part, false));
    }
}
