package berth.scheduling;

import berth.cluster.OutageId;
import berth.scheduling.Event.OutageEvent;

/** Ends an outage, or cancels it before it begins. Reservations do not move back. */
public record EndOutage(OutageId outage) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.find(outage)
                .<Decision>map(found -> Decision.Accepted.of(schedule, OutageEvent.ended(found, now)))
                .orElseGet(() -> new Decision.Rejected(new Rejection.OutageOver(outage)));
    }
}
