/**
 * Free PEs over time. A {@link berth.availability.CapacityProfile} counts how many are free in every second, takes and
 * gives back some of them over a slot, and finds where a run fits.
 */
@NullMarked
package berth.availability;

import org.jspecify.annotations.NullMarked;
