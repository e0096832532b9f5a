package berth.reservation;

/** The reason why a reservation ended, if it was neither the end of the run nor the owner's wish. */
public enum EndReason {
    /** The owner did not claim it in time. */
    NOT_CLAIMED,
    /** Somebody who had to approve it declined. */
    DECLINED,
    /** Its PEs went out of service: its window had no other slot, or none of the PEs of its run were left. */
    PES_LOST,
    /** It was not in place on the machine soon after its start. */
    NOT_ENFORCED,
    /** It was not in place on the machine soon after its start, because the machine does not know one of its users. */
    USERS_UNKNOWN
}
