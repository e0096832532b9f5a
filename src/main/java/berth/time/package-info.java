/** Time in the core: whole seconds since the epoch, in half-open intervals. */
@NullMarked
package berth.time;

import org.jspecify.annotations.NullMarked;
