package berth.engine;

import berth.scheduling.ClusterSchedule;

/**
 * The basis of a decision.
 *
 * @param schedule the schedule of the cluster after everything due has happened
 * @param now the time of the desk, in seconds since the epoch: never before past events, whatever the clock shows
 */
public record DecisionBasis(ClusterSchedule schedule, long now) {}
