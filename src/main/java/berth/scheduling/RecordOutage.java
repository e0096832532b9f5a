package berth.scheduling;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.scheduling.Event.OutageEvent;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Records an outage. Reservations that lose PEs get another place or fail, see {@link Displacement}. With late binding an outage can name
 * PEs only if it begins now, because later runs have no PEs yet. With early binding an outage without named PEs gets those whose loss harms
 * least.
 *
 * @param id the id of the outage; an outage that exists already stays as it is
 * @param pes the number of PEs
 * @param peIds the numbers of the PEs; empty if it names none
 * @param from the start, in seconds since the epoch; empty means now
 * @param to the planned end; empty if the outage lasts until somebody ends it
 * @param reason the operator's note
 * @param source the system that reports it repeatedly, see {@link ReplaceOutages}
 */
public record RecordOutage(
        OutageId id,
        int pes,
        Optional<PeSet> peIds,
        OptionalLong from,
        OptionalLong to,
        Optional<String> reason,
        Optional<String> source)
        implements Command {

    /** Creates an outage without a source. */
    public RecordOutage(
            OutageId id, int pes, Optional<PeSet> peIds, OptionalLong from, OptionalLong to, Optional<String> reason) {
        this(id, pes, peIds, from, to, reason, Optional.empty());
    }

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        if (schedule.find(id).isPresent()) {
            // the caller repeats the command if it did not receive the answer
            return Decision.Accepted.unchanged(schedule);
        }
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
        var lost = new Slot(start, to.orElse(Long.MAX_VALUE));
        return schedule.cluster()
                .nodes()
                .broken(pes)
                .map(why -> new Violation("pes", why))
                .or(() -> peIds.flatMap(ids -> misnamed(ids, schedule, lost, now)))
                .or(() -> tooMany(schedule, lost))
                .map(RecordOutage::invalid)
                .orElseGet(() -> recorded(schedule, lost, now));
    }

    private Optional<Violation> misnamed(PeSet ids, ClusterSchedule schedule, Slot lost, long now) {
        var cluster = schedule.cluster();
        if (ids.size() != pes) {
            return violated("pes", "must be %d, the number of the PEs in peIds; leave it out".formatted(ids.size()));
        }
        if (ids.length() > cluster.pes()) {
            return violated(
                    "peIds", "must be PEs of the cluster, which are numbered 0 to %d".formatted(cluster.pes() - 1));
        }
        if (cluster.binding() == Binding.LATE && lost.start() > now) {
            return violated(
                    "peIds",
                    "can be named only for an outage that begins now, because this cluster binds PEs late;"
                            + " leave peIds out, or set the cluster's binding to EARLY");
        }
        var broken = cluster.nodes().broken(ids);
        if (broken.isPresent()) {
            return violated("peIds", broken.get());
        }
        var outAlready = ids.minus(unnamed(schedule, lost));
        return outAlready.isEmpty()
                ? Optional.empty()
                : violated(
                        "peIds",
                        "names PEs that another outage takes at that time: %s; leave them out".formatted(outAlready));
    }

    private static PeSet unnamed(ClusterSchedule schedule, Slot lost) {
        return schedule.occupancy().unnamed(schedule.cluster().pes(), lost);
    }

    private Optional<Violation> tooMany(ClusterSchedule schedule, Slot lost) {
        int most = switch (schedule.cluster().binding()) {
            case LATE -> schedule.inService().fewestFree(lost);
            case EARLY -> unnamed(schedule, lost).size();
        };
        return pes <= most
                ? Optional.empty()
                : violated(
                        "pes", "exceeds the %d PEs that are in service for the whole time; take fewer".formatted(most));
    }

    private static Optional<Violation> violated(String field, String message) {
        return Optional.of(new Violation(field, message));
    }

    private Decision recorded(ClusterSchedule schedule, Slot lost, long now) {
        var cluster = schedule.cluster();
        var outage = new Outage(
                id,
                cluster.id(),
                pes,
                peIds.or(() -> chosen(schedule, lost, now)),
                lost.start(),
                to,
                reason,
                source,
                List.of(),
                List.of(),
                OptionalLong.empty());
        var loss = Loss.of(
                schedule, JobsGiveWay.to(schedule, outage, lost, now), OutageEvent.recorded(outage, now), lost, now);
        var displacement = loss.displacement();
        var events = new ArrayList<>(loss.events());
        events.add(OutageEvent.recorded(
                outage.displacing(
                        displacement.reservations(Event.Type.MOVED), displacement.reservations(Event.Type.FAILED)),
                now));
        return new Decision.Accepted(events, schedule.with(events));
    }

    private Optional<PeSet> chosen(ClusterSchedule schedule, Slot lost, long now) {
        return switch (schedule.cluster().binding()) {
            case LATE -> Optional.empty();
            case EARLY -> Optional.of(Displacement.leastMissed(schedule, lost, pes, unnamed(schedule, lost), now));
        };
    }

    private static Decision invalid(String field, String message) {
        return invalid(new Violation(field, message));
    }

    private static Decision invalid(Violation violation) {
        return new Decision.Rejected(new Rejection.InvalidTerms(List.of(violation)));
    }
}
