package berth.scheduling.commands;

import berth.approval.Approval.Answer;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Approvals;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Target;
import berth.sla.AccountName;
import java.util.EnumSet;
import java.util.Optional;

/**
 * Declines a reservation that waits for approval, for a side for which the account may answer. It ends, whatever other sides have answered,
 * and owes nothing.
 *
 * @param target the reservation
 * @param by the account that declines
 * @param reason why
 */
public record Decline(Target target, AccountName by, String reason) implements Command {

    @Override
    public Decision decide(Basis basis) {
        return switch (Lookup.of(basis.schedule(), target, EnumSet.of(ReservationState.PENDING))) {
            case Outcome.NotDone(var why) -> new Decision.Rejected(why);
            case Outcome.Done(var pending) ->
                Approve.mayNotAnswer(basis, pending, by)
                        .<Decision>map(Decision.Rejected::new)
                        .orElseGet(() -> Decision.Accepted.of(
                                basis.schedule(),
                                ReservationEvent.of(Event.Type.APPROVAL_DECLINED, declined(basis, pending))));
        };
    }

    private Reservation declined(Basis basis, Reservation pending) {
        long now = basis.now();
        var sides = new Approvals(basis).answerable(pending, by);
        var approval = pending.status().approval().orElseThrow();
        return pending.refused(approval.answered(sides, new Answer(by, now, Optional.of(reason))), now);
    }
}
