/** Whole Berths in one thread and simulated time, with every kind of fault. A seed always gives the same history. */
@NullMarked
package berth.yard;

import org.jspecify.annotations.NullMarked;
