/**
 * Free PEs over time. A {@link berth.availability.CapacityProfile} counts how many PEs are free in every second, takes or returns PEs over
 * a slot, and finds where a run fits. A {@link berth.availability.PeCalendar} does the same for PEs by number. A {@link
 * berth.availability.PlacementPolicy} chooses among the places that fit.
 *
 * <p>A profile is a B+-tree of points. Its {@link berth.availability.Node}s are {@link berth.availability.Leaf} or {@link
 * berth.availability.Inner} nodes. A {@link berth.availability.Change} creates new nodes along its edges and between them; {@link
 * berth.availability.Points}, {@link berth.availability.Children} and {@link berth.availability.Row} assemble them from the leaves up. A
 * {@link berth.availability.Search} consists of {@link berth.availability.Sweep}s, which use the {@link berth.availability.Runs} of the
 * nodes. {@link berth.availability.Rectangles} come from the {@link berth.availability.Skyline} of a window.
 */
@NullMarked
package berth.availability;

import org.jspecify.annotations.NullMarked;
