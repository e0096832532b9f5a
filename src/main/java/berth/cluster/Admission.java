package berth.cluster;

/** Whether a cluster takes new reservations. */
public enum Admission {
    OPEN,
    /** The cluster keeps its reservations and rejects new requests. */
    CLOSED
}
