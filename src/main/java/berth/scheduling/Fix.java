package berth.scheduling;

import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import java.util.EnumSet;
import java.util.Optional;

/** The owner wants its place to be final now; one that is final stays as it is. */
public record Fix(Target target) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.change(
                target,
                EnumSet.of(ReservationState.CONFIRMED),
                waiting -> waiting.isMovable(now)
                        ? Optional.of(ReservationEvent.of(Event.Type.FIXED, waiting.fixed(now)))
                        : Optional.empty());
    }
}
