package berth.scheduling.commands;

import berth.outcome.Outcome;
import berth.reservation.Charge;
import berth.reservation.Enforcement;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Approvals;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.scheduling.places.JugglingResult;
import berth.scheduling.places.Newcomer;
import berth.scheduling.places.PlaceSearch;
import berth.scheduling.places.PlaceSearch.Search;
import berth.scheduling.places.RatedPlaces;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Requests a place in the schedule, at the chosen start or where the cluster's policy chooses. Other reservations may move for it, see
 * {@link JugglingResult}. If a person must {@linkplain Approvals approve} the reservation, it keeps the place until then; unless the client
 * chooses the start, the place then leaves time for that, if there is one.
 *
 * <p>On a cluster with batch jobs the place must be {@linkplain RatedPlaces available} enough. If the place that the policy chooses is not,
 * the request gets the earliest free place that is, without moving others. If the cluster sets no minimum, any place is good enough that
 * running jobs, reservations and the kept place leave free, which gives an availability above 0; no plans are made. Only new requests need
 * this; reservations that move or change their terms do not.
 *
 * @param id the id of the new reservation, chosen by the caller so that the decision has no side effects
 * @param origin the account
 * @param terms the requested terms
 * @param start the chosen start, in seconds since the epoch; empty if the policy chooses
 * @param hold how long the place is held without a confirmation, in seconds; empty if it is confirmed at once
 */
