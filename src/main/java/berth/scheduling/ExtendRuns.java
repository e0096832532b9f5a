package berth.scheduling;

import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Extends the runs that are due for automatic extension, each by its next step and without moving other reservations. A run that lacks room
 * or money, or whose account is at a limit, ends as planned and is not tried again. Never refused.
 *
 * @param allowances how much more an account may reserve; empty while another decision for the account is in progress, in which case its
 *     runs are extended in a later turn
 */
public record ExtendRuns(Function<AccountName, Optional<Allowance>> allowances) implements Command {

    /** The most runs to extend in one turn. */
    static final int MAX_RUNS = 100;

    @Override
    public Decision.Accepted decide(ClusterSchedule schedule, long now) {
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var id : schedule.dueForExtension(now, MAX_RUNS)) {
            var before = schedule.find(id).orElseThrow();
            var allowance = allowances.apply(before.origin().owner());
            if (allowance.isPresent()) {
                var event = extended(next, before, allowance.get(), now);
                events.add(event);
                next = next.with(event);
            }
        }
        return new Decision.Accepted(List.copyOf(events), next);
    }

    private static ReservationEvent extended(
            ClusterSchedule schedule, Reservation before, Allowance allowance, long now) {
        long step =
                before.terms().autoExtension().orElseThrow().next(before.slot().end());
        var extend = new Extend(new Target(before.id(), OptionalInt.empty()), step, step, allowance);
        return switch (extend.decideAsOthersLie(schedule, now)) {
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
