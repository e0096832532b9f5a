package berth.cluster;

/** How the availability of a slot beside a batch queue is told: paper 001, section 4. */
public enum AvailabilityMethod {
    /** By plans of the queue with the slot taken (section 4.2). */
    WHAT_IF,
    /** By the time at which the present work is over (section 4.1, equation 1). */
    LOAD
}
