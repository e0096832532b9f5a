package berth.cluster;

/** Whether a run of several shapes may be given another one when the provider moves it (paper 003, section 3.3). */
public enum Reshaping {
    /** A run that is placed anew gets the shape that ends first, as in the paper: all that waits is placed by its Algorithm 1. */
    ALWAYS,
    /** It keeps its shape wherever there is room for that. Ours: what its owner has been told changes as little as possible. */
    WHERE_NEEDED
}
