package berth.cluster;

/** Whether a cluster takes new reservations. */
public enum Admission {
    OPEN,
    /** The cluster keeps its reservations and rejects new requests. */
    CLOSED,
    /** The cluster is out of use, and no list or search has it. It has nothing reserved or announced, and its history remains. */
    RETIRED
}
