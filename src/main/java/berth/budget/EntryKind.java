package berth.budget;

/** What an entry of the ledger does to a budget. */
public enum EntryKind {
    /** The price is held: something was granted. */
    HOLD,
    /** More is held, or less: other terms, another place. */
    ADJUST,
    /** What was held is no more: the reservation has ended. */
    RELEASE,
    /** What is owed is taken for good. */
    CHARGE,
    /** The provider owes for a breach. */
    CREDIT,
    /** There is more to spend. */
    GRANT,
    /** What was left of a grant at its end is lost. */
    EXPIRE
}
