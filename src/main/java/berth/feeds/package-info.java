/** Calendar feeds of reservations and outages. */
@NullMarked
package berth.feeds;

import org.jspecify.annotations.NullMarked;
