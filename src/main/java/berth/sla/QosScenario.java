package berth.sla;

/**
 * How much freedom in time the client left. The first three are the execution time scenarios of paper 000, section 2. {@code OPEN} is
 * Berth's own, for requests without a deadline.
 */
public enum QosScenario {
    /** A fixed time: the window is exactly as long as the run. */
    STRICT,
    /** As early as possible, with a deadline but without a ready time. */
    DEADLINE,
    /** Between a ready time and a deadline, with more time than the run needs. */
    INTERVAL,
    /** Without a deadline: the end of the cluster's horizon takes its place. */
    OPEN
}
