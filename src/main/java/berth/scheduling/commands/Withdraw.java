package berth.scheduling.commands;

import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;

/**
 * The owner withdraws a request before it is decided or while it waits for room.
 *
 * @param id the id of the request
 */
public record Withdraw(ReservationId id) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return schedule.request(id)
                .or(() -> schedule.waiting().find(id))
                .<Decision>map(request -> Decision.Accepted.of(
                        schedule, new RequestEvent(Event.Type.WITHDRAWN, request.withdrawn(now), now)))
                .orElseGet(() -> new Decision.Rejected(new Rejection.NotLive(id)));
    }
}
