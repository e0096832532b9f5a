package berth.scheduling.commands;

import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Target;
import java.util.EnumSet;
import java.util.Optional;

/** The owner confirms a hold: {@code HELD} becomes {@code CONFIRMED}. */
public record Confirm(Target target) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.HELD),
                held -> Optional.of(ReservationEvent.became(held, ReservationState.CONFIRMED, now)));
    }
}
