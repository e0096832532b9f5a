package berth.cluster;

/** The method that rates how available a slot is beside a batch queue (paper 001, section 4). */
public enum AvailabilityMethod {
    /** Compares plans of the queue with and without the slot (section 4.2). */
    WHAT_IF,
    /** Compares the slot with the time at which the present work ends (section 4.1, equation 1). */
    LOAD
}
