package berth.lab.workload;

/**
 * A rigid job drawn from a model.
 *
 * @param submit the time of submission in seconds since the draws began
 * @param pes the PEs it needs, at least 1
 * @param runTime the run time in whole seconds, at least 1
 */
record ModelJob(double submit, int pes, long runTime) {}
