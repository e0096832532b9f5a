package berth.series;

/** The state of a series. */
public enum SeriesState {
    /** It is recorded, but the occurrences within the horizon are not booked yet. */
    BOOKING,
    /** Its occurrences are decided as the horizon reaches them. */
    OPEN,
    /** All occurrences have been decided, and none must still be cancelled. */
    DECIDED
}
