package berth.lab.experiment.adaptive;

/**
 * A run of the study: a setting with the jobs of one window.
 *
 * @param window counted from 1
 */
record AdaptiveRun(AdaptiveSetting setting, int window) {}
