package berth.scheduling.commands;

import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Target;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The owner says who else may run jobs in a reservation. What the machine has said about it stays until the machine says something else, so
 * the owner owes what it owed before.
 *
 * @param users the users who may run jobs in it, by their names on the machine; if empty, only the owner may
 */
public record ChangeUsers(Target target, List<String> users) implements Command {

    public ChangeUsers {
        users = List.copyOf(users);
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(
                        ReservationState.HELD,
                        ReservationState.PENDING,
                        ReservationState.CONFIRMED,
                        ReservationState.RUNNING),
                live -> live.origin().users().equals(users)
                        ? Optional.empty()
                        : Optional.of(ReservationEvent.of(Event.Type.USERS_CHANGED, live.usedBy(users, now))));
    }
}
