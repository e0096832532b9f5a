package berth.scheduling;

import berth.cluster.EnforcementRule;
import berth.reservation.Charge;
import berth.reservation.Enforcement;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.Status;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A client wants a place in the schedule: at the start it chooses, else at the one that the cluster's policy chooses. Others
 * may move for it, see {@link JugglingResult}.
 *
 * <p>Beside batch jobs the place must be {@linkplain RatedPlaces available} enough. If the one that the policy chooses is not, the
 * earliest is taken that is and is free as all others lie. Where the cluster sets no threshold, any place is enough that is
 * free beside running jobs, reservations and the place kept for the first waiting job (that leaves an availability above 0), and
 * no plans are made. Only newcomers are asked for it; who is moved, or changes its terms, is not.
 *
 * @param id the new reservation's name, chosen by the caller so that the decision stays pure
 * @param origin who asks
 * @param terms what is asked for
 * @param start the chosen start, seconds since the epoch; empty: as the policy chooses
 * @param hold seconds for which the place is held without being confirmed; empty: confirmed at once
 * @param allowance how much the account may book
 */
public record Reserve(
        ReservationId id,
        Origin origin,
        RequestedTerms terms,
        OptionalLong start,
        OptionalLong hold,
        Allowance allowance)
        implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return decide(schedule, now, search -> JugglingResult.of(schedule, newcomer(search, now), now));
    }

    @Override
    public long looks(ClusterSchedule schedule, long now) {
        return start.isPresent() ? 0 : PlaceSearch.looks(schedule, terms, now);
    }

    /** @param placed where it lies, of those places that the search allows */
    Decision decide(ClusterSchedule schedule, long now, Function<PlaceSearch, JugglingResult> placed) {
        if (hold.isPresent() && hold.getAsLong() < 1) {
            return rejected(Rejection.InvalidTerms.of("hold", "must be longer than zero"));
        }
        long longest = schedule.cluster().policy().limits().maxHold().orElse(Long.MAX_VALUE);
        if (hold.isPresent() && hold.getAsLong() > longest) {
            return rejected(Rejection.InvalidTerms.of(
                    "hold", "exceeds the %d s that this cluster allows; shorten it".formatted(longest)));
        }
        var limit = hold.isPresent()
                ? allowance.exceeded(schedule, origin.owner(), hold.getAsLong())
                : Optional.<Violation>empty();
        if (limit.isPresent()) {
            return rejected(new Rejection.LimitExceeded(limit.get()));
        }
        var obstacle = schedule.funds()
                .obstacle(origin.project(), schedule.cluster().tariff().currency());
        if (obstacle.isPresent()) {
            return rejected(Rejection.InvalidTerms.of("project", obstacle.get()));
        }
        return switch (PlaceSearch.open(schedule, terms, origin.serviceClass(), hold.orElse(0), now)) {
            case Opening.Shut(var reason) -> rejected(reason);
            case Opening.Open(var search) ->
                switch (placed.apply(search)) {
                    case JugglingResult.Nothing(var reason, var _) -> rejected(reason);
                    case JugglingResult.Found found ->
                        switch (RatedPlaces.enough(schedule, search, found, start, earliest(now), now)) {
                            case JugglingResult.Nothing(var reason, var _) -> rejected(reason);
                            case JugglingResult.Found enough -> within(schedule, search, enough, now);
                        };
                };
        };
    }

    private Newcomer newcomer(PlaceSearch search, long now) {
        return new Newcomer(id, search.terms(), now, free -> place(search.among(free), now), start);
    }

    /** Accepted, unless the account has booked too much where the others have moved. */
    private Decision within(ClusterSchedule schedule, PlaceSearch search, JugglingResult.Found found, long now) {
        return allowance
                .exceeded(
                        schedule.moving(found.moves()),
                        id,
                        origin.owner(),
                        found.place().parts(),
                        now)
                .map(exceeded -> rejected(new Rejection.LimitExceeded(exceeded)))
                .orElseGet(() -> accepted(schedule, search, found, now));
    }

    /** A hold ends at its start at the latest, so one that starts at once would end at once: it starts later. */
    long earliest(long now) {
        return hold.isPresent() ? now + 1 : now;
    }

    private Search place(PlaceSearch search, long now) {
        if (start.isEmpty()) {
            return search.choose(earliest(now));
        }
        if (start.getAsLong() < earliest(now)) {
            return new Search.Nothing(Rejection.InvalidTerms.of(
                    "start", "must not lie before the ready time, and that of a hold must lie in the future"));
        }
        return search.at(start.getAsLong());
    }

    private Decision accepted(ClusterSchedule schedule, PlaceSearch search, JugglingResult.Found found, long now) {
        var place = found.place();
        var slot = place.slot();
        var status = hold.isPresent()
                ? Status.held(now + Math.min(hold.getAsLong(), slot.start() - now), now)
                : Status.confirmed(now);
        var policy = schedule.cluster().policy();
        var claimBy = policy.claimWithin().isPresent()
                ? OptionalLong.of(slot.start() + policy.claimWithin().getAsLong())
                : OptionalLong.empty();
        var reservation = new Reservation(
                id,
                schedule.cluster().id(),
                origin,
                search.terms(),
                place.taken(search.terms().fixing().fixesAt(now, slot.start(), policy.notice())),
                Charge.of(found.price()),
                status.claimBy(claimBy),
                Optional.empty(),
                policy.enforcement() == EnforcementRule.REQUIRED ? Enforcement.required() : Enforcement.NONE);
        return Decision.Accepted.of(schedule, found, ReservationEvent.accepted(reservation))
                .withinBudget(schedule, origin.project());
    }

    private static Decision rejected(Rejection reason) {
        return new Decision.Rejected(reason);
    }
}
