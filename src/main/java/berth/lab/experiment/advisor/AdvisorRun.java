package berth.lab.experiment.advisor;

/**
 * A run of the study: a setting with the requests of one window.
 *
 * @param window counted from 1
 */
record AdvisorRun(Setting setting, int window) {}
