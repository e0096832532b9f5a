package berth.yard;

/** An action on series and maintenances in the yard. */
enum SeriesDeed {
    /** Books a series of which all occurrences within the horizon must be granted. */
    BOOK_ALL,
    /** Books a series of which some occurrences are enough. */
    BOOK_SOME,
    /** Books a series that takes over from another one. */
    REPLACE,
    END_SERIES,
    /** Requests an occurrence again that was refused or has ended. */
    BOOK_AGAIN,
    READ_SERIES,
    CANCEL_OCCURRENCE,
    CHANGE_OCCURRENCE,
    ADD_MAINTENANCE,
    CALL_OFF_MAINTENANCE
}
