package berth.budget;

/** The kind of a ledger entry. */
public enum EntryKind {
    /** A reservation was granted; its price is held. */
    HOLD,
    /** The held amount changed because the terms or the place changed. */
    ADJUST,
    /** The reservation ended; its held amount is released. */
    RELEASE,
    /** The amount owed is charged finally. */
    CHARGE,
    /** The provider owes a credit for a breach. */
    CREDIT,
    /** A final charge became less, because others have booked time that the reservation had returned. */
    RETURN,
    /** A grant added to the budget. */
    GRANT,
    /** The rest of a grant expired. */
    EXPIRE
}
