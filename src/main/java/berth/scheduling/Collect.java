package berth.scheduling;

import berth.intake.IntakeRequest;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.sla.Violation;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A client wants a place in the schedule, as by {@link Reserve}, of a cluster that collects requests and decides those that
 * come together in an order of their own (paper 002). What could not be granted however free the cluster is, is refused at
 * once; all else waits for its round.
 *
 * @param id the name of the reservation that may come of it, chosen by the caller so that the decision stays pure
 * @param origin who asks
 * @param priority of the account, 10 the highest
 * @param terms what is asked for
 * @param start the chosen start, seconds since the epoch; empty: as the policy chooses
 * @param leeway how far from the window it takes a slot instead; empty: not at all
 * @param allowance how much the account may book and have waiting
 * @param waitUntil until when it waits where its round finds no room, seconds since the epoch, if that is before its latest start;
 *     empty: it is refused then
 */
public record Collect(
        ReservationId id,
        Origin origin,
        int priority,
        RequestedTerms terms,
        OptionalLong start,
        Optional<Leeway> leeway,
        Allowance allowance,
        OptionalLong waitUntil)
        implements Command {

    /** Of an account without limits. */
    public Collect(
            ReservationId id,
            Origin origin,
            int priority,
            RequestedTerms terms,
            OptionalLong start,
            Optional<Leeway> leeway) {
        this(id, origin, priority, terms, start, leeway, Allowance.UNLIMITED, OptionalLong.empty());
    }

    /** The most requests that wait on a cluster at one time. */
    public static final int MAX = 10_000;

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        if (schedule.requests().size() >= MAX) {
            return new Decision.Rejected(new Rejection.LimitExceeded(new Violation(
                    "intake", "%d requests wait for their round already; send this one after it".formatted(MAX))));
        }
        return switch (PlaceSearch.open(schedule, terms, origin.serviceClass(), now)) {
            case Opening.Shut(var reason) -> new Decision.Rejected(reason);
            case Opening.Open(var search) ->
                start.isPresent()
                                && search.at(start.getAsLong()) instanceof Search.Nothing(Rejection.InvalidTerms reason)
                        ? new Decision.Rejected(reason)
                        : collected(schedule, search.terms(), now);
        };
    }

    private Decision collected(ClusterSchedule schedule, Terms resolved, long now) {
        var request = IntakeRequest.pending(id, schedule.cluster().id(), origin, priority, terms, start, now)
                .within(leeway)
                .waitingUntil(
                        waitUntil.isPresent()
                                ? OptionalLong.of(WaitForRoom.until(schedule, resolved, start, waitUntil.getAsLong()))
                                : waitUntil);
        return allowance
                .exceeded(schedule, request, now)
                .<Decision>map(limit -> new Decision.Rejected(new Rejection.LimitExceeded(limit)))
                .orElseGet(() -> Decision.Accepted.of(schedule, new RequestEvent(Event.Type.REQUESTED, request, now)));
    }
}
