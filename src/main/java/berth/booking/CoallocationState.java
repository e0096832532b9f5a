package berth.booking;

/** The state of a co-allocation. */
public enum CoallocationState {
    /** All parts are held and are being confirmed. */
    CONFIRMING,
    /** All parts were confirmed. */
    CONFIRMED,
    /** A part could not be confirmed, so none is kept. */
    ABANDONED,
    /** Its owner cancelled it. */
    CANCELLED
}
