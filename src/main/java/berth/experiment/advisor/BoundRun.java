package berth.experiment.advisor;

/**
 * One run of the study of the bound: the requests of one window that are closest together.
 *
 * @param window counted from 1
 */
record BoundRun(int window) {}
