package berth.lab.experiment.priority;

/**
 * The figures of a run, as {@link PriorityMeasure} defines them.
 *
 * @param waiting in hours
 * @param reservedWaiting the same for jobs with advance reservations only; if there are none, all jobs count, because they are then
 *     immediate reservations in the paper's words
 * @param offset in hours
 * @param rejections the number of jobs
 * @param utilisation in percent
 */
record RunFigures(double waiting, double reservedWaiting, double offset, double rejections, double utilisation) {}
