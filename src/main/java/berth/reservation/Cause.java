package berth.reservation;

/** Why a part of a reservation is not in place on the machine, and who bears that. */
public enum Cause {
    /** The machine does not know a user of the reservation. */
    USERS_UNKNOWN(Bearer.OWNER),
    /** Other work runs on its nodes. */
    NODES_BUSY(Bearer.PROVIDER),
    /** Anything else. */
    OTHER(Bearer.PROVIDER);

    /** Who bears that a reservation is not in place. */
    public enum Bearer {
        /** The owner owes as for a late cancellation. */
        OWNER,
        /** The owner owes nothing. */
        PROVIDER
    }

    private final Bearer bearer;

    Cause(Bearer bearer) {
        this.bearer = bearer;
    }

    /** Returns who bears it. */
    public Bearer bearer() {
        return bearer;
    }
}
