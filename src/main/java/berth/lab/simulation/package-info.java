/**
 * The core under simulated time. The same commands as in the service decide requests and ends of runs, one after another, on a clock that
 * jumps from event to event. This package has no scheduling rules of its own.
 */
@NullMarked
package berth.lab.simulation;

import org.jspecify.annotations.NullMarked;
