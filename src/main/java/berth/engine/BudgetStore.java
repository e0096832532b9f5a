package berth.engine;

import berth.budget.BudgetUnit;
import berth.budget.BudgetUse;
import berth.budget.Grant;
import berth.reservation.ClusterId;
import berth.runtime.StorageUnavailable;
import java.util.List;
import java.util.Map;

/** Stores the grants of projects and reads what reservations have taken. */
public interface BudgetStore {

    /** Returns all grants. It waits for writes in progress. */
    List<Grant> grants();

    /** Stores a new grant. */
    void add(Grant grant);

    /** Stores the earlier end of a grant, or its expiry with the rest that was left. */
    void end(Grant grant);

    /**
     * Returns what the reservations of a project have taken because of events up to the given ones.
     *
     * @param upTo the last event of each cluster to include
     * @param before includes only events before this time, in seconds since the epoch
     * @throws StorageUnavailable if the tables are not up to date in time
     */
    BudgetUse spent(String project, BudgetUnit unit, Map<ClusterId, Long> upTo, long before);
}
