package berth.scheduling;

import berth.cluster.Juggling;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlaceSearch.Search;
import java.util.List;
import java.util.Optional;

/** Whether a newcomer finds a place, and who moves for it. */
sealed interface Juggled {

    /**
     * It does, once these have moved, in this order.
     *
     * @param settled what is known of the queue then; empty: no more than before, since nobody was placed anew
     */
    record Found(Search.Found place, List<ReservationEvent> moves, Optional<Settlement> settled) implements Juggled {}

    /** It does not. */
    record Nothing(Rejection reason) implements Juggled {}

    /**
     * The place of a newcomer where the waiting queue is placed anew as the cluster's rules have it. Whichever these are, a
     * newcomer that finds a place beside the others as they lie is never refused, and the reason of a refusal is why it finds
     * none there.
     */
    static Juggled of(ClusterSchedule schedule, Newcomer newcomer, long now) {
        return schedule.cluster().policy().juggling() == Juggling.ALWAYS
                ? placedAnew(schedule, newcomer, now).orElseGet(() -> asTheyLie(schedule, newcomer))
                : onConflict(schedule, newcomer, now);
    }

    /** The place beside the others as they lie; where there is none and the cluster juggles at all, they are placed anew. */
    static Juggled onConflict(ClusterSchedule schedule, Newcomer newcomer, long now) {
        var plain = asTheyLie(schedule, newcomer);
        return plain instanceof Nothing(var reason)
                        && schedule.cluster().policy().juggling() != Juggling.NEVER
                        && mayGetRoom(reason)
                ? placedAnew(schedule, newcomer, now).orElse(plain)
                : plain;
    }

    private static Juggled asTheyLie(ClusterSchedule schedule, Newcomer newcomer) {
        return of(newcomer.look().apply(schedule.free()));
    }

    /** Nobody moves. */
    static Juggled of(Search search) {
        return switch (search) {
            case Search.Found place -> new Found(place, List.of(), Optional.empty());
            case Search.Nothing(var reason) -> new Nothing(reason);
        };
    }

    private static Optional<Juggled> placedAnew(ClusterSchedule schedule, Newcomer newcomer, long now) {
        return new WaitingQueue(schedule, newcomer, now).admit().map(found -> found);
    }

    private static boolean mayGetRoom(Rejection reason) {
        return reason instanceof Rejection.NoSlot || reason instanceof Rejection.OverBudget;
    }
}
