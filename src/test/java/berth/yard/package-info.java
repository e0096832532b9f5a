/** Whole Berths in one thread and in a time of their own, where everything goes wrong that may: a seed always makes the same history. */
@NullMarked
package berth.yard;

import org.jspecify.annotations.NullMarked;
