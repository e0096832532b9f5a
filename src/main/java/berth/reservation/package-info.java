/** An accepted agreement with its place in time, the states it passes through and what happens to it. */
@NullMarked
package berth.reservation;

import org.jspecify.annotations.NullMarked;
