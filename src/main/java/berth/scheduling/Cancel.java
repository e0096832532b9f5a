package berth.scheduling;

import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import java.util.EnumSet;
import java.util.Optional;

/** The owner gives up a live reservation; its PEs are free at once. */
public record Cancel(Target target) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING),
                given -> Optional.of(ReservationEvent.became(given, ReservationState.CANCELLED, now)));
    }
}
