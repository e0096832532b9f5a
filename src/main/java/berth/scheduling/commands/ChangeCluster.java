package berth.scheduling.commands;

import berth.cluster.Cluster;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Rejection;
import berth.scheduling.places.Displacement;
import berth.scheduling.places.JobsGiveWay;
import berth.scheduling.places.Loss;
import berth.scheduling.places.NearestPlaces;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;

/**
 * The operator changes a cluster. The new rules apply to later decisions; existing agreements stay. A reduction of the PEs is treated as an
 * outage without end, see {@link Displacement}. Only a cluster at rest can be retired. The granule cannot change. The rating and the currency can change only while nothing is
 * reserved; the binding can change only if there is also no outage and no batch job.
 *
 * @param before the cluster on which the change is based; the command is refused if the cluster has changed since
 * @param after the new cluster; this command sets its version and keeps its signal
 */
public record ChangeCluster(Cluster before, Cluster after) implements Command {

    public ChangeCluster {
        after = after.signalling(before.tariff().signal());
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var present = schedule.cluster();
        if (!present.equals(before)) {
            return rejected(new Rejection.StaleVersion(present.version()));
        }
        if (after.inVersion(present.version()).equals(present)) {
            return Decision.Accepted.unchanged(schedule);
        }
        if (after.nodes().granule() != present.nodes().granule()) {
            return rejected(Rejection.InvalidTerms.of(
                    "granule",
                    "is %d and cannot change; leave it out"
                            .formatted(present.nodes().granule())));
        }
        if (!schedule.reservations().isEmpty()) {
            if (after.rating().compareTo(present.rating()) != 0) {
                return rejected(new Rejection.InUse("rating"));
            }
            if (!after.tariff().currency().equals(present.tariff().currency())) {
                return rejected(new Rejection.InUse("tariff.currency"));
            }
        }
        boolean anyTaken = !schedule.reservations().isEmpty()
                || !schedule.outages().isEmpty()
                || !schedule.jobs().isEmpty();
        if (anyTaken && after.binding() != present.binding()) {
            return rejected(new Rejection.InUse("binding"));
        }
        if (after.isRetired() && !present.isRetired()) {
            var activity = Rejection.NotAtRest.of(schedule);
            if (!activity.isNothing()) {
                return rejected(activity);
            }
        }
        var event = new ClusterEvent(after.inVersion(present.version() + 1), now);
        if (after.pes() >= present.pes()) {
            var events = new ArrayList<Event>(List.of(event));
            events.addAll(Displacement.afterRegaining(schedule.with(event), now));
            return new Decision.Accepted(events, schedule.with(events));
        }
        var fromNowOn = new Slot(now, Long.MAX_VALUE);
        var jobs = JobsGiveWay.to(schedule, event.cluster(), fromNowOn, now);
        var events =
                new ArrayList<>(Loss.of(schedule, jobs, event, fromNowOn, now).events());
        events.add(event);
        return NearestPlaces.in(new Decision.Accepted(events, schedule.with(events)), now);
    }

    private static Decision rejected(Rejection reason) {
        return new Decision.Rejected(reason);
    }
}
