package berth.scheduling.commands;

import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Target;
import java.util.EnumSet;
import java.util.Optional;

/** The owner claims a run that has begun. If the cluster requires no claim, or the run is already claimed, nothing changes. */
public record Claim(Target target) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.RUNNING),
                running -> running.status().claimBy().isPresent()
                        ? Optional.of(ReservationEvent.of(Event.Type.CLAIMED, running.claimed(now)))
                        : Optional.empty());
    }
}
