package berth.cluster;

/** The order in which requests are decided. */
public enum IntakeOrder {
    /** Each at once, as it comes. */
    ARRIVAL,
    /** Those that arrive together by the priority of their accounts and their length: paper 002's DPSAR. */
    DPSAR
}
