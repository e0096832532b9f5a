package berth.scheduling;

import berth.reservation.ReservationId;
import berth.scheduling.Event.RequestEvent;

/**
 * It is a collected request's turn, and there is no place for it, as {@link Admit#ask} has found.
 *
 * @param id the request's
 * @param reason why
 */
public record TurnDown(ReservationId id, Rejection reason) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.request(id)
                .<Decision>map(request -> Decision.Accepted.of(
                        schedule, new RequestEvent(Event.Type.REJECTED, request.rejected(reason.code(), now), now)))
                .orElseGet(() -> new Decision.Rejected(new Rejection.NotLive(id)));
    }
}
