package berth.broker;

/** How far a co-allocation has come. */
public enum CoallocationState {
    /** All parts are held, and are being confirmed. */
    CONFIRMING,
    /** All parts were confirmed. */
    CONFIRMED,
    /** One part could not be confirmed, and so none is kept. */
    ABANDONED,
    /** Given up by its owner. */
    CANCELLED
}
