package berth.scheduling.commands;

import berth.intake.IntakeRequest;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;

/**
 * Refuses a collected request for which {@link Admit#ask} has found no place. If the request wants to wait for room and the {@linkplain
 * WaitingList#refusal list} accepts it, it joins the waiting list instead.
 *
 * @param id the id of the request
 * @param reason the reason of the refusal
 */
public record TurnDown(ReservationId id, Rejection reason) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
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
