package berth.scheduling;

import berth.cluster.Juggling;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Money;
import java.util.List;
import java.util.Optional;

/** Whether a newcomer finds a place, and who moves for it. */
sealed interface JugglingResult {

    /** What it took to find out. */
    Effort effort();

    /**
     * What a decision took.
     *
     * @param searches for places; so many that were only looked at count as one more. Who remembers more searches less
     * @param passes by somebody in the queue, weighed by what the search for its place would take, whether it was needed or
     *     not: the same whatever is remembered
     */
    record Effort(int searches, long passes) {

        /** One search. */
        static final Effort ONE = new Effort(1, 1);
    }

    /**
     * It does, once these have moved, in this order.
     *
     * @param memo what is known of the queue then; empty: no more than before, since nobody was placed anew
     */
    record Found(Search.Found found, List<ReservationEvent> moves, Optional<ReplanMemo> memo, Effort effort)
            implements JugglingResult {

        Place place() {
            return found.place();
        }

        Money price() {
            return found.price();
        }
    }

    /** It does not. */
    record Nothing(Rejection reason, Effort effort) implements JugglingResult {}

    /**
     * The place of a newcomer where the waiting queue is placed anew as the cluster's rules have it. Whichever these are, a
     * newcomer that finds a place beside the others as they lie is never refused, and the reason of a refusal is why it finds
     * none there.
     */
    static JugglingResult of(ClusterSchedule schedule, Newcomer newcomer, long now) {
        boolean isAlways = schedule.cluster().policy().juggling() == Juggling.ALWAYS;
        return placed(schedule, newcomer, isAlways, now);
    }

    /** The place beside the others as they lie; where there is none and the cluster juggles at all, others move. */
    static JugglingResult onConflict(ClusterSchedule schedule, Newcomer newcomer, long now) {
        return placed(schedule, newcomer, false, now);
    }

    private static JugglingResult placed(ClusterSchedule schedule, Newcomer newcomer, boolean isAlways, long now) {
        var plain = asTheyLie(schedule, newcomer);
        boolean mayJuggle = switch (plain) {
            case Found _ -> isAlways;
            case Nothing(var reason, var _) -> mayGetRoom(reason);
        };
        if (!mayJuggle || schedule.cluster().policy().juggling() == Juggling.NEVER) {
            return plain;
        }
        var attempt = new ReplanAttempt(schedule, newcomer, now);
        var few = schedule.cluster().policy().juggling() == Juggling.LEAST_MOVES
                ? attempt.admitMovingFew()
                : Optional.<Found>empty();
        return few.or(attempt::admit).<JugglingResult>map(found -> found).orElseGet(() -> switch (plain) {
            case Found found -> found;
            case Nothing(var reason, var _) -> new Nothing(reason, attempt.effort());
        });
    }

    private static JugglingResult asTheyLie(ClusterSchedule schedule, Newcomer newcomer) {
        return of(newcomer.look().apply(schedule.free()));
    }

    /** Nobody moves. */
    static JugglingResult of(Search search) {
        return switch (search) {
            case Search.Found found -> new Found(found, List.of(), Optional.empty(), Effort.ONE);
            case Search.Nothing(var reason) -> new Nothing(reason, Effort.ONE);
        };
    }

    private static boolean mayGetRoom(Rejection reason) {
        return reason instanceof Rejection.NoSlot
                || reason instanceof Rejection.OverBudget
                || reason instanceof Rejection.BookedAhead;
    }
}
