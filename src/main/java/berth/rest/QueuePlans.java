package berth.rest;

import berth.desk.Desks;
import berth.desk.SideDesk;
import berth.reservation.ClusterId;
import berth.scheduling.ClusterSchedule;
import berth.sla.AccountName;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/**
 * The plans of the batch queues as they stand, each found out once for all who ask, beside the desks, in the turn of the account that
 * asks first.
 */
@Component
final class QueuePlans {

    /** A plan moves on with the time where what waits could have started and has not. */
    private static final long GOOD_FOR = 1;

    private final Desks desks;
    private final InstantSource clock;
    private final Map<ClusterId, Found> found = new ConcurrentHashMap<>();

    private record Found(ClusterSchedule applied, long at, PlannedStarts starts) {}

    QueuePlans(Desks desks, InstantSource clock) {
        this.desks = desks;
        this.clock = clock;
    }

    /**
     * When the jobs of a cluster that wait start, by what has been answered so far.
     *
     * @throws SideDesk.Overloaded if the account has too much computed already
     * @throws SideDesk.Unanswered if there is no plan in time
     */
    PlannedStarts of(ClusterId cluster, AccountName asker) {
        var applied = desks.schedule(cluster).orElseThrow();
        if (applied.jobs().waiting().isEmpty()) {
            return PlannedStarts.NONE;
        }
        var known = found.get(cluster);
        return known != null && isGood(known, applied) ? known.starts : desks.compute(asker, () -> find(cluster));
    }

    /** The same for the answer to a change that is recorded: without a plan where there is none in time. */
    PlannedStarts afterChange(ClusterId cluster, AccountName asker) {
        try {
            return of(cluster, asker);
        } catch (SideDesk.Overloaded | SideDesk.Unanswered e) {
            return PlannedStarts.NONE;
        }
    }

    /** Somebody else may have found it while this one waited. */
    private PlannedStarts find(ClusterId cluster) {
        var applied = desks.schedule(cluster).orElseThrow();
        var known = found.get(cluster);
        if (known != null && isGood(known, applied)) {
            return known.starts;
        }
        long now = clock.instant().getEpochSecond();
        var starts = PlannedStarts.of(desks.outlook(cluster).orElseThrow());
        found.put(cluster, new Found(applied, now, starts));
        return starts;
    }

    private boolean isGood(Found known, ClusterSchedule applied) {
        long age = clock.instant().getEpochSecond() - known.at;
        return known.applied == applied && age >= 0 && age <= GOOD_FOR;
    }
}
