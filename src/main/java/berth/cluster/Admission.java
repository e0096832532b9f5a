package berth.cluster;

/** Whether a cluster takes new reservations. */
public enum Admission {
    OPEN,
    /** What is reserved is kept; nothing more is taken. */
    CLOSED
}
