/** Accepted agreements with their places, their states, and what happens to them. */
@NullMarked
package berth.reservation;

import org.jspecify.annotations.NullMarked;
