package berth.reservation;

import java.time.LocalDate;

/**
 * Identifies one reservation of a series.
 *
 * @param series the series
 * @param date the day in the series' time zone; it stays the same if the reservation moves
 */
public record Occurrence(SeriesId series, LocalDate date) {}
