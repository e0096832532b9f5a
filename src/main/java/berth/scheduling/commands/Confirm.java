package berth.scheduling.commands;

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
import java.util.EnumSet;

/** The owner confirms a hold: {@code HELD} becomes {@code CONFIRMED}, or {@code PENDING} if it must be {@linkplain Approvals approved}. */
public record Confirm(Target target) implements Command {

    @Override
    public Decision decide(Basis basis) {
        return switch (Lookup.of(basis.schedule(), target, EnumSet.of(ReservationState.HELD))) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var held) -> confirmed(basis, held);
        };
    }

    private static Decision confirmed(Basis basis, Reservation held) {
        var schedule = basis.schedule();
        long now = basis.now();
        var approvals = new Approvals(basis);
        var asked = approvals.asked(held);
        if (asked.isEmpty()) {
            return Decision.Accepted.of(schedule, ReservationEvent.became(held, ReservationState.CONFIRMED, now));
        }
        return approvals
                .tooMany(held.origin().owner())
                .<Decision>map(Decision.Rejected::new)
                .orElseGet(() -> Decision.Accepted.of(
                        schedule,
                        ReservationEvent.of(
                                Event.Type.APPROVAL_ASKED, held.asking(approvals.needed(held, asked), now))));
    }
}
