package berth.scheduling.commands;

import berth.cluster.OutageId;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Rejection;
import berth.scheduling.places.Displacement;
import java.util.ArrayList;
import java.util.List;

/** Ends an outage, or cancels it before it begins. Runs that lack PEs get them back; reservations that moved do not move back. */
public record EndOutage(OutageId outage) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return schedule.find(outage)
                .<Decision>map(found -> {
                    var ended = OutageEvent.ended(found, now);
                    var after = schedule.with(ended);
                    var events = new ArrayList<Event>(List.of(ended));
                    events.addAll(Displacement.afterRegaining(after, now));
                    return new Decision.Accepted(events, schedule.with(events));
                })
                .orElseGet(() -> new Decision.Rejected(new Rejection.OutageOver(outage)));
    }
}
