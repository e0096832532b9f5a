package berth.reservation;

/** How far a part of a reservation is in place on the machine. */
public enum EnforcementState {
    /** It is not there yet. */
    PENDING,
    /** The machine has it as it is promised. */
    MATERIALISED,
    /** The machine has it, but not as it is promised. */
    DRIFTED,
    /** It cannot be put in place, unless somebody sees to it. */
    FAILED
}
