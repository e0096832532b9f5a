package berth.scheduling.commands;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.Unit;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Rejection;
import berth.scheduling.places.Displacement;
import berth.scheduling.places.JobsGiveWay;
import berth.scheduling.places.Loss;
import berth.scheduling.places.NearestPlaces;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Records an outage, which may claim PEs that others claim already. Reservations that lose PEs get another place or fail, see {@link Displacement}. With late binding an outage can name
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
 * @param scope which PEs it may claim
 */
public record RecordOutage(
        OutageId id,
        int pes,
        Optional<PeSet> peIds,
        OptionalLong from,
        OptionalLong to,
        Optional<String> reason,
        Optional<String> source,
        Scope scope)
        implements Command {

    /** The PEs that an outage may claim. */
    public enum Scope {
        /** Those of the present cluster; any other number is an error. */
        PRESENT,
        /** Those that the cluster will have then: planned long ahead, the outage takes what there is of them. */
        PLANNED
    }

    /** Creates an outage without a source. */
    public RecordOutage(
            OutageId id, int pes, Optional<PeSet> peIds, OptionalLong from, OptionalLong to, Optional<String> reason) {
        this(id, pes, peIds, from, to, reason, Optional.empty(), Scope.PRESENT);
    }

    /** Creates an outage that is planned long ahead. */
    public static RecordOutage planned(
            OutageId id, int pes, Optional<PeSet> peIds, long from, long to, Optional<String> reason) {
        return new RecordOutage(
                id, pes, peIds, OptionalLong.of(from), OptionalLong.of(to), reason, Optional.empty(), Scope.PLANNED);
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return NearestPlaces.in(decideBeforeNearest(schedule, now), now);
    }

    /** Returns the decision before nearest places are looked for. */
    Decision decideBeforeNearest(ClusterSchedule schedule, long now) {
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
                .or(() -> scope == Scope.PLANNED
                        ? Optional.empty()
                        : peIds.flatMap(ids -> misnamed(ids, schedule, lost, now))
                                .or(() -> tooMany(schedule)))
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
        return cluster.nodes().broken(ids).flatMap(why -> violated("peIds", why));
    }

    private Optional<Violation> tooMany(ClusterSchedule schedule) {
        var cluster = schedule.cluster();
        int all = cluster.pes();
        return pes <= all
                ? Optional.empty()
                : violated(
                        "pes",
                        "exceeds the %s of the cluster; take %d or fewer"
                                .formatted(Unit.of(cluster).counted(all), all));
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
                named(schedule, lost, now),
                lost.start(),
                to,
                reason,
                source,
                List.of(),
                List.of(),
                lost.start() == now ? OptionalLong.empty() : OptionalLong.of(lost.start()),
                OptionalLong.empty());
        var loss =
                Loss.of(schedule, JobsGiveWay.to(schedule, outage, now), OutageEvent.recorded(outage, now), lost, now);
        var displacement = loss.displacement();
        var events = new ArrayList<>(loss.events());
        events.add(OutageEvent.recorded(
                outage.displacing(
                        displacement.reservations(Event.Type.MOVED), displacement.reservations(Event.Type.FAILED)),
                now));
        return new Decision.Accepted(events, schedule.with(events));
    }

    /** Returns the numbers of the PEs. With late binding only an outage that begins now has any, and only if it names them. */
    private Optional<PeSet> named(ClusterSchedule schedule, Slot lost, long now) {
        return switch (schedule.cluster().binding()) {
            case LATE -> peIds.filter(_ -> lost.start() == now);
            case EARLY -> peIds.or(() -> Optional.of(chosen(schedule, lost, now)));
        };
    }

    /** Returns PEs that no other outage claims as far as there are enough, and then the highest-numbered of the others. */
    private PeSet chosen(ClusterSchedule schedule, Slot lost, long now) {
        var cluster = schedule.cluster();
        int all = cluster.pes();
        if (pes >= all) {
            return PeSet.range(0, pes);
        }
        var unclaimed = schedule.occupancy().claims(all).unnamed(lost);
        if (unclaimed.size() >= pes) {
            return Displacement.leastMissed(schedule, lost, pes, unclaimed, now);
        }
        var claimed = PeSet.range(0, all).minus(unclaimed);
        return unclaimed.or(claimed.minus(claimed.lowest(all - pes)));
    }

    private static Decision invalid(String field, String message) {
        return invalid(new Violation(field, message));
    }

    private static Decision invalid(Violation violation) {
        return new Decision.Rejected(new Rejection.InvalidTerms(List.of(violation)));
    }
}
