/**
 * One writer for each cluster. It takes commands in order, decides them, commits their events in groups and only then applies them; it also
 * handles what is due by the clock and rebuilds the schedule at the start. It knows no feature but instances.
 */
@NullMarked
package berth.engine;

import org.jspecify.annotations.NullMarked;
