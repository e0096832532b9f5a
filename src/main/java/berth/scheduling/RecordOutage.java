package berth.scheduling;

import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.scheduling.Event.OutageEvent;
import berth.sla.RequestedTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * PEs go out of service for a time; what no longer has its PEs is placed anew, or fails: see {@link Displacement}.
 *
 * @param id the new outage's name
 * @param pes how many
 * @param from since when, seconds since the epoch; empty: now
 * @param to until when; empty: until it is ended
 * @param reason the operator's note
 */
public record RecordOutage(OutageId id, int pes, OptionalLong from, OptionalLong to, Optional<String> reason)
        implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        var cluster = schedule.cluster();
        if (pes < 1) {
            return invalid("pes", "must be at least 1");
        }
        if (from.isPresent() && from.getAsLong() < now - RequestedTerms.GRACE) {
            return invalid("from", "lies in the past; leave it out to begin now");
        }
        long start = Math.max(now, from.orElse(now));
        if (to.isPresent() && to.getAsLong() <= start) {
            return invalid("to", "must lie after from, and in the future");
        }
        var outage = new Outage(id, cluster.id(), pes, start, to, reason, List.of(), List.of(), OptionalLong.empty());
        int inService = schedule.inService().fewestFree(outage.slot());
        if (inService < pes) {
            return invalid("pes", "exceeds the %d PEs that are in service all that time".formatted(inService));
        }
        var displacement = Displacement.of(schedule, OutageEvent.recorded(outage, now), outage.slot(), now);
        var events = new ArrayList<>(displacement.events());
        events.add(OutageEvent.recorded(
                outage.displacing(
                        displacement.reservations(Event.Type.MOVED), displacement.reservations(Event.Type.FAILED)),
                now));
        return new Decision.Accepted(events, schedule.with(events));
    }

    private static Decision invalid(String field, String message) {
        return new Decision.Rejected(Rejection.InvalidTerms.of(field, message));
    }
}
