package berth.workload;

/**
 * A rigid job that a model has drawn.
 *
 * @param submit seconds since the draws began
 * @param pes PEs it needs, at least 1
 * @param runTime whole seconds it runs, at least 1
 */
public record ModelJob(double submit, int pes, long runTime) {}
