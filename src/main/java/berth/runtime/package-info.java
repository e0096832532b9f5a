/** Threads, waits, turns and the time of this process, for a simulation to replace. */
@NullMarked
package berth.runtime;

import org.jspecify.annotations.NullMarked;
