package berth.desk;

import berth.budget.BudgetUnit;
import berth.budget.BudgetUse;
import berth.budget.Grant;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Map;

/** Where the grants of projects are kept, and what was charged to them. */
public interface BudgetStore {

    /** All grants. Waits for writes that are still under way. */
    List<Grant> grants();

    /** Keeps a new grant. */
    void add(Grant grant);

    /** Keeps that a grant ends sooner, or with what is left of it, for good. */
    void end(Grant grant);

    /**
     * What reservations that are filed under a project have taken by what happened until those events of their clusters.
     *
     * @param upTo the last event of each cluster that counts
     * @param before only what happened before then counts, seconds since the epoch
     * @throws StorageUnavailable if the tables do not have that in time
     */
    BudgetUse spent(String project, BudgetUnit unit, Map<ClusterId, Long> upTo, long before);
}
