package berth.scheduling.commands;

import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Extends the runs that are due for automatic extension, each by its next step and without moving other reservations. A run that lacks room
 * or money, or whose account is at a limit, ends as planned and is not tried again. While another decision for an account is in progress,
 * its runs are left for a later turn. Never refused.
 */
public record ExtendRuns() implements Command {

    /** The most runs to extend in one turn. */
    static final int MAX_RUNS = 100;

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var id : schedule.dueForExtension(basis.now(), MAX_RUNS)) {
            var before = schedule.find(id).orElseThrow();
            if (basis.allowances().apply(before.origin().owner()).isPresent()) {
                var event = extended(basis.on(next), before);
                events.add(event);
                next = next.with(event);
            }
        }
        return new Decision.Accepted(List.copyOf(events), next);
    }

    private static ReservationEvent extended(Basis basis, Reservation before) {
        long now = basis.now();
        long step =
                before.terms().autoExtension().orElseThrow().next(before.slot().end());
        var extend = new Extend(new Target(before.id(), OptionalInt.empty()), step, step);
        return switch (extend.decideAsOthersLie(basis)) {
            case Decision.Rejected(var reason) -> ReservationEvent.notExtended(before.notExtended(now), reason.code());
            case Decision.Accepted(var events, var _) ->
                events.stream()
                        .map(ReservationEvent.class::cast)
                        .map(agreed -> ReservationEvent.of(Event.Type.EXTENDED, agreed.reservation()))
                        .findFirst()
                        // on slow PEs a step may be less than a second of a standard PE's time
                        .orElseGet(
                                () -> ReservationEvent.notExtended(before.notExtended(now), RefusalCode.INVALID_TERMS));
        };
    }
}
