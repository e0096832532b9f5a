/**
 * The core under simulated time: requests and the ends of runs are decided by the same commands as in the service, one
 * after the other, on a clock that jumps from one to the next. It has no scheduling rule of its own.
 */
@NullMarked
package berth.simulation;

import org.jspecify.annotations.NullMarked;
