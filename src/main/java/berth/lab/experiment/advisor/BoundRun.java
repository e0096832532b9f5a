package berth.lab.experiment.advisor;

/**
 * A run of the study of the bound: the densest requests of one window.
 *
 * @param window counted from 1
 */
record BoundRun(int window) {}
