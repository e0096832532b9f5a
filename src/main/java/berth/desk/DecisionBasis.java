package berth.desk;

import berth.scheduling.ClusterSchedule;

/**
 * What a command would be decided on.
 *
 * @param schedule of the cluster, as it will be once all has happened that has fallen due
 * @param now the time that its desk goes by, in seconds since the epoch: never before what has happened there, whatever the clock
 *     says
 */
public record DecisionBasis(ClusterSchedule schedule, long now) {}
