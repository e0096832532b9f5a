package berth.series;

/** How far a series has come. */
public enum SeriesState {
    /** It is recorded, and what is to be booked at once is not yet. */
    BOOKING,
    /** Its occurrences are decided as the horizon reaches them. */
    OPEN,
    /** All have been decided. */
    DECIDED
}
