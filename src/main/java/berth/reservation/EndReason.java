package berth.reservation;

/** Why a reservation ended otherwise than by its run's end or its owner's wish. */
public enum EndReason {
    /** Nobody showed up in time. */
    NOT_CLAIMED,
    /** Its PEs went out of service, and no slot was left in its window. */
    PES_LOST,
    /** It was not in place on the machine soon after its start. */
    NOT_ENFORCED
}
