package berth.cluster;

/** The order in which requests are decided. */
public enum IntakeOrder {
    /** Decides each request on arrival. */
    ARRIVAL,
    /** Collects requests and orders them by the priority of their accounts and by their length (paper 002's DPSAR). */
    DPSAR
}
