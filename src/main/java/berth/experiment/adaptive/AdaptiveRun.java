package berth.experiment.adaptive;

/**
 * One run of the study: a setting with the jobs of one window.
 *
 * @param window counted from 1
 */
record AdaptiveRun(Setting setting, int window) {}
