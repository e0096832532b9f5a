package berth.experiment.priority;

/**
 * The figures of a run, as {@link Measure} defines them.
 *
 * @param waiting hours
 * @param reservedWaiting the same of jobs with advance reservations alone; where none has one, all are immediate reservations,
 *     in the words of the paper, and all count
 * @param offset hours
 * @param rejections jobs
 * @param utilisation percent
 */
record RunFigures(double waiting, double reservedWaiting, double offset, double rejections, double utilisation) {}
