package berth.scheduling.commands;

import berth.intake.IntakeRequest;
import berth.outcome.Outcome;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;
import berth.scheduling.WaitingList;
import berth.scheduling.places.PlaceSearch;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.sla.Violation;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Adds a request without room to the cluster's {@link WaitingList}. {@link GrantWaiting} tries it whenever it might fit, for the first time
 * in the same instant. A request that could not be granted even on an empty cluster is refused at once.
 *
 * @param id the id of the possible reservation, chosen by the caller so that the decision has no side effects
 * @param origin the account
 * @param priority the priority of the account, 10 the highest
 * @param terms the requested terms
 * @param start the chosen start, in seconds since the epoch; empty if the policy chooses
 * @param until the time until which it waits, in seconds since the epoch, at most until its latest start
 */
public record WaitForRoom(
        ReservationId id, Origin origin, int priority, RequestedTerms terms, OptionalLong start, long until)
        implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return switch (PlaceSearch.open(schedule, terms, origin.customer(), now)) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var search) -> decide(basis, search.terms());
        };
    }

    private Decision decide(Basis basis, Terms resolved) {
        var schedule = basis.schedule();
        long now = basis.now();
        long end = until(schedule, resolved, start, until);
        if (until <= now) {
            return new Decision.Rejected(Rejection.InvalidTerms.of("wait.until", "must lie in the future"));
        }
        if (end <= now) {
            return new Decision.Rejected(new Rejection.NoSlot());
        }
        var list = schedule.waiting();
        var request = IntakeRequest.pending(id, schedule.cluster().id(), origin, priority, terms, start, now)
                .waitingUntil(OptionalLong.of(end))
                .waiting(list.nextTicket());
        Optional<Violation> violation = list.refusal(origin.owner())
                .or(() -> basis.allowance(origin.owner()).exceeded(schedule, request, now));
        return violation
                .<Decision>map(limit -> new Decision.Rejected(new Rejection.LimitExceeded(limit)))
                .orElseGet(() -> Decision.Accepted.of(schedule, new RequestEvent(Event.Type.WAITING, request, now)));
    }

    /**
     * Returns when a request stops waiting: at the requested time, or when none of its allowed starts can come any more.
     *
     * @param asked the time until which it wants to wait
     */
    static long until(ClusterSchedule schedule, Terms terms, OptionalLong start, long asked) {
        long latest = Math.min(terms.latestStart(), start.orElse(Long.MAX_VALUE));
        long lead = schedule.cluster().policy().limits().leadTime();
        return Math.min(asked, latest - lead + 1);
    }
}
