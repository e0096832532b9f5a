/**
 * The load command: makes calls to a running service at a given rate, or as fast as it answers, and tells how long they
 * took. It knows the service by its HTTP contract alone.
 */
@NullMarked
package berth.load;

import org.jspecify.annotations.NullMarked;
