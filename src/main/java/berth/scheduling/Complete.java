package berth.scheduling;

import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import java.util.EnumSet;
import java.util.Optional;

/** The owner ends its run early. Its PEs are free at once; its price remains due, unless it should be in place and never was. */
public record Complete(Target target) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.RUNNING),
                running -> Optional.of(
                        running.isOverdue(now)
                                ? Unenforced.of(running, schedule, now)
                                : ReservationEvent.became(running, ReservationState.COMPLETED, now)));
    }
}
