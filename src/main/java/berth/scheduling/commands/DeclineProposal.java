package berth.scheduling.commands;

import berth.outcome.Outcome;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import java.util.EnumSet;

/** The owner declines a proposal; the agreed terms stay. */
public record DeclineProposal(Target target, int number) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED))) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) ->
                AcceptProposal.open(reservation, number, now).isEmpty()
                        ? new Decision.Rejected(new Rejection.ProposalOver(number))
                        : Decision.Accepted.of(
                                schedule, ReservationEvent.of(Event.Type.DECLINED, reservation.declined(now)));
        };
    }
}
