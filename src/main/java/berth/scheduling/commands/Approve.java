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
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.sla.AccountName;
import java.util.EnumSet;
import java.util.Optional;

/**
 * Approves a reservation for all sides for which the account may {@linkplain Approvals#answerable answer}. {@code PENDING} becomes {@code
 * CONFIRMED} unless others must approve too. As when a project pays anything, the owner of the reservation must be allowed to file under the
 * project, and an enforced budget must suffice; otherwise the reservation goes on waiting.
 *
 * @param target the reservation
 * @param by the account that approves
 * @param reason what it says about it
 */
public record Approve(Target target, AccountName by, Optional<String> reason) implements Command {

    @Override
    public Decision decide(Basis basis) {
        return switch (Lookup.of(basis.schedule(), target, EnumSet.of(ReservationState.PENDING))) {
            case Outcome.NotDone(var why) -> new Decision.Rejected(why);
            case Outcome.Done(var pending) ->
                hindrance(basis, pending)
                        .<Decision>map(Decision.Rejected::new)
                        .orElseGet(() -> Decision.Accepted.of(
                                basis.schedule(), ReservationEvent.of(Event.Type.APPROVED, approved(basis, pending))));
        };
    }

    private Optional<Rejection> hindrance(Basis basis, Reservation pending) {
        var funds = basis.schedule().funds();
        var origin = pending.origin();
        return mayNotAnswer(basis, pending, by)
                .or(() -> origin.project()
                        .filter(project -> !funds.filing().isOpen(origin.owner(), project))
                        .map(project -> new Rejection.FilingClosed(project, origin.owner())))
                .or(() -> funds.overdrawn(pending).map(Rejection.BudgetExceeded::new));
    }

    /** Returns why an account cannot answer for a reservation that waits for approval; empty if it can. */
    static Optional<Rejection> mayNotAnswer(Basis basis, Reservation pending, AccountName by) {
        return new Approvals(basis).answerable(pending, by).isEmpty()
                ? Optional.of(new Rejection.MayNotApprove(
                        pending.status().approval().orElseThrow().openSides()))
                : Optional.empty();
    }

    private Reservation approved(Basis basis, Reservation pending) {
        long now = basis.now();
        var sides = new Approvals(basis).answerable(pending, by);
        var approval = pending.status().approval().orElseThrow();
        return pending.approved(approval.answered(sides, new Answer(by, now, reason)), now);
    }
}
