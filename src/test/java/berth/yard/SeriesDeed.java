package berth.yard;

/** What somebody does in the yard about what recurs. */
enum SeriesDeed {
    /** A series of which all occurrences within the horizon are to be booked, or nothing. */
    BOOK_ALL,
    /** One of which some are enough. */
    BOOK_SOME,
    /** One that takes over from another. */
    REPLACE,
    END_SERIES,
    /** An occurrence that was refused or has ended is asked for once more. */
    BOOK_AGAIN,
    READ_SERIES,
    CANCEL_OCCURRENCE,
    CHANGE_OCCURRENCE,
    ADD_MAINTENANCE,
    CALL_OFF_MAINTENANCE
}
