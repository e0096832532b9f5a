package berth.experiment.priority;

/**
 * A run of the study.
 *
 * @param share of the jobs that ask for an advance reservation, in percent
 * @param repetition from 1
 */
record PriorityRun(Order order, int share, int repetition) {}
