/**
 * One request, many clusters: finds the clusters that could hold a request, here and at other Berths, chooses the best slot, and reserves on
 * several clusters at one start.
 */
@NullMarked
package berth.booking;

import org.jspecify.annotations.NullMarked;
