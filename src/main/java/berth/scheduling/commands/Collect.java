package berth.scheduling.commands;

import berth.intake.IntakeRequest;
import berth.outcome.Outcome;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;
import berth.scheduling.places.PlaceSearch;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.sla.Violation;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Requests a place as {@link Reserve} does, on a cluster that collects requests and decides those that arrive together in its own order
 * (paper 002). A request that could not be granted even on an empty cluster is refused at once; all others wait for their round.
 *
 * @param id the id of the possible reservation, chosen by the caller so that the decision has no side effects
 * @param origin the account
 * @param priority the priority of the account, 10 the highest
 * @param terms the requested terms
 * @param start the chosen start, in seconds since the epoch; empty if the policy chooses
 * @param leeway how far outside the window a slot may lie; empty if it must lie inside
 * @param waitUntil the time until which it waits if its round finds no room, in seconds since the epoch, at most until its latest start;
 *     empty if it is then refused
 */
public record Collect(
        ReservationId id,
        Origin origin,
        int priority,
        RequestedTerms terms,
        OptionalLong start,
        Optional<Leeway> leeway,
        OptionalLong waitUntil)
        implements Command {

    /** Creates the command for an request that does not wait for room. */
    public Collect(
            ReservationId id,
            Origin origin,
            int priority,
            RequestedTerms terms,
            OptionalLong start,
            Optional<Leeway> leeway) {
        this(id, origin, priority, terms, start, leeway, OptionalLong.empty());
    }

    /** The most requests that wait on a cluster at one time. */
    public static final int MAX = 10_000;

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        if (schedule.requests().size() >= MAX) {
            return new Decision.Rejected(new Rejection.LimitExceeded(new Violation(
                    "intake",
                    "%d requests wait for their round already; send this one after the round".formatted(MAX))));
        }
        var obstacle = schedule.obstacle(origin.project());
        if (obstacle.isPresent()) {
            return new Decision.Rejected(obstacle.get());
        }
        return switch (PlaceSearch.open(schedule, terms, origin.customer(), now)) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var search) ->
                start.isPresent()
                                && search.at(start.getAsLong()) instanceof Search.Nothing(Rejection.InvalidTerms reason)
                        ? new Decision.Rejected(reason)
                        : collected(basis, search.terms());
        };
    }

    private Decision collected(Basis basis, Terms resolved) {
        var schedule = basis.schedule();
        long now = basis.now();
        var request = IntakeRequest.pending(id, schedule.cluster().id(), origin, priority, terms, start, now)
                .within(leeway)
                .waitingUntil(
                        waitUntil.isPresent()
                                ? OptionalLong.of(WaitForRoom.until(schedule, resolved, start, waitUntil.getAsLong()))
                                : waitUntil);
        return basis.allowance(origin.owner())
                .exceeded(schedule, request, now)
                .<Decision>map(limit -> new Decision.Rejected(new Rejection.LimitExceeded(limit)))
                .orElseGet(() -> Decision.Accepted.of(schedule, new RequestEvent(Event.Type.REQUESTED, request, now)));
    }
}
