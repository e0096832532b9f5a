package berth.reservation;

import java.time.LocalDate;

/**
 * Which one of a series a reservation is.
 *
 * @param series the series
 * @param date its day in the series' time zone, by which it is known for good, wherever it is moved
 */
public record Occurrence(SeriesId series, LocalDate date) {}
