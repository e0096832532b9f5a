/** The calls that list events and stream them as they happen. */
@NullMarked
package berth.events;

import org.jspecify.annotations.NullMarked;
