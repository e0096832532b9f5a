/**
 * Free PEs over time. A {@link berth.availability.CapacityProfile} counts how many are free in every second, takes and
 * gives back some of them over a slot, and finds where a run fits. A {@link berth.availability.PeCalendar} does the same
 * where PEs are told apart. Which of the places that fit is taken, a {@link berth.availability.PlacementPolicy} says.
 *
 * <p>A profile is a B+-tree of points, a {@link berth.availability.Node} of which is a {@link berth.availability.Leaf} or
 * an {@link berth.availability.Inner} node. A {@link berth.availability.Change} makes new nodes along its edges and in
 * between, which are put together from {@link berth.availability.Points} and {@link berth.availability.Children}, each
 * {@link berth.availability.Row} on its level, from the leaves up. A {@link berth.availability.Search} is made of {@link
 * berth.availability.Sweep}s, which go by the {@link berth.availability.Runs} of the nodes. {@link
 * berth.availability.Rectangles} are read from the {@link berth.availability.Skyline} of a window.
 */
@NullMarked
package berth.availability;

import org.jspecify.annotations.NullMarked;
