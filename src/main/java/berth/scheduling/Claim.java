package berth.scheduling;

import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import java.util.EnumSet;
import java.util.Optional;

/**
 * The owner has shown up for a run that has begun. Where the cluster does not ask for it, or it was done before, nothing
 * changes.
 */
public record Claim(Target target) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.RUNNING),
                running -> running.status().claimBy().isPresent()
                        ? Optional.of(ReservationEvent.of(Event.Type.CLAIMED, running.claimed(now)))
                        : Optional.empty());
    }
}
