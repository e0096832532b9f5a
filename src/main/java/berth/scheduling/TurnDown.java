package berth.scheduling;

import berth.intake.IntakeRequest;
import berth.reservation.ReservationId;
import berth.scheduling.Event.RequestEvent;

/**
 * It is a collected request's turn, and there is no place for it, as {@link Admit#ask} has found. Where it is to wait for room, and
 * the {@linkplain WaitingList#refusal list} takes it, it waits from now on.
 *
 * @param id the request's
 * @param reason why
 */
public record TurnDown(ReservationId id, Rejection reason) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.request(id)
                .<Decision>map(request -> Decision.Accepted.of(schedule, turnedDown(request, schedule, now)))
                .orElseGet(() -> new Decision.Rejected(new Rejection.NotLive(id)));
    }

    private RequestEvent turnedDown(IntakeRequest request, ClusterSchedule schedule, long now) {
        boolean mayWait = reason.lacksRoom()
                && request.waitUntil().orElse(now) > now
                && schedule.waiting().refusal(request.origin().owner()).isEmpty();
        return mayWait
                ? new RequestEvent(
                        Event.Type.WAITING, request.waiting(schedule.waiting().nextTicket()), now)
                : new RequestEvent(Event.Type.REJECTED, request.rejected(reason.code(), now), now);
    }
}
