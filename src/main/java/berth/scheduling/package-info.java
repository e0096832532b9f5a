/**
 * The schedule of one cluster and the commands that it decides. {@code decide} has no side effects: it returns events and the next
 * schedule.
 */
@NullMarked
package berth.scheduling;

import org.jspecify.annotations.NullMarked;
