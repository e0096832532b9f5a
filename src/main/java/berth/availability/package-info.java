/**
 * Free PEs over time. A {@link berth.availability.CapacityProfile} counts how many are free in every second, takes and
 * gives back some of them over a slot, and finds where a run fits. A {@link berth.availability.PeCalendar} does the same
 * where PEs are told apart. Which of the places that fit is taken, a {@link berth.availability.PlacementPolicy} says.
 */
@NullMarked
package berth.availability;

import org.jspecify.annotations.NullMarked;
