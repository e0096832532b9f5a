package berth.workload;

/** Why a job of the log becomes no request. */
public enum LeftOut implements Drawn {
    /** It ran for less than a minute, or not at all. */
    SHORT,
    /** Its PEs are unknown. */
    NO_PES,
    /** It needs more PEs than the machine has. */
    TOO_LARGE
}
