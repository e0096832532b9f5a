package berth.sla;

/**
 * How much freedom the client left in time. The first three are the execution time scenarios of paper 000, section 2;
 * {@code OPEN} is ours, for requests without a deadline.
 */
public enum QosScenario {
    /** Exactly this time: the window is as long as the run. */
    STRICT,
    /** As early as possible, finished by a deadline: no ready time was given. */
    DEADLINE,
    /** Between a ready time and a deadline that are further apart than the run is long. */
    INTERVAL,
    /** No deadline was given: the cluster's horizon stands in for it. */
    OPEN
}
