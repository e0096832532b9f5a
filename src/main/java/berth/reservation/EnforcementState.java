package berth.reservation;

/** How far a part of a reservation is in place on the machine. */
public enum EnforcementState {
    /** The machine does not have it yet. */
    PENDING,
    /** The machine has it as promised. */
    MATERIALISED,
    /** The machine has it, but not as promised. */
    DRIFTED,
    /** It cannot be put in place until somebody acts. */
    FAILED
}
