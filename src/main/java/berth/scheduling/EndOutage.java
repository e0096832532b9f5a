package berth.scheduling;

import berth.cluster.OutageId;
import berth.scheduling.Event.OutageEvent;

/** The PEs of an outage are back, or the outage will not take place. Nothing is moved back. */
public record EndOutage(OutageId outage) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return schedule.find(outage)
                .<Decision>map(found -> Decision.Accepted.of(schedule, OutageEvent.ended(found, now)))
                .orElseGet(() -> new Decision.Rejected(new Rejection.OutageOver(outage)));
    }
}