public record Reserve(ReservationId id, Origin origin, RequestedTerms terms, OptionalLong start, OptionalLong hold)
        implements Command {

    @Override
    public Decision decide(Basis basis) {
        var soonest = decideSoonest(basis);
        return start.isEmpty() && hold.isEmpty() && isTooSoon(soonest, basis) ? later(basis, soonest) : soonest;
    }

    private Decision decideSoonest(Basis basis) {
        long now = basis.now();
        return decide(basis, search -> JugglingResult.of(basis.schedule(), newcomer(search, now), now));
    }

    /** Whether a request must be approved, and its place leaves less time for that than the cluster wants. */
    private boolean isTooSoon(Decision decision, Basis basis) {
        return switch (decision) {
            case Decision.Rejected(Rejection.NeedsApproval _) -> true;
            case Decision.Rejected _ -> false;
            case Decision.Accepted(var _, var next) ->
                next.find(id)
                        .filter(granted -> granted.state() == ReservationState.PENDING)
                        .filter(granted -> granted.slot().start() < new Approvals(basis).earliestStart())
                        .isPresent();
        };
    }

    /**
     * Returns the decision for a later start, which leaves time for an approval. If that is a rejection, returns the other decision, unless
     * that is a rejection too and the later start has room.
     */
    private Decision later(Basis basis, Decision soonest) {
        long from = new Approvals(basis).earliestStart();
        var request = new Reserve(
                id, origin, terms.readyAt(Math.max(from, terms.readyTime().orElse(from))), start, hold);
        return switch (request.decideSoonest(basis)) {
            case Decision.Rejected(var reason)
            when soonest instanceof Decision.Accepted
                    || reason.lacksRoom()
                    || reason instanceof Rejection.InvalidTerms -> soonest;
            case Decision decision -> decision;
        };
    }

    @Override
    public ReserveAt at(List<Part> place) {
        return new ReserveAt(this, place);
    }

    /** Returns the same request without a start and a window. */
    Reserve atAnyTime() {
        return new Reserve(id, origin, terms.withoutDeadline().withoutReadyTime(), OptionalLong.empty(), hold);
    }

    @Override
    public long looks(ClusterSchedule schedule, long now) {
        return start.isPresent() ? 0 : PlaceSearch.looks(schedule, terms, now);
    }

    /**
     * Decides the request with another choice of the place.
     *
     * @param placed returns the place that a search allows
     */
    Decision decide(Basis basis, Function<PlaceSearch, JugglingResult> placed) {
        var schedule = basis.schedule();
        long now = basis.now();
        if (hold.isPresent() && hold.getAsLong() < 1) {
            return rejected(Rejection.InvalidTerms.of("hold", "must be longer than zero"));
        }
        long longest = schedule.cluster().policy().limits().maxHold().orElse(Long.MAX_VALUE);
        if (hold.isPresent() && hold.getAsLong() > longest) {
            return rejected(Rejection.InvalidTerms.of(
                    "hold", "exceeds the %d s that this cluster allows for a hold; shorten it".formatted(longest)));
        }
        var limit = hold.isPresent()
                ? basis.allowance(origin.owner()).exceeded(schedule, origin.owner(), hold.getAsLong())
                : Optional.<Violation>empty();
        if (limit.isPresent()) {
            return rejected(new Rejection.LimitExceeded(limit.get()));
        }
        var obstacle = schedule.obstacle(origin.project());
        if (obstacle.isPresent()) {
            return rejected(obstacle.get());
        }
        return switch (PlaceSearch.open(schedule, terms, origin.customer(), hold.orElse(0), now)) {
            case Outcome.NotDone(var reason) -> rejected(reason);
            case Outcome.Done(var search) ->
                switch (placed.apply(search)) {
                    case JugglingResult.Nothing(var reason, var _) -> rejected(reason);
                    case JugglingResult.Found found ->
                        switch (RatedPlaces.enough(schedule, search, found, start, earliest(now), now)) {
                            case JugglingResult.Nothing(var reason, var _) -> rejected(reason);
                            case JugglingResult.Found enough -> within(basis, search, enough);
                        };
                };
        };
    }

    private Newcomer newcomer(PlaceSearch search, long now) {
        return new Newcomer(
                id, origin.serviceClass(), 0, search.terms(), now, free -> place(search.among(free), now), start);
    }

    /** Returns the acceptance, unless the account exceeds a limit after the others have moved. */
    private Decision within(Basis basis, PlaceSearch search, JugglingResult.Found found) {
        var schedule = basis.schedule();
        long now = basis.now();
        return basis.allowance(origin.owner())
                .exceeded(
                        schedule.moving(found.moves()),
                        id,
                        origin.owner(),
                        found.place().parts(),
                        now)
                .map(exceeded -> rejected(new Rejection.LimitExceeded(exceeded)))
                .orElseGet(() -> accepted(basis, search, found));
    }

    /** Returns the earliest start. A hold ends at its start at the latest, so a held place must start later than now. */
    long earliest(long now) {
        return hold.isPresent() ? now + 1 : now;
    }

    private Search place(PlaceSearch search, long now) {
        if (start.isEmpty()) {
            return search.choose(earliest(now));
        }
        if (hold.isPresent() && start.getAsLong() == now) {
            return new Search.Nothing(Rejection.InvalidTerms.of(
                    "start", "must lie in the future, because a hold ends at its start at the latest"));
        }
        return search.at(start.getAsLong());
    }

    private Decision accepted(Basis basis, PlaceSearch search, JugglingResult.Found found) {
        var schedule = basis.schedule();
        long now = basis.now();
        var place = found.place();
        var slot = place.slot();
        var agreed = search.terms().lyingAt(place.parts());
        var status = hold.isPresent()
                ? Status.held(now + Math.min(hold.getAsLong(), slot.start() - now), now)
                : Status.confirmed(now);
        var policy = schedule.cluster().policy();
        var claimBy = policy.claimWithin().isPresent()
                ? OptionalLong.of(slot.start() + policy.claimWithin().getAsLong())
                : OptionalLong.empty();
        var agreement = new Reservation(
                id,
                schedule.cluster().id(),
                origin,
                agreed,
                place.taken(agreed.finality().fixesAt(now, slot.start(), policy.notice())),
                Charge.of(found.price()),
                status.claimBy(claimBy),
                Optional.empty(),
                switch (policy.enforcement()) {
                    case NONE -> Enforcement.NONE;
                    case REPORTED -> Enforcement.reported();
                    case REQUIRED -> Enforcement.required();
                });
        if (hold.isPresent()) {
            return granted(schedule, agreement, found);
        }
        var approvals = new Approvals(basis);
        var asked = approvals.asked(agreement);
        if (asked.isEmpty()) {
            return granted(schedule, agreement, found);
        }
        return slot.start() <= now
                ? rejected(new Rejection.NeedsApproval(asked))
                : approvals
                        .tooMany(origin.owner())
                        .map(Reserve::rejected)
                        .orElseGet(
                                () -> granted(schedule, agreement.asking(approvals.needed(agreement, asked)), found));
    }

    private static Decision granted(ClusterSchedule schedule, Reservation reservation, JugglingResult.Found found) {
        return found.accepted(schedule, ReservationEvent.accepted(reservation)).paid(schedule, reservation);
    }

    private static Decision rejected(Rejection reason) {
        return new Decision.Rejected(reason);
    }
}
