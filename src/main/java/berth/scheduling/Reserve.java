package berth.scheduling;

import berth.reservation.Event;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.Status;
import berth.scheduling.Admission.Opening;
import berth.scheduling.Admission.Search;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Violation;
import java.util.List;
import java.util.OptionalLong;

/**
 * A client wants a place in the schedule: at the start it chooses, else at the first fit.
 *
 * @param id the new reservation's name, chosen by the caller so that the decision stays pure
 * @param origin who asks
 * @param serviceClass how the account is classed
 * @param terms what is asked for
 * @param start the chosen start, seconds since the epoch; empty: the first fit
 * @param hold seconds for which the place is kept without being confirmed; empty: confirmed at once
 */
public record Reserve(
        ReservationId id,
        Origin origin,
        ServiceClass serviceClass,
        RequestedTerms terms,
        OptionalLong start,
        OptionalLong hold)
        implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        if (hold.isPresent() && hold.getAsLong() < 1) {
            return rejected(new Rejection.InvalidTerms(List.of(new Violation("hold", "must be longer than zero"))));
        }
        return switch (Admission.open(schedule, terms, serviceClass, now)) {
            case Opening.Closed(var reason) -> rejected(reason);
            case Opening.Open(var admission) ->
                switch (search(admission, now)) {
                    case Search.Nothing(var reason) -> rejected(reason);
                    case Search.Found found -> accepted(schedule, admission, found, now);
                };
        };
    }

    /** A hold ends at its start at the latest, so one that starts at once would end at once: it starts later. */
    private Search search(Admission admission, long now) {
        long readyTime = admission.terms().window().readyTime();
        long earliest = hold.isPresent() ? Math.max(readyTime, now + 1) : readyTime;
        if (start.isEmpty()) {
            return admission.firstFit(earliest);
        }
        if (start.getAsLong() < earliest) {
            return new Search.Nothing(new Rejection.InvalidTerms(List.of(new Violation(
                    "start", "must not lie before the ready time, and that of a hold must lie in the future"))));
        }
        return admission.at(start.getAsLong());
    }

    private Decision accepted(ClusterSchedule schedule, Admission admission, Search.Found found, long now) {
        var status = hold.isPresent()
                ? Status.held(now + Math.min(hold.getAsLong(), found.slot().start() - now), now)
                : Status.confirmed(now);
        var reservation = new Reservation(
                id, schedule.cluster().id(), origin, admission.terms(), found.slot(), found.price(), status);
        return Decision.Accepted.of(schedule, Event.accepted(reservation));
    }

    private static Decision rejected(Rejection reason) {
        return new Decision.Rejected(reason);
    }
}
