package berth.engine;

import berth.reservation.ClusterId;
import berth.runtime.Gate;
import berth.scheduling.ClusterSchedule;
import berth.sla.AccountName;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The current plans of the clusters' batch queues. Each plan is computed once for all accounts that ask for it. The computation runs
 * outside of the desks, in the turn of the first account that asks.
 */
public final class QueuePlans {

    /** How long a plan stays good, in seconds. It changes with time if a waiting job could have started and has not. */
    private static final long MAX_AGE = 1;

    private final Desks desks;
    private final InstantSource clock;
    private final Map<ClusterId, Found> found = new ConcurrentHashMap<>();

    private record Found(ClusterSchedule applied, long at, PlannedStarts starts) {}

    QueuePlans(Desks desks, InstantSource clock) {
        this.desks = desks;
        this.clock = clock;
    }

    /**
     * Returns the planned starts of a cluster's waiting jobs, by the last applied schedule.
     *
     * @throws Gate.Overloaded if too many computations of the account are under way
     * @throws Gate.Unanswered if the plan is not ready in time
     */
    public PlannedStarts of(ClusterId cluster, AccountName asker) {
        var applied = desks.schedule(cluster).orElseThrow();
        if (applied.jobs().waiting().isEmpty()) {
            return PlannedStarts.NONE;
        }
        var known = found.get(cluster);
        return known != null && isGood(known, applied)
                ? known.starts
                : desks.searches().compute(asker, () -> find(cluster));
    }

    /** Computes the plan, unless another thread did so while this one waited for its turn. */
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
        return known.applied == applied && age >= 0 && age <= MAX_AGE;
    }
}
