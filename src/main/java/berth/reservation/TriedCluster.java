package berth.reservation;

import java.util.OptionalLong;

/**
 * A cluster that was tried without success for a request without a cluster, before another cluster granted it.
 *
 * @param start the start of the slot that was tried, in seconds since the epoch; empty if the cluster offered none
 */
public record TriedCluster(ClusterId cluster, OptionalLong start, Obstacle outcome) {

    /** Why the attempt failed. */
    public enum Obstacle {
        /** Another request took the slot first, or its start has passed. */
        TAKEN,
        /** The price has risen above the budget. */
        OVER_BUDGET,
        /** The cluster did not answer or could not decide. */
        UNAVAILABLE
    }
}
