package berth.scheduling;

import berth.reservation.Reservation;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Part;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The waiting queue, placed anew to let a newcomer in: paper 000, section 3.2, Algorithm 1. The queue holds whatever the
 * provider may still move, in the order of the cluster; what runs, is held or final stays. The newcomer takes its index,
 * is placed around those before it, and those after it are placed around it, one after the other. Where one of these finds
 * no place any more, all return to where they were, and the newcomer goes on from the index after that one (the paper's
 * fixqueue). Where the newcomer itself finds none it is refused. So those before its last index stay where they are.
 *
 * <p>Ours: of equals the first accepted comes first, and the newcomer last; no move brings a start nearer than the cluster's
 * notice, nor nearer than the owner's; and whoever finds no other place may keep its own, also one that a newcomer could not
 * have (since the share that may be reserved, or the notice, has changed). At the last index the newcomer is placed beside
 * all others as they lie: so whoever fits there is not refused.
 */
final class WaitingQueue {

    private final ClusterSchedule schedule;
    private final Newcomer newcomer;
    private final long now;
    private final List<Reservation> queue;

    WaitingQueue(ClusterSchedule schedule, Newcomer newcomer, long now) {
        this.schedule = schedule;
        this.newcomer = newcomer;
        this.now = now;
        queue = schedule.reservations().stream()
                .filter(reservation -> reservation.isMovable(now))
                .sorted(Comparator.<Reservation>comparingLong(one -> newcomer.rank(one, schedule.cluster(), now))
                        .thenComparingLong(one -> one.status().createdAt())
                        .thenComparing(one -> one.id().value()))
                .toList();
    }

    /** The place of the newcomer, and the moves in the order of the queue; empty if it is refused. */
    Optional<Juggled.Found> admit() {
        long rank = newcomer.rank(schedule.cluster(), now);
        int index = (int) queue.stream()
                .filter(one -> newcomer.rank(one, schedule.cluster(), now) <= rank)
                .count();
        while (true) {
            var free = freeBeside(index);
            if (!(newcomer.look().apply(free) instanceof Search.Found found)) {
                return Optional.empty();
            }
            free = taking(free, found.place().parts());
            var moves = new ArrayList<ReservationEvent>();
            int next = index;
            for (; next < queue.size(); next++) {
                var waiting = queue.get(next);
                var place = again(waiting, free);
                if (place.isEmpty()) {
                    break;
                }
                free = taking(free, place.get().parts());
                if (!place.get().parts().equals(toCome(waiting))) {
                    moves.add(schedule.moved(waiting, place.get(), MoveReason.MADE_ROOM, now));
                }
            }
            if (next == queue.size()) {
                return Optional.of(new Juggled.Found(found, moves));
            }
            index = next + 1;
        }
    }

    /** The free PEs where nobody from that index on has a place. */
    private FreePes freeBeside(int index) {
        var free = schedule.free();
        for (var waiting : queue.subList(index, queue.size())) {
            for (var part : toCome(waiting)) {
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
        long notice = Math.max(
                cluster.policy().notice(), waiting.terms().fixing().before().orElse(0));
        var search = new ShapeSearch(free, cluster.policy().placement(), cluster.reservablePes(), now);
        return window(waiting, now + notice)
                .flatMap(window -> search.again(waiting, window))
                .or(() -> Optional.of(new Place(toCome(waiting))).filter(place -> hasRoomFor(free, place)));
    }

    private static boolean hasRoomFor(FreePes free, Place place) {
        return place.parts().stream().allMatch(part -> free.hasRoomFor(part, false));
    }

    /** Where what has not begun of a reservation may lie if it may not begin before {@code earliest}. */
    static Optional<Window> window(Reservation waiting, long earliest) {
        var window = waiting.terms().window();
        long begun = waiting.placement().parts().stream()
                .limit(waiting.placement().begun())
                .mapToLong(part -> part.slot().end())
                .max()
                .orElse(window.readyTime());
        long ready = Math.max(earliest, Math.max(window.readyTime(), begun));
        return ready < window.deadline() ? Optional.of(new Window(ready, window.deadline())) : Optional.empty();
    }

    /** What of a reservation may still move. */
    static List<Part> toCome(Reservation waiting) {
        var place = waiting.placement();
        return place.parts().subList(place.begun(), place.parts().size());
    }
}
