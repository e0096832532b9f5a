package berth.experiment.priority;

/**
 * The figures of a run, as {@link Measure} defines them.
 *
 * @param waiting hours
 * @param offset hours
 * @param rejections jobs
 * @param utilisation percent
 */
record RunFigures(double waiting, double offset, double rejections, double utilisation) {}
