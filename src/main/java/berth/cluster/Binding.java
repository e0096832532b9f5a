package berth.cluster;

/** When it is settled which PEs a reservation gets. Until then it has a number of them, and no particular ones. */
public enum Binding {
    /** When its run starts: the lowest-numbered that are neither held nor named by an outage. */
    LATE,
    /** When it is accepted: the lowest-numbered that are free throughout its slot; it keeps them unless it is moved. */
    EARLY
}
