package berth.cluster;

/** The method that rates how available a slot is alongside a batch queue (paper 001, section 4). */
public enum AvailabilityMethod {
    /** Compares the plans that the queue would have with each of the examined slots taken (section 4.2). */
    WHAT_IF,
    /** Compares the slot with the time at which the present work ends (section 4.1, equation 1). */
    LOAD
}
