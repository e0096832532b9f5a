/**
 * What recurs. Series of reservations: the same run on many days, of which each is an ordinary reservation; what lies within its cluster's horizon is
 * booked at once, the rest day by day as the horizon reaches it. Maintenances: the same outage on many days, of which each is an ordinary outage,
 * recorded before the horizon reaches it.
 */
@NullMarked
package berth.series;

import org.jspecify.annotations.NullMarked;
