/** The schedule of one cluster and the commands that are decided against it: {@code decide} is pure, it answers events and the next schedule and changes nothing. */
@NullMarked
package berth.scheduling;

import org.jspecify.annotations.NullMarked;
