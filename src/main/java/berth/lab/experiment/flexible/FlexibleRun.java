package berth.lab.experiment.flexible;

/**
 * A run of the study: a scenario with the jobs of one window.
 *
 * @param window counted from 1
 */
record FlexibleRun(Scenario scenario, int window) {}
