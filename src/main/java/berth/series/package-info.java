/**
 * Recurring reservations and outages. A series is the same run on many days, each an ordinary reservation; occurrences within the horizon
 * are booked at once, later ones as the horizon reaches them. A maintenance is the same outage on many days, each an ordinary outage,
 * recorded before the horizon reaches it.
 */
@NullMarked
package berth.series;

import org.jspecify.annotations.NullMarked;
