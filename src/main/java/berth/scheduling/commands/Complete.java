package berth.scheduling.commands;

import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Lookup;
import berth.scheduling.Returns;
import berth.scheduling.Target;
import java.util.EnumSet;
import java.util.Optional;

/**
 * The owner ends its run early. Its PEs are free at once. Its price remains due, except for the share of the {@linkplain Returns returned}
 * time, and unless it should be in place and never was; if it lacks PEs, only the PE-seconds that it had are due.
 */
public record Complete(Target target) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.RUNNING),
                running -> Optional.of(
                        running.isOverdue(now)
                                ? Unenforced.of(running, schedule, now)
                                : Ending.of(running, ReservationState.COMPLETED, schedule, now)));
    }
}
