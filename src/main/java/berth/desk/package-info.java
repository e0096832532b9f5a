/**
 * One writer for each cluster. It takes commands in order, decides them, commits their events in groups and only then applies them; it also
 * handles what is due by the clock and rebuilds the schedule at the start.
 */
@NullMarked
package berth.desk;

import org.jspecify.annotations.NullMarked;
