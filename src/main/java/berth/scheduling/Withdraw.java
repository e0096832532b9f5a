package berth.scheduling;

import berth.reservation.ReservationId;
import berth.scheduling.Event.RequestEvent;

/**
 * The owner gives up a request before its turn, or one that waits for room.
 *
 * @param id the request's
 */
public record Withdraw(ReservationId id) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.request(id)
                .or(() -> schedule.waiting().find(id))
                .<Decision>map(request -> Decision.Accepted.of(
                        schedule, new RequestEvent(Event.Type.WITHDRAWN, request.withdrawn(now), now)))
                .orElseGet(() -> new Decision.Rejected(new Rejection.NotLive(id)));
    }
}
