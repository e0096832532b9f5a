package berth.scheduling.places;

import berth.cluster.Juggling;
import berth.scheduling.CancellationDue;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Place;
import berth.scheduling.Rejection;
import berth.scheduling.ReplanMemo;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Money;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The result of a search for room: whether a newcomer finds a place, and which reservations move for it. */
public sealed interface JugglingResult {

    /** Returns the effort of the search. */
    Effort effort();

    /**
     * The effort of a decision.
     *
     * @param searches the searches for places; a fixed number of quick checks counts as one more. A replan memo reduces them
     * @param passes the visits to reservations in the queue, weighted by the cost of a search for their place, whether the search was
     *     necessary or not; they do not depend on the replan memo
     */
    record Effort(int searches, long passes) {

        /** One search. */
        static final Effort ONE = new Effort(1, 1);
    }

    /**
     * The newcomer finds a place after these moves, in this order.
     *
     * @param memo the replan memo afterwards; empty if it is unchanged because the queue was not replanned
     */
    record Found(Search.Found found, List<ReservationEvent> moves, Optional<ReplanMemo> memo, Effort effort)
            implements JugglingResult {

        public Place place() {
            return found.place();
        }

        public Money price() {
            return found.price();
        }

        /** Returns the acceptance of the newcomer, with the moves that make room for it. */
        public Decision.Accepted accepted(ClusterSchedule schedule, ReservationEvent then) {
            var events = new ArrayList<Event>();
            var after = memo;
            for (var move : moves) {
                var owed = moved(move, then, schedule);
                events.add(owed);
                // the memo knows reservations by identity
                after = owed == move ? after : after.map(known -> known.after(move.reservation(), owed.reservation()));
            }
            events.add(then);
            var next = events.size() == 1 ? schedule.with(then) : schedule.with(events);
            after.ifPresent(known -> next.remember(next.noted(known.with(then.reservation()), schedule.keptPlaces())));
            return new Decision.Accepted(List.copyOf(events), next);
        }

        /** An account that moves its own reservation by another of its own owes for it as for any change. */
        private static ReservationEvent moved(ReservationEvent move, ReservationEvent by, ClusterSchedule schedule) {
            var after = move.reservation();
            boolean isOwn =
                    after.origin().owner().equals(by.reservation().origin().owner());
            return isOwn
                    ? move.with(CancellationDue.afterOwners(
                            schedule.find(after.id()).orElseThrow(), after, schedule, move.at()))
                    : move;
        }
    }

    /** The newcomer finds no place. */
    record Nothing(Rejection reason, Effort effort) implements JugglingResult {}

    /**
     * Finds a place for a newcomer, replanning the queue by the cluster's rules. Under any rules, a newcomer that fits alongside the
     * reservations in their present places is not refused, and a refusal states why it does not fit there.
     */
    static JugglingResult of(ClusterSchedule schedule, Newcomer newcomer, long now) {
        boolean isAlways = schedule.cluster().policy().juggling() == Juggling.ALWAYS;
        return placed(schedule, newcomer, isAlways, now);
    }

    /**
     * Finds a place alongside the reservations in their present places; if there is none and the cluster juggles, other reservations move.
     */
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

    /** Returns the result of a search without moves. */
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
