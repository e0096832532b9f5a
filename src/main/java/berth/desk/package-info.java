/**
 * One writer per cluster: takes commands in order, decides them, commits their events in groups and only then lets them
 * count; lets the clock run; rebuilds the schedule at start.
 */
@NullMarked
package berth.desk;

import org.jspecify.annotations.NullMarked;
