package berth.sla;

/**
 * How much freedom in time the client left: the execution time scenarios of paper 000, section 2. The paper's requests always have a
 * window. A request without one is {@link #STRICT} here too: it gets the first place from its ready time on, and that place is its window.
 */
public enum QosScenario {
    /** A fixed time: the window is exactly as long as the run, or becomes so when the run gets a place. */
    STRICT,
    /** As early as possible, with a deadline but without a ready time. */
    DEADLINE,
    /** Between a ready time and a deadline, with more time than the run needs. */
    INTERVAL,
    /** Without a deadline, up to the end of the horizon. Only reservations of version 0.1.0 have it. */
    OPEN
}
