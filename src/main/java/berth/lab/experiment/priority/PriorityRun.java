package berth.lab.experiment.priority;

/**
 * A run of the study.
 *
 * @param share the percentage of jobs that ask for an advance reservation
 * @param repetition counted from 1
 */
record PriorityRun(Order order, int share, int repetition) {}
