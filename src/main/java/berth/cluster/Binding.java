package berth.cluster;

/** When Berth chooses the PEs of a reservation. Before that, the reservation has a number of PEs but no particular ones. */
public enum Binding {
    /** When the run starts. Berth takes the lowest-numbered PEs that no run holds and no outage names. */
    LATE,
    /**
     * When the reservation is accepted. Berth takes the lowest-numbered PEs that are free throughout the slot; the reservation keeps them
     * unless it is moved.
     */
    EARLY
}
