package berth.cluster;

/** Whether a run with several shapes may change its shape when Berth moves it (paper 003, section 3.3). */
public enum Reshaping {
    /** A moved run gets the shape that ends first, as in the paper, whose Algorithm 1 replans every waiting run. */
    ALWAYS,
    /**
     * A moved run keeps its shape if the shape fits. Differs from the paper, so that what the owner was promised changes as little as
     * possible.
     */
    WHERE_NEEDED
}
