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
 * Extends the runs that are about to end and were agreed to go on by themselves, each by its next step and as all others lie: nobody is
 * moved for one. A run that cannot go on, for want of room, money or by a limit of its account, ends when it was to, and is not tried again.
 * Never refused.
 *
 * @param allowances how much an account may book; empty while others book for it, whose runs are extended in a later turn
 */
public record ExtendRuns(Function<AccountName, Optional<Allowance>> allowances) implements Command {

    /** The most that are extended in one turn; the others are in the next ones. */
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
                        // on slow PEs a step may be no second of a standard PE's time
                        .orElseGet(
                                () -> ReservationEvent.notExtended(before.notExtended(now), RefusalCode.INVALID_TERMS));
        };
    }
}
