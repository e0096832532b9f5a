package berth.scheduling.commands;

import berth.approval.Approval.Ask;
import berth.outcome.Outcome;
import berth.reservation.Assignment;
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
import java.util.List;
import java.util.Optional;

/**
 * Hands a live reservation over to another account, within the limits of that account and if it may file under the project. If nobody has
 * {@linkplain Approvals approved} a reservation that needs it, the account that hands it over must be one that may. The agreement stays as
 * it is: the terms, the place, the price and the service class. There are two events, one for each owner.
 *
 * @param to the new owner
 * @param by the account that hands it over
 */
public record Transfer(Target target, AccountName to, AccountName by) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var live = EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING);
        return switch (Lookup.of(basis.schedule(), target, live)) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) ->
                reservation.origin().owner().equals(to)
                        ? Decision.Accepted.unchanged(basis.schedule())
                        : refusal(basis, reservation)
                                .<Decision>map(Decision.Rejected::new)
                                .orElseGet(() -> handedOver(basis, reservation));
        };
    }

    private Optional<Rejection> refusal(Basis basis, Reservation reservation) {
        var schedule = basis.schedule();
        if (reservation.origin().occurrence().isPresent()) {
            return Optional.of(
                    Rejection.InvalidTerms.of(
                            "account",
                            "cannot get one occurrence of a series; cancel the occurrence, and reserve its time for the account"));
        }
        var closed = reservation
                .origin()
                .project()
                .filter(project -> !schedule.funds().filing().isOpen(to, project));
        if (closed.isPresent()) {
            return Optional.of(new Rejection.FilingClosed(closed.get(), to));
        }
        // a hold is asked for when it is confirmed
        var asked = reservation.state() == ReservationState.HELD
                ? List.<Ask>of()
                : new Approvals(basis).askedToHandOver(reservation, by);
        if (!asked.isEmpty()) {
            return Optional.of(new Rejection.NeedsApproval(asked));
        }
        var allowance = basis.allowance(to);
        var ofHolds = reservation.status().holdExpiresAt().stream()
                .mapToObj(expiry -> allowance.exceeded(schedule, to, expiry - basis.now()))
                .findAny()
                .flatMap(limit -> limit);
        return ofHolds.or(() -> allowance.exceeded(schedule, reservation.id(), to, reservation.parts(), basis.now()))
                .map(Rejection.LimitExceeded::new);
    }

    private Decision handedOver(Basis basis, Reservation before) {
        var assignment = new Assignment(to, Optional.of(before.origin().owner()), by);
        var leaving = before.assigned(assignment, basis.now());
        List<Event> events = List.of(
                ReservationEvent.of(Event.Type.TRANSFERRED, leaving),
                ReservationEvent.of(Event.Type.RECEIVED, leaving.received(basis.now())));
        return new Decision.Accepted(events, basis.schedule().with(events));
    }
}
