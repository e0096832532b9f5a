package berth.reservation;

import java.util.OptionalLong;

/**
 * What was tried in vain for a request that named no cluster, before it was granted elsewhere.
 *
 * @param start of the slot that was tried, seconds since the epoch; empty where the cluster did not tell of any
 */
public record TriedCluster(ClusterId cluster, OptionalLong start, Obstacle outcome) {

    /** Why it was in vain. */
    public enum Obstacle {
        /** Others took the slot first, or its time has come. */
        TAKEN,
        /** The slot costs more than the budget by now. */
        OVER_BUDGET,
        /** The cluster could not be asked, or could not decide. */
        UNAVAILABLE
    }
}
